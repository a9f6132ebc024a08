// Query, form and header lists run backwards: which pairs on the wire belong to which entry of the manifest.
import type { Json } from '../../language/json/json.ts'
import type { Entry, Style } from '../../language/manifest/manifest.ts'
import type { Reader } from './read-back.ts'
import type { Pair } from './wire-request.ts'

/**
 * Reads the pairs of a query or a form. A pair that no entry can have made, and a fixed entry that is missing, are
 * problems. `others`: names that are read elsewhere (credentials in the query).
 */
export function readEntries(
  reader: Reader,
  entries: readonly Entry[],
  pairs: readonly Pair[],
  others: ReadonlySet<string> = new Set(),
): void {
  const left = new Set(pairs.filter(([name]) => !others.has(name)))
  for (const entry of entries) {
    const own = [...left].filter(([name]) => belongs(name, entry))
    if (own.length === 0) {
      if (reader.isAlwaysSent(entry.value)) reader.problem(entry.name, 'is missing')
      continue
    }
    for (const pair of own) left.delete(pair)
    reader.template(entry.value, valueOf(entry, own), entry.name, entry.style)
  }
  for (const [name] of left) reader.problem(name, 'is unknown')
}

/** Reads the headers that a request template sets. Headers it does not set are of no interest. */
export function readHeaders(
  reader: Reader,
  entries: readonly Entry[],
  headers: Readonly<Record<string, string>>,
): void {
  for (const entry of entries) {
    const value = headers[entry.name.toLowerCase()]
    if (value !== undefined) reader.template(entry.value, value, entry.name, entry.style)
    else if (reader.isAlwaysSent(entry.value)) reader.problem(entry.name, 'is missing')
  }
}

const NESTED: ReadonlySet<Style> = new Set(['brackets', 'indices'])
const SEPARATORS: Readonly<Partial<Record<Style, string>>> = { csv: ',', ssv: ' ', pipe: '|' }

function belongs(name: string, entry: Entry): boolean {
  return name === entry.name || (NESTED.has(entry.style) && name.startsWith(`${entry.name}[`))
}

function valueOf(entry: Entry, pairs: readonly Pair[]): Json {
  const [first] = pairs
  if (NESTED.has(entry.style) && first !== undefined && first[0] !== entry.name) {
    return nest(entry.name, pairs)
  }
  return pairs.length === 1 && first !== undefined ? first[1] : pairs.map(([, value]) => value)
}

/** A list that arrived as one text of a separated style; undefined when the style separates nothing. */
export function splitList(text: string, style: Style): readonly string[] | undefined {
  const separator = SEPARATORS[style]
  return separator === undefined ? undefined : text.split(separator)
}

type Tree = Map<string, Tree | string>

/** `f[a][b]=1`, `f[]=1` and `f[0]=1` as nested objects and lists of texts. */
function nest(name: string, pairs: readonly Pair[]): Json {
  const root: Tree = new Map()
  for (const [key, value] of pairs) {
    const steps = [...key.slice(name.length).matchAll(/\[([^\]]*)\]/g)].map(
      ([, step]) => step ?? '',
    )
    let tree = root
    for (const [index, step] of steps.entries()) {
      const member = step === '' ? String(tree.size) : step
      if (index === steps.length - 1) tree.set(member, value)
      else tree = branch(tree, member)
    }
  }
  return toJson(root)
}

function branch(tree: Tree, member: string): Tree {
  const present = tree.get(member)
  if (present instanceof Map) return present
  const fresh: Tree = new Map()
  tree.set(member, fresh)
  return fresh
}

function toJson(tree: Tree | string): Json {
  if (typeof tree === 'string') return tree
  const members = [...tree].map(([name, value]) => [name, toJson(value)] as const)
  return members.every(([name], index) => name === String(index))
    ? members.map(([, value]) => value)
    : Object.fromEntries(members)
}
