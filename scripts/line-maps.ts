// Source maps by lines: the first place of each line that is generated, and nothing of the names. What an error's stack
// names is a line, and a map of every word is as large as the code.

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The part of a source map (version 3) that this program reads. */
export interface SourceMap {
  readonly mappings: string
  readonly names: readonly string[]
}

/** The map with one place for each line. */
export function byLines<T extends SourceMap>(map: T): T {
  // Columns begin at 0 in each line; all else is told by its difference from the place before.
  const place = [0, 0, 0]
  const written = [0, 0, 0]
  const lines = map.mappings.split(';').map((line) => {
    let column = 0
    let first: string | null = null
    for (const segment of line.split(',')) {
      const [step = 0, ...steps] = decoded(segment)
      column += step
      if (steps.length < 3) continue
      place.forEach((value, index) => (place[index] = value + (steps[index] ?? 0)))
      if (first !== null) continue
      first = [column, ...place.map((value, index) => value - (written[index] ?? 0))]
        .map(encoded)
        .join('')
      place.forEach((value, index) => (written[index] = value))
    }
    return first ?? ''
  })
  return { ...map, mappings: lines.join(';'), names: [] }
}

/** Base64 VLQ: five bits a digit, the lowest first, the sign in the lowest of all. */
function decoded(segment: string): readonly number[] {
  const values: number[] = []
  let value = 0
  let shift = 0
  for (const character of segment) {
    const digit = DIGITS.indexOf(character)
    value += (digit & 31) << shift
    shift += 5
    if ((digit & 32) !== 0) continue
    values.push((value & 1) === 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return values
}

function encoded(value: number): string {
  let left = value < 0 ? (-value << 1) | 1 : value << 1
  let text = ''
  do {
    const digit = left & 31
    left >>= 5
    text += DIGITS[left > 0 ? digit | 32 : digit]
  } while (left > 0)
  return text
}
