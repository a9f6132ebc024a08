// Chance that can be repeated: every place in the demo data has its own number, independent of all other draws.

/**
 * A number from 0 up to, not including, 1 for a place (`issues/12/fields.summary`); the same place always gives the same.
 * So a field added to the demo data leaves all others as they were.
 */
export type Chance = (place: string) => number

export function createChance(seed: number | string): Chance {
  const start = String(seed)
  return (place) => hash53(`${start}\n${place}`) / 2 ** 53
}

/** A whole number from `min` to `max`, both included. */
export function wholeBetween(chance: Chance, place: string, min: number, max: number): number {
  return min + Math.floor(chance(place) * (max - min + 1))
}

/** One element of a list; undefined when it is empty. */
export function pickOne<T>(chance: Chance, place: string, list: readonly T[]): T | undefined {
  return list[Math.floor(chance(place) * list.length)]
}

/** `count` digits of which the first is not 0. */
export function digits(chance: Chance, place: string, count: number): string {
  return Array.from({ length: count }, (_, index) =>
    wholeBetween(chance, `${place}#${index}`, index === 0 ? 1 : 0, 9),
  ).join('')
}

/** `count` hexadecimal digits in lower case. */
export function hexDigits(chance: Chance, place: string, count: number): string {
  let text = ''
  for (let index = 0; text.length < count; index++) {
    text += Math.floor(chance(`${place}#${index}`) * 2 ** 24)
      .toString(16)
      .padStart(6, '0')
  }
  return text.slice(0, count)
}

export function uuid(chance: Chance, place: string): string {
  const hex = hexDigits(chance, place, 32)
  const variant = '89ab'.charAt(parseInt(hex.charAt(16), 16) % 4)
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, `$1-$2-4$3-${variant}$4-`)
}

/** 53 bits that depend on every character: two 32-bit products, mixed at the end. */
function hash53(text: string): number {
  let low = 0x9e3779b9
  let high = 0x85ebca6b
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit, 0x5bd1e995) + low
  }
  low = avalanche(low ^ (high >>> 15))
  high = avalanche(high ^ (low >>> 13))
  return (high >>> 11) * 2 ** 32 + (low >>> 0)
}

function avalanche(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return mixed ^ (mixed >>> 16)
}
