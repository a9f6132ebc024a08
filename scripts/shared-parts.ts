// Parts of a manifest that are written once, wherever they stand: the error rules of every action, for example, are the same.
import type { Json } from '../src/language/json/json.ts'
import { PLACE, type Packed } from '../src/client/prebuilt.ts'

/** Shorter ones cost as much as what names their place. */
const MIN_LENGTH = 64

/** A value with each part that occurs twice or more in `parts`, the inner ones first. Text and numbers are left where they are. */
export function packed(value: object): Packed {
  const counts = new Map<string, number>()
  const count = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    if (Object.hasOwn(part, PLACE)) throw new Error(`a manifest has a member "${PLACE}"`)
    const text = JSON.stringify(part)
    const known = counts.get(text) ?? 0
    counts.set(text, known + 1)
    // What is in a part that was seen is written once with it.
    if (known === 0) Object.values(part).forEach(count)
  }
  count(value)
  const parts: Json[] = []
  const places = new Map<string, number>()
  const write = (part: unknown): Json => {
    if (typeof part !== 'object' || part === null) return part as Json
    const text = JSON.stringify(part)
    const known = places.get(text)
    if (known !== undefined) return { [PLACE]: known }
    const written = (
      Array.isArray(part)
        ? part.map(write)
        : Object.fromEntries(Object.entries(part).map(([name, each]) => [name, write(each)]))
    ) as Json
    if ((counts.get(text) ?? 0) < 2 || text.length < MIN_LENGTH) return written
    places.set(text, parts.push(written) - 1)
    return { [PLACE]: parts.length - 1 }
  }
  return { value: write(value), parts }
}
