// The input of tools: what they add to the parameters of an action, and what is refused.
import { ConnectorError, type Problem } from '../errors.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import { nearest } from '../language/manifest/suggest.ts'

/** Paths of the fields to answer. */
export const FIELDS = 'answer_fields'
/** Where the answer before ended. */
export const CURSOR = 'answer_cursor'

export const FIELDS_SCHEMA: JsonObject = {
  type: 'array',
  items: { type: 'string' },
  description: 'Only these fields of the answer, as paths: id, fields.summary.',
}

/** Paths of fields; null for all of them. Throws `params_invalid`. */
export function readFields(value: Json | undefined): readonly string[] | null {
  if (value === undefined || value === null) return null
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return value.length === 0 ? null : value
  throw wrongInput(FIELDS, 'must be a list of paths such as ["id", "fields.summary"]')
}

/** The cursor of an answer; null for the first. Throws `params_invalid`. */
export function readCursor(value: Json | undefined): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'string') return value
  throw wrongInput(CURSOR, 'must be the answer_cursor of the previous answer')
}

/** `params_invalid` for one member of a tool's input. */
export function wrongInput(
  member: string,
  detail: string,
  allowed?: readonly unknown[],
): ConnectorError {
  const pointer = `/${member}`
  return new ConnectorError('params_invalid', `${pointer}: ${detail}`, {
    errors: [{ pointer, code: 'input', detail, ...(allowed === undefined ? {} : { allowed }) }],
  })
}

/**
 * Throws `params_invalid` with every member of `given` that the closed schema of a tool does not name.
 *
 * `hintFor` says more of a member than the nearest name can: where it belongs. Null: nothing more is known.
 */
export function requireKnown(
  given: JsonObject,
  schema: JsonObject,
  hintFor: (member: string) => string | null = () => null,
): void {
  const { properties } = schema
  const allowed = isJsonObject(properties) ? Object.keys(properties) : []
  const problems = Object.keys(given)
    .filter((member) => !allowed.includes(member))
    .map((member): Problem => {
      const near = meant(member, allowed)
      const way = hintFor(member) ?? (near === null ? null : `did you mean "${near}"?`)
      const detail = way === null ? 'unknown member' : `unknown member; ${way}`
      return { pointer: `/${member}`, code: 'unknown', detail, allowed }
    })
  const [first] = problems
  if (first === undefined) return
  throw new ConnectorError('params_invalid', `${first.pointer}: ${first.detail}`, {
    errors: problems,
  })
}

/** The name that was meant: one that ends in it or that it ends in (`fields`, `answer_fields`), or the nearest. */
export function meant(name: string, allowed: readonly string[]): string | null {
  const longer = allowed.find((each) => each.endsWith(`_${name}`) || name.endsWith(`_${each}`))
  return longer ?? nearest(name, allowed)
}
