// Keys that exist in the language but have no effect where they stand: why not, and what to write instead.
import type { Json } from '../json/json.ts'
import { BODY_WORDS } from './body-forms/forms.ts'
import type { DocumentPath } from './document.ts'

interface Explanation {
  readonly message: string
  readonly hint: string | null
}

interface Context {
  readonly key: string
  /** The map that holds the key. */
  readonly siblings: Readonly<Record<string, Json>>
  /** The path without the key. */
  readonly parents: DocumentPath
}

/** Explains a key that the JSON Schema forbids at this place by `false`. */
export function explainMisplaced(at: DocumentPath, root: Json): Explanation {
  const parents = at.slice(0, -1)
  const context: Context = {
    key: String(at.at(-1)),
    siblings: mapAt(root, parents),
    parents,
  }
  for (const explain of EXPLANATIONS) {
    const found = explain(context)
    if (found !== null) return typeof found === 'string' ? { message: found, hint: null } : found
  }
  return { message: `"${context.key}" does not belong here`, hint: null }
}

type Explain = (context: Context) => string | Explanation | null

// The first one that has something to say wins.
const EXPLANATIONS: readonly Explain[] = [
  ({ key, siblings }) =>
    key === 'request' && 'steps' in siblings ? '"request" cannot stand next to "steps"' : null,

  ({ key, parents, siblings }) =>
    parents.length === 1 && parents[0] === 'check' && 'request' in siblings
      ? `"${key}" cannot stand next to "request"`
      : null,

  ({ key, parents }) => {
    const action = actionOf(parents)
    if (action === null) return null
    const message = `"${key}" does not belong to ${article(action)} ${action} action`
    const hint = INSTEAD[key]
    return { message, hint: parents.at(-1) === 'response' && hint !== undefined ? hint : null }
  },

  ({ key, siblings }) => {
    const other =
      BODY_WORDS.includes(key) && 'http' in siblings
        ? BODY_WORDS.find((body) => body in siblings)
        : undefined
    return other === undefined ? null : `"${key}" cannot stand next to "${other}"`
  },

  ({ key, parents }) =>
    parents.at(-1) === 'meta' || parents.at(-1) === 'empty_meta'
      ? { message: `"${key}" in meta is written by the engine`, hint: 'choose another name' }
      : null,

  ({ key, parents, siblings }) =>
    parents.at(-1) === 'pagination'
      ? `"${key}" does not belong to type: ${text(siblings['type'])}`
      : null,

  ({ key, siblings }) =>
    'when' in siblings && 'then' in siblings
      ? `"${key}" has no effect with then: ${text(siblings['then'])}`
      : null,

  ({ key, parents, siblings }) =>
    parents.at(-2) === 'wait'
      ? `"${key}" has no effect next to "${WAITS.find((wait) => wait in siblings) ?? ''}"`
      : null,

  ({ key, siblings }) =>
    key === 'authorize' ? `"authorize" does not belong to grant: ${text(siblings['grant'])}` : null,

  ({ key, parents }) => {
    const other = parents.at(-2) === 'related' ? 'json' : OPPOSITES[key]
    return other === undefined ? null : `"${key}" cannot stand next to "${other}"`
  },
]

const WAITS = ['header', 'body', 'constant', 'exponential']

const OPPOSITES: Readonly<Record<string, string>> = { expires: 'ttl', oauth2: 'session' }

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
