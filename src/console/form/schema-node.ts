// What a JSON Schema says about one field of a form.
import { isObject, type Json, type JsonObject, listIn } from '../api/json-text.ts'
import type { Problem } from '../api/problem.ts'

export type FieldKind =
  'text' | 'secret' | 'number' | 'yes_no' | 'choice' | 'object' | 'lines' | 'rows' | 'json' | 'file'

export interface SchemaNode {
  readonly kind: FieldKind
  readonly schema: JsonObject
  readonly description: string | null
  /** The limits in words; empty: none. */
  readonly limits: readonly string[]
  readonly nullable: boolean
  readonly deprecated: boolean
}

/** Reads the schema of a field. `root` holds the definitions that references name. */
export function readNode(given: Json | undefined, root: JsonObject): SchemaNode {
  const schema = resolve(given, root)
  const types = typesOf(schema)
  const kind = kindOf(
    schema,
    types.filter((type) => type !== 'null'),
    root,
  )
  return {
    kind,
    schema,
    description: typeof schema['description'] === 'string' ? schema['description'] : null,
    limits: limitsOf(schema, kind, root),
    nullable: types.includes('null'),
    deprecated: schema['deprecated'] === true,
  }
}

/** The schema with its reference followed; what stands next to the reference wins. */
export function resolve(given: Json | undefined, root: JsonObject): JsonObject {
  if (!isObject(given)) return {}
  const { $ref: reference, ...own } = given
  if (typeof reference !== 'string') return given
  return { ...resolve(definition(root, reference), root), ...own }
}

export function definition(root: JsonObject, reference: string): Json | undefined {
  const name = /^#\/definitions\/(.+)$/.exec(reference)?.[1]
  const { definitions } = root
  return name !== undefined && isObject(definitions) ? definitions[name] : undefined
}

export function propertiesOf(schema: JsonObject): readonly (readonly [string, Json])[] {
  return isObject(schema['properties']) ? Object.entries(schema['properties']) : []
}

export function requiredOf(schema: JsonObject): ReadonlySet<string> {
  const required = schema['required']
  return new Set(Array.isArray(required) ? required.map(String) : [])
}

/** Values of a choice; null: it is none. */
export function choicesOf(schema: JsonObject): readonly Json[] | null {
  if (Array.isArray(schema['enum'])) return schema['enum'].filter((value) => value !== null)
  return schema['const'] === undefined ? null : [schema['const']]
}

export function isOpen(schema: JsonObject): boolean {
  return schema['additionalProperties'] !== false
}

function typesOf(schema: JsonObject): readonly string[] {
  const type = schema['type']
  return Array.isArray(type) ? type.map(String) : typeof type === 'string' ? [type] : []
}

function kindOf(schema: JsonObject, types: readonly string[], root: JsonObject): FieldKind {
  if (choicesOf(schema) !== null) return 'choice'
  if (types.length === 1 && types[0] === 'object')
    return propertiesOf(schema).length === 0 ? 'json' : 'object'
  if (types.length === 1 && types[0] === 'array') return listKind(schema, root)
  if (types.length === 1 && types[0] === 'boolean') return 'yes_no'
  if (types[0] === 'string' && schema['format'] === 'binary') return 'file'
  if (types.length > 0 && types.every((type) => type === 'integer' || type === 'number'))
    return 'number'
  // Money as a number or as text, ids with or without quotes: what looks like a number is sent as one.
  if (types.length > 0 && types.every((type) => ['integer', 'number', 'string'].includes(type)))
    return types.length === 1 ? (schema['writeOnly'] === true ? 'secret' : 'text') : 'number'
  // A text, or a list of them: one line is enough for both.
  if (types.includes('string')) return 'text'
  return 'json'
}

function listKind(schema: JsonObject, root: JsonObject): FieldKind {
  const { kind } = readNode(schema['items'], root)
  if (kind === 'text' || kind === 'number' || kind === 'choice') return 'lines'
  return kind === 'object' ? 'rows' : 'json'
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'a moment such as 2026-11-01T00:00:00Z',
  'iso-time': 'a moment such as 2026-11-01T00:00:00Z, or a day such as 2026-11-01',
  date: 'a day such as 2026-11-01',
  epoch_s: 'seconds since 1970, such as 1793491200',
  epoch_ms: 'milliseconds since 1970, such as 1793491200000',
  duration_s: 'seconds, such as 90',
  duration_ms: 'milliseconds, such as 90000',
  binary: 'a file',
  email: 'an e-mail address',
  uri: 'a URL',
}

