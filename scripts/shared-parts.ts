// Parts of a manifest that are written once, wherever they stand: the error rules of every action, for example, are the
// same; and so are the names of members, which would be most of the text.
import type { Json } from '../src/language/json/json.ts'
import type { Packed } from '../src/client/prebuilt.ts'

/** Shorter ones cost as much as what names their place. */
const MIN_LENGTH = 16

/** A value with each part that occurs twice or more in `parts`, the inner ones first. Text and numbers are left where they are. */
export function packed(value: object): Packed {
  const counts = new Map<string, number>()
  const count = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    const text = JSON.stringify(part)
    const known = counts.get(text) ?? 0
    counts.set(text, known + 1)
    // What is in a part that was seen is written once with it.
    if (known === 0) Object.values(part).forEach(count)
  }
  count(value)
  const parts: Json[] = []
  const places = new Map<string, number>()
  const forms: (readonly string[])[] = []
  const formNumbers = new Map<string, number>()
  const formOf = (names: readonly string[]): number => {
    const key = JSON.stringify(names)
    const form = formNumbers.get(key) ?? forms.push(names)
    formNumbers.set(key, form)
    return form
  }
  const write = (part: unknown): Json => {
    if (typeof part !== 'object' || part === null) return part as Json
    const text = JSON.stringify(part)
    const known = places.get(text)
    if (known !== undefined) return [known]
    const written = Array.isArray(part)
      ? [0, ...part.map(write)]
      : [formOf(Object.keys(part)), ...Object.values(part).map(write)]
    if ((counts.get(text) ?? 0) < 2 || text.length < MIN_LENGTH) return written
    const place = -parts.push(written)
    places.set(text, place)
    return [place]
  }
  return { value: write(value), parts, forms }
}
