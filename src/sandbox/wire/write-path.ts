// `$` paths run backwards: putting a value where the manifest will look for it.
import type { Path } from '../../language/expression/syntax.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { textOf } from './same-scalar.ts'

/** An answer under construction. */
export interface Draft {
  body: Json | undefined
  readonly headers: Record<string, string>
}

/**
 * Writes a value where `path` points, making objects and lists on the way; what stands there already is replaced.
 *
 * `[*]` spreads a list: `$.data[*].node` makes one element per value. `[-1]` is the last element, at least the first.
 * False when the path cannot be written backwards (an index from an expression) or meets a value of another kind.
 */
export function writePath(draft: Draft, path: Path, value: Json): boolean {
  if (path.root === 'headers') {
    const [name] = path.steps
    if (name?.kind !== 'member' || path.steps.length > 1) return false
    draft.headers[name.name.toLowerCase()] =
      typeof value === 'string' ? value : JSON.stringify(value)
    return true
  }
  if (path.root === 'cookies') return writeCookie(draft, path, value)
  if (path.root === 'link') return writeLink(draft, path, value)
  if (path.root !== 'body') return false
  const written = place(draft.body, path.steps, value)
  if (written === undefined) return false
  draft.body = written
  return true
}

/** Several cookies stand in lines of one text until the answer is sent. A path without a name takes any. */
function writeCookie(draft: Draft, { steps: [step] }: Path, value: Json): boolean {
  const name = step?.kind === 'member' ? step.name : 'session'
  const cookie = `${name}=${textOf(value)}; Path=/; HttpOnly`
  const { 'set-cookie': before } = draft.headers
  draft.headers['set-cookie'] = before === undefined ? cookie : `${before}\n${cookie}`
  return true
}

type Steps = Path['steps']

function place(present: Json | undefined, steps: Steps, value: Json): Json | undefined {
  const [step, ...rest] = steps
  if (step === undefined) return value
  switch (step.kind) {
    case 'member':
      return placeMember(present, step.name, rest, value)
    case 'index':
      return placeIndex(present, step.index, rest, value)
    case 'all':
      return placeAll(rest, value)
    case 'computed':
      return undefined
  }
}

function placeMember(
  present: Json | undefined,
  name: string,
  rest: Steps,
  value: Json,
): JsonObject | undefined {
  if (present !== undefined && present !== null && !isJsonObject(present)) return undefined
  const object: JsonObject = present ?? {}
  const inner = place(Object.hasOwn(object, name) ? object[name] : undefined, rest, value)
  return inner === undefined ? undefined : { ...object, [name]: inner }
}

function placeIndex(
  present: Json | undefined,
  index: number,
  rest: Steps,
  value: Json,
): readonly Json[] | undefined {
  if (present !== undefined && present !== null && !Array.isArray(present)) return undefined
  const list: Json[] = [...(present ?? [])]
  const at = index < 0 ? Math.max(0, list.length + index) : index
  while (list.length < at) list.push(null)
  const inner = place(list[at] ?? undefined, rest, value)
  if (inner === undefined) return undefined
  list[at] = inner
  return list
}

function placeAll(rest: Steps, value: Json): readonly Json[] | undefined {
  const elements: readonly Json[] = Array.isArray(value) ? value : [value]
  const placed = elements.map((element) => place(undefined, rest, element))
  return placed.every((element) => element !== undefined) ? placed : undefined
}

/** `$link.next` is a URL of that relation; `$link.next.results` an attribute next to it. */
function writeLink(draft: Draft, path: Path, value: Json): boolean {
  const names = path.steps.map((step) => (step.kind === 'member' ? step.name : null))
  const [relation, attribute] = names
  if (typeof relation !== 'string' || attribute === null) return false
  const links = (draft.headers['link'] ?? '').split(', ').filter((link) => link !== '')
  const own = links.find((link) => link.includes(`rel="${relation}"`)) ?? `<>; rel="${relation}"`
  const written =
    attribute === undefined
      ? own.replace(/^<[^>]*>/, `<${textOf(value)}>`)
      : `${own}; ${attribute}="${textOf(value)}"`
  draft.headers['link'] = [...links.filter((link) => link !== own), written].join(', ')
  return true
}