function yesNo(value: string | number | bigint | boolean): string {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
}

function counted(count: string): string {
  return count === '1' ? '1 entry' : `${count} entries`
}

function limitsOf(schema: JsonObject, kind: FieldKind, root: JsonObject): readonly string[] {
  const text = (name: string): string | null => {
    const value = schema[name]
    return typeof value === 'number' || typeof value === 'string' ? String(value) : null
  }
  const [min, max] = [text('minimum'), text('maximum')]
  // Where a text will do as well, a list is not what is typed.
  const isList = kind === 'lines' || kind === 'rows' || kind === 'json'
  const [fewest, most] = isList ? [text('minItems'), text('maxItems')] : [null, null]
  const longest = text('maxLength')
  const format = text('format')
  const fallback = schema['default']
  const items = kind === 'lines' ? readNode(schema['items'], root) : null
  return [
    min !== null && max !== null ? `${min} to ${max}` : null,
    min !== null && max === null ? `at least ${min}` : null,
    min === null && max !== null ? `at most ${max}` : null,
    items === null ? null : 'one per line',
    items?.kind === 'choice' ? (choicesOf(items.schema) ?? []).map(String).join(', ') : null,
    fewest !== null && fewest === most ? `exactly ${counted(fewest)}` : null,
    fewest !== null && fewest !== '0' && fewest !== most ? `at least ${counted(fewest)}` : null,
    // Ten thousand is the reader's own bound, not the third party's.
    most !== null && fewest !== most && most !== '10000' ? `at most ${counted(most)}` : null,
    // The same holds for 4096 characters.
    longest !== null && longest !== '4096' ? `at most ${longest} characters` : null,
    format === null ? null : (FORMATS[format] ?? format),
    fallback === undefined || typeof fallback === 'object' ? null : `${yesNo(fallback)} by default`,
  ].filter((limit) => limit !== null)
}

/** A value that a schema offers; undefined: it offers none. */
export function exampleIn(schema: JsonObject): Json | undefined {
  return listIn(schema['examples'])[0] ?? schema['default'] ?? choicesOf(schema)?.[0]
}

/** What a form begins with: what has to be given and leaves no choice, or what `valueIn` takes out of its schema. */
export function firstValue(
  schema: JsonObject,
  root: JsonObject = schema,
  valueIn = ({ const: only }: JsonObject): Json | undefined => only,
): JsonObject {
  const required = requiredOf(schema)
  return Object.fromEntries(
    propertiesOf(schema).flatMap(([name, given]): readonly [string, Json][] => {
      if (!required.has(name)) return []
      const member = resolve(given, root)
      const value = valueIn(member)
      if (value !== undefined) return [[name, value]]
      return readNode(member, root).kind === 'object'
        ? [[name, firstValue(member, root, valueIn)]]
        : []
    }),
  )
}

/** Details by JSON pointer; several of one place in one text. */
export function fieldProblems(problem: Problem | null): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { pointer, detail, allowed } of problem?.body.errors ?? []) {
    const text = allowed === undefined ? detail : `${detail}: ${allowed.map(String).join(', ')}`
    const before = found.get(pointer)
    found.set(pointer, before === undefined ? text : `${before}; ${text}`)
  }
  return found
}

/** The pointers that a form of `schema` at `base` shows itself, so that they need not be told again. */
export function shownPointers(
  problem: Problem | null,
  base: string,
  schema: JsonObject,
): ReadonlySet<string> {
  const pointers = problem?.body.errors.map(({ pointer }) => pointer) ?? []
  return new Set(
    pointers.filter(
      (pointer) =>
        pointer.startsWith(`${base}/`) &&
        hasField(pointer.slice(base.length + 1).split('/'), schema, schema),
    ),
  )
}

function hasField(path: readonly string[], given: JsonObject, root: JsonObject): boolean {
  const [name = '', ...rest] = path
  const schema = resolve(given, root)
  const found = /^\d+$/.test(name)
    ? schema['items']
    : propertiesOf(schema).find(([each]) => each === name)?.[1]
  if (found === undefined) return false
  return rest.length === 0 || hasField(rest, resolve(found, root), root)
}
