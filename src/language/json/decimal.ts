// Decimal numbers as text: what a double keeps of them, and when two of them are the same.

/** A decimal number: its digits times a power of ten. */
export interface Decimal {
  readonly negative: boolean
  /** Without zeros at either end; empty for zero. */
  readonly digits: string
  /** Power of ten of the last digit. */
  readonly exponent: number
}

const ZERO = 48

/** True for a number written without fraction and exponent. */
export function isIntegerText(source: string): boolean {
  for (let at = source.startsWith('-') ? 1 : 0; at < source.length; at++) {
    if (!isDigit(source.charCodeAt(at))) return false
  }
  return true
}

export function isDigit(code: number): boolean {
  return code >= ZERO && code <= ZERO + 9
}

/**
 * Whether a JSON number loses digits, or its exactness as an integer, when it becomes a double.
 *
 * Integers written as such must lie within ±(2^53 − 1); any other number must come back from its double as the
 * same decimal (0.30000000000000004 does, 0.1000000000000000055 does not, 1e400 overflows).
 */
export function needsExactness(source: string): boolean {
  if (isIntegerText(source)) return !Number.isSafeInteger(Number(source))
  return !sameDecimal(source, String(Number(source)))
}

/** Whether two JSON numbers, given as text, have the same value: `1.0` and `1`, `1e2` and `100`. */
export function sameDecimal(left: string, right: string): boolean {
  if (left === right) return true
  const a = parseDecimal(left)
  const b = parseDecimal(right)
  if (a === null || b === null) return false
  if (a.digits === '' && b.digits === '') return true
  return a.negative === b.negative && a.digits === b.digits && a.exponent === b.exponent
}

/** A text that two JSON numbers share exactly when they have the same value. */
export function decimalKey(source: string): string {
  const decimal = parseDecimal(source)
  if (decimal === null) return source
  if (decimal.digits === '') return '0'
  return `${decimal.negative ? '-' : ''}${decimal.digits}e${decimal.exponent}`
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Reads a decimal. Null for what is no decimal (`Infinity`), and for exponents no one can count with. */
export function parseDecimal(source: string): Decimal | null {
  const match = NUMBER.exec(source)
  if (match === null) return null
  const [, sign, whole = '', fraction = '', exponentText = '0'] = match
  const all = whole + fraction
  let start = 0
  while (start < all.length && all.charCodeAt(start) === ZERO) start++
  let end = all.length
  while (end > start && all.charCodeAt(end - 1) === ZERO) end--
  const exponent = Number(exponentText) - fraction.length + (all.length - end)
  if (!Number.isSafeInteger(exponent)) return null
  return { negative: sign === '-', digits: all.slice(start, end), exponent }
}
