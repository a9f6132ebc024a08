// Names of a vendor's document as names of the manifest language.
import { type ActionName, VENDOR_SEARCH } from '../../../language/manifest/actions.ts'
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
  const words = segments
    .map((segment) => segment.replace(/\.json$/, ''))
    .filter((segment) => !segment.startsWith('{') && !VERSION.test(segment))
  return { words, endsInId: segments.at(-1)?.startsWith('{') === true }
}

const VERSION = /^(api|rest|v\d+(\.\d+)*|\d{4}-\d{2}-\d{2})$/i
const VERBS: Readonly<Record<string, ActionName>> = {
  list: 'list',
  get: 'get',
  info: 'get',
  create: 'create',
  update: 'update',
  delete: 'delete',
  remove: 'delete',
  search: VENDOR_SEARCH,
}

/** What a path names: a thing by its words, and the verb of vendors that write one (`users.list`, `/users/get`). */
export interface Named {
  readonly words: readonly string[]
  readonly verb: ActionName | null
  readonly endsInId: boolean
}

/** Null: the path has no name. */
export function namedBy(path: string): Named | null {
  const { words: segments, endsInId } = partsOf(path)
  // `/chat.postMessage` is a method of a thing; `/v1.0/me` was a version.
  const words = segments.flatMap((word) =>
    /^[a-z][\w]*(\.[\w]+)+$/i.test(word) ? word.split('.') : word,
  )
  const last = words.at(-1)
  if (last === undefined) return null
  const verb = endsInId || words.length < 2 ? undefined : VERBS[last.toLowerCase()]
  if (verb !== undefined) return { words: words.slice(0, -1), verb, endsInId }
  const [first = ''] = words
  if (words.length > 1 && first.toLowerCase() === 'search')
    return { words: words.slice(1), verb: VENDOR_SEARCH, endsInId }
  return { words, verb: last.toLowerCase() === 'search' ? VENDOR_SEARCH : null, endsInId }
}

/** One thing of a vendor: the paths with the same words. */
export interface Thing {
  readonly words: readonly string[]
  readonly hasItem: boolean
  readonly hasCollection: boolean
}

/** An entity for each thing: the short names go to those with a path for one and a path for all, then to shorter paths. */
export function entityNames(things: readonly Thing[]): ReadonlyMap<Thing, string> {
  const rank = ({ hasItem, hasCollection }: Thing): number =>
    Number(hasItem) + Number(hasItem && hasCollection)
  const ranked = things.toSorted((a, b) => rank(b) - rank(a) || a.words.length - b.words.length)
  const names = new Map<Thing, string>()
  const taken = new Set<string>()
  for (const thing of ranked) {
    const { words } = thing
    const candidates = words.map((_word, at) => words.slice(words.length - 1 - at).join('_'))
    const wanted = [...candidates, `all_${words.join('_')}`].map(entityName)
    const free = wanted.find((name) => !taken.has(name)) ?? `${wanted[0]}_${taken.size}`
    taken.add(free)
    names.set(thing, free)
  }
  return names
}
