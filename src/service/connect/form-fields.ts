// Schema of credentials or settings ↔ fields of a form.
import { fieldWords } from '../../display/field-words.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import { typeNamesOf } from '../../language/manifest/json-schema.ts'
import type { InputSchema, JsonSchema } from '../../language/manifest/manifest.ts'
import { isAskedFor } from '../../language/manifest/shown-texts.ts'

export type FieldKind = 'text' | 'secret' | 'number' | 'yes_no' | 'choice' | 'lines' | 'json'

export interface FormField {
  /** Of the input: `credentials.access_key`. */
  readonly name: string
  /** Where problems of it point to: `/credentials/access_key`. */
  readonly pointer: string
  readonly member: string
  readonly label: string
  /** What helps with it, text by text as the manifest has them. */
  readonly helps: readonly string[]
  /** What a value looks like, in words; null: the manifest does not say. */
  readonly form: string | null
  /** Where the third party says how to get the value; null: the manifest does not know. */
  readonly docs: string | null
  /** A value as it looks; null: the manifest has none. */
  readonly example: string | null
  /** What its value has to be. */
  readonly schema: JsonObject
  readonly kind: FieldKind
  readonly required: boolean
  readonly choices: readonly Json[]
  /** What is used when nothing is entered; null: nothing. */
  readonly fallback: string | null
  readonly inputType: 'email' | 'url' | 'text'
}

export type Typed = Readonly<Record<string, string>>

/**
 * The fields of an object's schema that end users are asked for, required ones first. `method`: of those who see the form;
 * null: they have none.
 */
export function formFields(
  group: 'credentials' | 'config',
  input: InputSchema,
  { definitions, method = null }: FieldsOf,
): readonly FormField[] {
  const { schema } = input
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : []
  const fields = Object.entries(properties as Readonly<Record<string, JsonObject>>)
    .map(([member, each]) => [member, resolved(each, definitions)] as const)
    .filter(([, schema]) => isAskedFor(schema))
    .map(([member, schema]) =>
      fieldOf(`${group}/${member}`, schema, { isRequired: required.includes(member), method }),
    )
  return fields.toSorted((a, b) => Number(b.required) - Number(a.required))
}

interface FieldsOf {
  readonly definitions: Readonly<Record<string, JsonSchema>>
  readonly method?: string | null
}

function fieldOf(
  path: string,
  schema: JsonObject,
  { isRequired, method }: { readonly isRequired: boolean; readonly method: string | null },
): FormField {
  const member = path.slice(path.indexOf('/') + 1)
  const kind = kindOf(schema)
  const fallback = schema['default']
  const format = schema['format']
  const { label, help } = fieldWords(member, schema['description'])
  const forMethod = method === null ? null : own(schema['help_for'], method)
  const form = typeof schema['form'] === 'string' ? schema['form'] : null
  const helps = [help, form, schema['help'], forMethod]
  return {
    name: path.replace('/', '.'),
    pointer: `/${path}`,
    member,
    label,
    helps: helps.filter((text) => typeof text === 'string'),
    form,
    docs: typeof schema['docs'] === 'string' ? schema['docs'] : null,
    example: typeof schema['example'] === 'string' ? schema['example'] : null,
    schema,
    kind,
    required: isRequired && fallback === undefined && kind !== 'yes_no',
    choices: kind === 'choice' ? choicesOf(schema) : [],
    fallback: fallback === undefined || fallback === null ? null : textOf(fallback),
    inputType: format === 'email' ? 'email' : format === 'uri' ? 'url' : 'text',
  }
}

function resolved(
  schema: JsonObject,
  definitions: Readonly<Record<string, JsonSchema>>,
): JsonObject {
  const { $ref: reference, ...own } = schema
  if (typeof reference !== 'string') return schema
  const target = definitions[reference.replace('#/definitions/', '')]
  return target === undefined ? own : { ...resolved(target, definitions), ...own }
}

function typesOf(schema: JsonObject): readonly string[] {
  return typeNamesOf(schema).filter((type) => type !== 'null')
}

function choicesOf(schema: JsonObject): readonly Json[] {
  const choices = schema['enum']
  return Array.isArray(choices) ? choices.filter((value) => value !== null) : []
}

function kindOf(schema: JsonObject): FieldKind {
  const types = typesOf(schema)
  if (choicesOf(schema).length > 0) return 'choice'
  if (schema['writeOnly'] === true) return 'secret'
  // A text, or a list of them: a text is enough for both.
  if (types.length === 0 || types.includes('string')) return 'text'
  if (types.every((type) => type === 'integer' || type === 'number')) return 'number'
  if (types.every((type) => type === 'boolean')) return 'yes_no'
  const items = schema['items']
  if (types.includes('array') && isJsonObject(items) && typesOf(items).includes('string'))
    return 'lines'
  return 'json'
}

/** A value as its field shows it. Lists of texts are separated by `between`. */
export function textOf(value: Json, between = ', '): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return value.join(between)
  return JSON.stringify(value)
}

/** What is typed, for fields that show these values. */
export function typedOf(fields: readonly FormField[], values: JsonObject): Typed {
  return Object.fromEntries(
    fields.flatMap(({ name, member, kind }) => {
      const value = values[member]
      return value === undefined || value === null || kind === 'secret'
        ? []
        : [[name, textOf(value, kind === 'lines' ? '\n' : ', ')]]
    }),
  )
}

/**
 * The object that was typed: a field that was left empty is absent. What cannot be read as its kind stays text, so that
 * the manifest's own check says what is wrong with it.
 */
export function valuesOf(fields: readonly FormField[], typed: Typed): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const given = typed[field.name]
      if (field.kind === 'yes_no') {
        const isYes = given === 'true'
        return isYes || field.fallback === 'true' ? [[field.member, isYes]] : []
      }
      // Blanks around a secret may belong to it.
      const text = field.kind === 'secret' ? given : given?.trim()
      return text === undefined || text === ''
        ? []
        : [[field.member, READ[field.kind](text, field)]]
    }),
  )
}

const READ: Readonly<Record<FieldKind, (text: string, field: FormField) => Json>> = {
  text: (text) => text,
  secret: (text) => text,
  yes_no: (text) => text === 'true',
  number: (text) => (Number.isFinite(Number(text)) ? Number(text) : text),
  choice: (text, { choices }) => choices.find((choice) => textOf(choice) === text) ?? text,
  lines: (text) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  json: (text) => readJson(text),
}

function readJson(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    // The manifest's check says what it should be.
    return text
  }
}
