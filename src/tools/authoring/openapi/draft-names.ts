// Names of a vendor's document as names of the manifest language.
import { RESERVED } from '../../../language/manifest/lint/names.ts'

/** `GiftCards` → `gift_cards`; a reserved name gets an underscore and `item`. */
export function entityName(text: string): string {
  const name = snake(text)
  const safe = /^[a-z]/.test(name) ? name : `entity_${name}`
  return (RESERVED.has(safe) ? `${safe}_item` : safe).slice(0, 64)
}

/** `giftCards` → `gift_cards`. */
export function snake(text: string): string {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
}

/** A parameter's name: the wire's where it can be written in an expression, else one like it. */
export function parameterName(wire: string): string {
  if (/^[A-Za-z][A-Za-z0-9_-]*$/.test(wire)) return wire
  const name = wire.replaceAll(/[^A-Za-z0-9_-]+/g, '_').replaceAll(/^_+|_+$/g, '')
  return /^[A-Za-z]/.test(name) ? name : `param_${name}`
}

/** The literal segments of a path without versions, and whether it ends in a parameter. */
export function partsOf(path: string): {
  readonly words: readonly string[]
  readonly endsInId: boolean
} {
  const segments = path.split('/').filter((segment) => segment !== '')
  const words = segments.filter(
    (segment) => !segment.startsWith('{') && !/^(api|v\d+(\.\d+)?)$/i.test(segment),
  )
  return { words, endsInId: segments.at(-1)?.startsWith('{') === true }
}
