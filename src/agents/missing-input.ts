// What a call lacks that a person can type: for hosts that ask their user for it.
import { amendError, type ConnectorError } from '../errors.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import { pathIn } from '../language/json/pointer.ts'
import { typeNamesOf } from '../language/manifest/json-schema.ts'
import type { InputPlaces } from './explain-error.ts'
import { plainSchema } from './plain-schema.ts'
import type { ActionRequest } from './run-action.ts'

/** A parameter that must be given, and is a single value. */
export interface MissingInput {
  /** Its place below the params: `issueIdOrKey`, `fields.summary`. */
  readonly name: string
  /** Its place in the input of the tool. */
  readonly path: readonly string[]
  /** Source: Model Context Protocol, "Elicitation", the schemas that a form may have. */
  readonly schema: JsonObject
}

/** Fields of one form. */
const MAX_ASKED = 8

/** The error with the schemas of what is missing in its details, where nothing else is wrong and a person can type it. */
export function withMissing(error: ConnectorError, request: ActionRequest): ConnectorError {
  const { errors, code } = error
  if (code !== 'params_invalid' || errors.length === 0 || errors.length > MAX_ASKED) return error
  const { entity, action } = request
  const params = entity.actions.find((each) => each.action === action)?.params
  if (params === undefined) return error
  const root = plainSchema(params)
  const missing: JsonObject[] = []
  for (const problem of errors) {
    const [top, ...path] = pathIn(problem.pointer)
    const schema = problem.code === 'required' && top === 'params' ? formField(root, path) : null
    if (schema === null) return error
    missing.push({ pointer: problem.pointer, schema })
  }
  return amendError(error, { details: { missing } })
}

/** What `withMissing` found; null: nothing that can be asked for. */
export function missingIn(
  { details }: ConnectorError,
  places: InputPlaces,
): readonly MissingInput[] | null {
  const { missing } = details
  if (!Array.isArray(missing)) return null
  // Written by `withMissing`.
  return (missing as { pointer: string; schema: JsonObject }[]).map(({ pointer, schema }) => ({
    name: pathIn(pointer).slice(1).join('.'),
    path: pathIn(places.at(pointer)),
    schema,
  }))
}

/** The input with values that were typed for what is missing, each at its place. */
export function withTyped(
  input: JsonObject,
  missing: readonly MissingInput[],
  typed: Readonly<Record<string, unknown>>,
): JsonObject {
  return missing.reduce((filled, { name, path }) => {
    const value = typed[name]
    const isValue = ['string', 'number', 'boolean'].includes(typeof value)
    return isValue ? withValueAt(filled, path, value as Json) : filled
  }, input)
}

function withValueAt(
  object: JsonObject,
  [name, ...rest]: readonly string[],
  value: Json,
): JsonObject {
  if (name === undefined) return object
  const inner = object[name]
  if (rest.length === 0) return { ...object, [name]: value }
  return {
    ...object,
    [name]: withValueAt(isJsonObject(inner ?? null) ? (inner as JsonObject) : {}, rest, value),
  }
}

const KEPT = ['title', 'description', 'minLength', 'maxLength', 'minimum', 'maximum', 'default']
const TYPES: readonly string[] = ['string', 'number', 'integer', 'boolean']
const FORMATS: readonly unknown[] = ['email', 'uri', 'date', 'date-time']

/** The schema of a field of a form; null: it is no single value, or a secret, for which no host may ask. */
function formField(root: JsonObject, path: readonly string[]): JsonObject | null {
  let schema: Json = root
  for (const name of path) {
    const properties: Json = isJsonObject(schema) ? (schema['properties'] ?? null) : null
    schema =
      isJsonObject(properties) && Object.hasOwn(properties, name)
        ? (properties[name] ?? null)
        : null
  }
  if (path.length === 0 || !isJsonObject(schema)) return null
  const { format, writeOnly } = schema
  if (writeOnly === true || format === 'password' || format === 'binary') return null
  const [type] = typeNamesOf(schema).filter((each) => each !== 'null')
  if (type === undefined || !TYPES.includes(type)) return null
  const choices = schema['enum']
  const areTexts = Array.isArray(choices) && choices.every((each) => typeof each === 'string')
  return {
    type,
    ...Object.fromEntries(
      KEPT.flatMap((word) => (Object.hasOwn(schema, word) ? [[word, schema[word] ?? null]] : [])),
    ),
    ...(FORMATS.includes(format) ? { format } : {}),
    ...(type === 'string' && areTexts ? { enum: choices } : {}),
  }
}
