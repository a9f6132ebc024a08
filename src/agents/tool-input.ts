// What tools add to the parameters of an action, read from what an agent gave.
import { ConnectorError } from '../errors.ts'
import type { Json } from '../language/json/json.ts'

/** Paths of the fields to answer. */
export const FIELDS = 'answer_fields'
/** Where the answer before ended. */
export const CURSOR = 'answer_cursor'

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
