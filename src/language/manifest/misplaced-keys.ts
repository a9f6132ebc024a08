// Keys that exist in the language but have no effect where they stand: why not, and what to write instead.
import type { Json } from '../json/json.ts'
import { BODY_WORDS } from './body-forms/forms.ts'
import type { DocumentPath } from './document.ts'

interface Explanation {
  readonly message: string
  readonly hint: string | null
}

/** Explains a key that the JSON Schema forbids at this place by `false`. */
export function explainMisplaced(at: DocumentPath, root: Json): Explanation {
  const parents = at.slice(0, -1)
  const key = String(at.at(-1))
  const found = explain(key, mapAt(root, parents), parents) ?? `"${key}" does not belong here`
  return typeof found === 'string'
    ? { message: found, hint: 'remove one of the two, or move it' }
    : { ...found, hint: found.hint ?? 'remove it' }
}

/** The first reason that holds. `siblings`: the map that holds the key. `parents`: the path to the map. */
function explain(
  key: string,
  siblings: Readonly<Record<string, Json>>,
  parents: DocumentPath,
): string | Explanation | null {
  const inside = parents.at(-1)
  if (key === 'request' && 'steps' in siblings) return '"request" cannot stand next to "steps"'
  if (parents.length === 1 && inside === 'check' && 'request' in siblings)
    return `"${key}" cannot stand next to "request"`
  const action = actionOf(parents)
  if (action !== null) {
    const message = `"${key}" does not belong to ${article(action)} ${action} action`
    return { message, hint: inside === 'response' ? (INSTEAD[key] ?? null) : null }
  }
  const body = BODY_WORDS.find((word) => word in siblings)
  if (BODY_WORDS.includes(key) && 'http' in siblings && body !== undefined)
    return `"${key}" cannot stand next to "${body}"`
  if (inside === 'meta' || inside === 'empty_meta')
    return { message: `"${key}" in meta is written by the engine`, hint: 'choose another name' }
  if (inside === 'pagination') return `"${key}" does not belong to type: ${text(siblings['type'])}`
  if ('when' in siblings && 'then' in siblings)
    return `"${key}" has no effect with then: ${text(siblings['then'])}`
  if (parents.at(-2) === 'wait')
    return `"${key}" has no effect next to "${WAITS.find((wait) => wait in siblings) ?? ''}"`
  if (key === 'authorize') return `"authorize" does not belong to grant: ${text(siblings['grant'])}`
  const opposite =
    parents.at(-2) === 'related' ? 'json' : OPPOSITES[key]?.find((each) => each in siblings)
  return opposite === undefined ? null : `"${key}" cannot stand next to "${opposite}"`
}

const WAITS = ['header', 'body', 'constant', 'exponential']

const OPPOSITES: Readonly<Record<string, readonly string[]>> = {
  expires: ['ttl'],
  oauth2: ['session', 'after_token'],
  oauth1: ['session', 'oauth2'],
}

const INSTEAD: Readonly<Record<string, string>> = {
  records: 'write "record"',
  record: 'write "records"',
}

/** The action whose map, or whose `response`, the path leads to. */
function actionOf(parents: DocumentPath): string | null {
  const path = parents.at(-1) === 'response' ? parents.slice(0, -1) : parents
  return path.length === 4 && path[0] === 'entities' && path[2] === 'actions'
    ? String(path[3])
    : null
}

function article(word: string): string {
  return /^[aeiou]/.test(word) ? 'an' : 'a'
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

function mapAt(root: Json, path: DocumentPath): Readonly<Record<string, Json>> {
  let value: unknown = root
  for (const step of path) value = (value as Record<string | number, unknown>)[step] // the schema error came from there
  return value as Record<string, Json>
}
