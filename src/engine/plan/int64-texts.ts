// Text of digits where a parameter is an integer of 64 bits: a record's id goes back as it came.
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { nativeJson } from '../../language/json/native-json.ts'
import { own } from '../../language/json/own.ts'
import { isInt64, typeNamesOf } from '../../language/manifest/json-schema.ts'
import type { JsonSchema } from '../../language/manifest/manifest.ts'

type Read = (value: Json) => Json

/**
 * Compiles the reading of 64-bit integers in a value: text of digits becomes the integer, with all its digits, where the
 * schema has an integer of `format: int64` and no text. Everything else stays as it is, and so does a text that is no
 * such integer (leading zeros, more than 64 bits), for the validation to refuse. What needs no change comes back as
 * itself. Null where the schema has no such integer.
 */
export function compileInt64Texts(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): Read | null {
  return compile(schema, { definitions, known: new Map() })
}

interface Context {
  readonly definitions: Readonly<Record<string, JsonSchema>>
  /** Shapes by name: one that holds itself is compiled once. */
  readonly known: Map<string, { read: Read | null }>
}

function compile(schema: Json | undefined, context: Context): Read | null {
  if (!isJsonObject(schema)) return null
  const reference = schema['$ref']
  if (typeof reference === 'string')
    return compileShape(reference.replace('#/definitions/', ''), context)
  const reads = [
    isInt64(schema) && !typeNamesOf(schema).includes('string') ? readText : null,
    compileElements(schema, context),
    compileMembers(schema, context),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((word) => {
      const branches = schema[word]
      return Array.isArray(branches) ? branches.map((branch: Json) => compile(branch, context)) : []
    }),
  ].filter((read) => read !== null)
  if (reads.length === 0) return null
  return (value) => reads.reduce((current, read) => read(current), value)
}

function compileShape(name: string, context: Context): Read | null {
  const known = context.known.get(name)
  // Whether a shape inside itself has such integers is known once it is compiled.
  if (known !== undefined) return (value) => known.read?.(value) ?? value
  const shape: { read: Read | null } = { read: null }
  context.known.set(name, shape)
  shape.read = compile(context.definitions[name], context)
  return shape.read
}

function compileElements(schema: JsonObject, context: Context): Read | null {
  const read = compile(schema['items'], context)
  if (read === null) return null
  return (value) => (Array.isArray(value) ? mapShared(value, read) : value)
}

function mapShared(list: readonly Json[], read: Read): readonly Json[] {
  const changed = list.map(read)
  return changed.every((element, index) => element === list[index]) ? list : changed
}

function compileMembers(schema: JsonObject, context: Context): Read | null {
  const named = new Map<string, Read>()
  const properties = schema['properties']
  for (const [name, member] of Object.entries(isJsonObject(properties) ? properties : {})) {
    const read = compile(member, context)
    if (read !== null) named.set(name, read)
  }
  const others = compile(schema['additionalProperties'], context)
  if (named.size === 0 && others === null) return null
  return (value) => {
    if (!isJsonObject(value)) return value
    const entries = Object.entries(value).map(([name, member]) => {
      const read = named.get(name) ?? (own(properties, name) === undefined ? others : null)
      return [name, read === null ? member : read(member)] as const
    })
    const isSame = entries.every(([name, member]) => member === value[name])
    return isSame ? value : Object.fromEntries(entries)
  }
}

/** As JSON writes an integer, of at most 19 digits. */
const DIGITS = /^(?:0|-?[1-9]\d{0,18})$/

function readText(value: Json): Json {
  if (typeof value !== 'string' || !DIGITS.test(value)) return value
  const integer = BigInt(value)
  if (BigInt.asIntN(64, integer) !== integer) return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : nativeJson.rawJSON(value)
}
