// The second phase of loading: the JSON Schema of manifests, and its errors in words a connector author understands.
import type { ErrorObject, ValidateFunction } from 'ajv'
import type { Json, JsonObject } from '../json/json.ts'
import { isJsonObject } from '../json/members.ts'
import { pathIn } from '../json/pointer.ts'
import { manifestSchema } from '../../late-modules.ts'
import { type DocumentPath, type ManifestDocument, problemAt } from './document.ts'
import { kindOf as operationOf } from './actions.ts'
import { explainMisplaced } from './misplaced-keys.ts'
import { inFileOrder, type ManifestProblem } from './problem.ts'
import { PATTERN_WORDS, UNREADABLE_KEYWORDS } from './schema-words.ts'
import { inWords, nearest, suggestion } from './suggest.ts'
import { translated } from './foreign-words.ts'
import { compileSchema } from './validator.ts'
import { explainKeyword, kindName, membersOf } from './value-problems.ts'
import { fits } from './verdict.ts'

/**
 * Checks a document against schemas/manifest.schema.json: one finding per mistake, in file order.
 *
 * Rules: `schema/unknown-key`, `schema/missing-key`, `schema/misplaced-key`, `schema/type`, `schema/value`,
 * `schema/form`.
 */
export function checkSchema(document: ManifestDocument): readonly ManifestProblem[] {
  if (isManifest(document.value)) return []
  const validate = validator()
  validate(document.value)
  const findings = (validate.errors ?? []).flatMap((error) => translate(error, document))
  return inFileOrder(onePerMistake(findings).map((finding) => problemAt(document, finding)))
}

/** Whether a document fits the JSON Schema of manifests, and nothing more. */
export function isManifest(document: unknown): boolean {
  const schema = readSchema()
  // A map of schemas.
  const definitions = schema['definitions'] as Readonly<Record<string, JsonObject>>
  return fits(schema, definitions, document) ?? validator()(document)
}

/** The JSON Schema of manifests, as it is shipped. */
export function readSchema(): JsonObject {
  // A file of JSON.
  return manifestSchema() as JsonObject
}

let compiled: ValidateFunction | null = null

function validator(): ValidateFunction {
  compiled ??= compileSchema(readSchema(), { allErrors: true })
  return compiled
}

interface Finding {
  readonly at: DocumentPath
  readonly part: 'key' | 'value'
  readonly rule: string
  readonly message: string
  readonly hint: string | null
  /** Of two findings at one place the one with the higher weight says more. */
  readonly weight: number
  /** The key that is missing, for findings of that kind. */
  readonly missing?: string
  /** Whether it holds only because of what else the map has (if, dependencies). */
  readonly conditional?: boolean
}

/** Ajv checks one value several times (conditions, references): what follows from another finding is left out. */
function onePerMistake(findings: readonly Finding[]): readonly Finding[] {
  const places = new Map<string, Finding>()
  for (const finding of joinMissing(withoutTypos(findings))) {
    const key = placeKey(finding.at)
    const other = places.get(key)
    if (other === undefined || other.weight < finding.weight) places.set(key, finding)
  }
  const strangers = [...places.values()].filter((finding) => finding.weight === WEIGHT.stranger)
  return [...places.values()].filter(
    (finding) => !strangers.some((stranger) => isBelow(finding.at, stranger.at)),
  )
}

/** What is missing or out of place next to a key of nearly the right name is the same mistake. */
function withoutTypos(findings: readonly Finding[]): readonly Finding[] {
  const typos = findings.filter(
    ({ rule, hint }) => rule === 'schema/unknown-key' && hint?.startsWith('did you mean') === true,
  )
  const moved = findings.filter(
    ({ hint }) => hint !== null && /^put it under|: move it to column/.test(hint),
  )
  return findings.filter((finding) => {
    const { at, missing, conditional } = finding
    // The missing key stands in the wrong column, or what belongs below it does.
    const isMoved = moved.some(
      (other) =>
        isBelow(other.at, at) &&
        (other.at.at(-1) === missing || other.hint?.includes(` under ${missing}:`)),
    )
    if (missing !== undefined && isMoved) return false
    const map = missing === undefined ? at.slice(0, -1) : at
    return !typos.some((typo) => {
      if (typo === finding || placeKey(typo.at.slice(0, -1)) !== placeKey(map)) return false
      const meant = missing !== undefined && nearest(String(typo.at.at(-1)), [missing]) !== null
      return meant || conditional === true
    })
  })
}

/** All keys that are missing at one place, in one finding. */
function joinMissing(findings: readonly Finding[]): readonly Finding[] {
  const joined = new Map<string, Finding>()
  const others: Finding[] = []
  for (const finding of findings) {
    if (finding.missing === undefined) {
      others.push(finding)
      continue
    }
    const key = placeKey(finding.at)
    const names = joined.get(key)?.missing?.split(', ') ?? []
    if (names.includes(finding.missing)) continue
    const missing = [...names, finding.missing]
    const verb = missing.length === 1 ? 'is' : 'are'
    const list = missing.map((name) => `"${name}"`).join(' and ')
    joined.set(key, {
      ...finding,
      missing: missing.join(', '),
      message: `${list} ${verb} missing${finding.at.length === 0 ? '' : ` in ${nameOf(finding.at)}`}`,
    })
  }
  return [...others, ...joined.values()]
}

const WEIGHT = { stranger: 5, kind: 4, value: 3, form: 2, missing: 1 } as const

function translate(error: ErrorObject, document: ManifestDocument): readonly Finding[] {
  const at = toPath(error.instancePath, document.value)
  if (error.propertyName !== undefined) {
    // Of a key that is wrong in itself Ajv says so a second time, as propertyNames.
    if (error.keyword === 'propertyNames') return []
    return [nameFinding(error, [...at, error.propertyName])]
  }
  const known = Object.hasOwn(TRANSLATIONS, error.keyword) ? TRANSLATIONS[error.keyword] : OTHER
  const conditional = /\/(then|else|dependencies)(\/|$)/.test(error.schemaPath)
  return (known?.(error, at, document) ?? []).map((finding) => ({ ...finding, conditional }))
}

type Translation = (
  error: ErrorObject,
  at: DocumentPath,
  document: ManifestDocument,
) => readonly Finding[]

function about(
  at: DocumentPath,
  [kind, weight]: readonly [kind: string, weight: number],
  message: string,
  hint: string | null = null,
): readonly Finding[] {
  return [{ at, part: 'value', rule: `schema/${kind}`, message, hint, weight }]
}

const KIND = ['type', WEIGHT.kind] as const
const VALUE = ['value', WEIGHT.value] as const
const TWICE = ['value', WEIGHT.form] as const
const FORM = ['form', WEIGHT.form] as const

const TRANSLATIONS: Readonly<Record<string, Translation>> = {
  if: () => [],
  propertyNames: () => [],

  additionalProperties: (error, at, document) => {
    const name = String(error.params['additionalProperty'])
    return [unknownKey(name, [...at, name], error.parentSchema, document)]
  },

  required: (error, at) => {
    const missing = String(error.params['missingProperty'])
    const common = { part: 'key', rule: 'schema/missing-key' } as const
    const hint = `add ${missing}: … below it; a line that stands too far right or left is read as part of another block`
    return [{ ...common, at, hint, message: '', weight: WEIGHT.missing, missing }]
  },

  dependencies: (error, at) => {
    const { property = '', missingProperty } = error.params as Record<string, string>
    const message = `"${property}" needs "${missingProperty}" next to it`
    const hint = `add ${missingProperty}: …, or remove ${property}`
    const common = { part: 'key', rule: 'schema/missing-key', hint } as const
    return [{ ...common, at: [...at, property], message, weight: WEIGHT.value }]
  },

  'false schema': (_error, at, document) => {
    const said = explainMisplaced(at, document.value)
    return [{ at, part: 'key', rule: 'schema/misplaced-key', ...said, weight: WEIGHT.stranger }]
  },

  type: ({ schema, data, parentSchema }, at, document) => {
    const kinds = [schema].flat().map(String)
    const found = data === null && sourceOf(at, document) === '' ? 'nothing' : kindOf(data)
    const message = `${nameOf(at)} must be ${inWords(kinds.map(kindName))}, not ${found}`
    const isText = kinds.includes('string') && !isCollection(data) && data !== null
    const written = sourceOf(at, document)
    const quoted = isText ? quotedHint(written, parentSchema) : null
    const own = at.at(-1) === 'required' && typeof data === 'boolean' ? requiredHint(at) : null
    return about(at, KIND, message, own ?? quoted ?? shapeOf(kinds))
  },

  enum: ({ schema, data }, at) => {
    const allowed = (schema as readonly Json[]).map(String)
    const near = typeof data === 'string' ? nearest(data, allowed) : null
    const nullWord = data === null && allowed.includes('null') ? 'write "null", in quotes' : null
    const foreign = typeof data === 'string' ? translated(data, allowed) : null
    const known =
      foreign ?? (near === null ? `allowed: ${allowed.join(', ')}` : `did you mean "${near}"?`)
    const hint = nullWord ?? known
    return about(at, VALUE, `${nameOf(at)} cannot be ${print(data)}`, hint)
  },

  const: ({ schema }, at) =>
    about(at, VALUE, `${nameOf(at)} must be ${print(schema)}`, `write ${print(schema)}`),

  pattern: ({ schema }, at) => {
    const { what, hint } = wordsOf(String(schema), `text that matches ${String(schema)}`)
    return about(at, FORM, `${nameOf(at)} must be ${what}`, hint)
  },

  uniqueItems: ({ params }, at) => {
    const second = Math.max(Number(params['i']), Number(params['j']))
    return about(
      [...at, second],
      TWICE,
      'the same value stands in this list twice',
      'remove one of the two',
    )
  },

  maxProperties: ({ schema, data }, at) => {
    if (isJsonObject(data) && Object.hasOwn(data, '$ref'))
      return about(at, FORM, 'a $ref stands alone', 'put what stands next to it into the shape')
    const message = `${nameOf(at)} must have ${String(schema)} key${schema === 1 ? '' : 's'}`
    return about(at, FORM, message, 'begin every further entry with a dash of its own')
  },

  not: (_error, at) => {
    const message = `${nameOf(at)} is a map whose key begins with { or [`
    return about(at, FORM, message, 'put quotes around the expression: "{{ … }}"')
  },
}

const OTHER: Translation = (error, at) => {
  const isEmpty = ['minProperties', 'minItems'].includes(error.keyword) && error.schema === 1
  const said = isEmpty ? 'must not be empty' : explainKeyword(error)
  const bounds =
    error.keyword === 'format' ? 'write it in this form' : 'write a value within these bounds'
  const hint = isEmpty ? 'add an entry, or remove the key' : bounds
  return about(at, FORM, `${nameOf(at)} ${said}`, hint)
}

/** A text that stands without quotes; where they alone would not do, with an example of its form. */
function quotedHint(written: string, schema: unknown): string {
  const pattern = isJsonObject(schema) ? schema['pattern'] : undefined
  const isText = typeof pattern !== 'string' || new RegExp(pattern, 'u').test(written)
  const { hint } = wordsOf(isText ? '' : pattern, '')
  return `put quotes around it: "${written}"${hint === null ? '' : `, in the right form: ${hint}`}`
}

/** `required: true` at a property, as OpenAPI 2 and forms have it. */
function requiredHint(at: DocumentPath): string {
  const name = at.at(-2)
  return at.at(-3) === 'properties'
    ? `remove it, and write required: [${String(name)}] next to properties`
    : 'write the names of the properties: [a, b]'
}

/** How a value of one of these kinds is written. */
function shapeOf(kinds: readonly string[]): string | null {
  if (kinds.includes('array')) return 'write [a, b], or lines that begin with a dash: - a'
  if (kinds.includes('object')) return 'write { name: value }, or indented lines of name: value'
  if (kinds.includes('boolean')) return 'write true or false, without quotes'
  return kinds.includes('integer') || kinds.includes('number')
    ? 'write digits, without quotes'
    : null
}

/** What a value of a pattern is, with an example as the hint. */
function wordsOf(pattern: string, otherwise: string): { what: string; hint: string | null } {
  const { what = otherwise, example } = PATTERN_WORDS[pattern] ?? {}
  return { what, hint: example === undefined ? null : `for example ${example}` }
}

function unknownKey(
  name: string,
  at: DocumentPath,
  parent: unknown,
  document: ManifestDocument,
): Finding {
  const keys = Object.keys(membersOf(parent))
  const finding = { at, part: 'key', rule: 'schema/unknown-key', weight: WEIGHT.stranger } as const
  // Only the schema of schemas knows this key.
  const instead = keys.includes('default_from') ? UNREADABLE_KEYWORDS.get(name) : undefined
  if (instead !== undefined) {
    return { ...finding, message: `schemas of a manifest have no "${name}"`, hint: instead }
  }
  const fitting = withoutMisplaced(name, keys, at, document)
  const hint =
    withoutBlank(name) ??
    translated(name, fitting) ??
    ownPlace(name, at, fitting, document) ??
    twice(name, at, fitting, document) ??
    suggestion(name, fitting)
  return {
    ...finding,
    message: `unknown key "${name}"`,
    hint: hint ?? 'remove it, or move it to the block that has this key',
  }
}

/** The key that is meant is there already: under its name this one would be a second one. */
function twice(
  name: string,
  at: DocumentPath,
  keys: readonly string[],
  document: ManifestDocument,
): string | null {
  const near = nearest(name, keys)
  let block: unknown = document.value
  for (const step of at.slice(0, -1)) block = (block as Record<string | number, unknown>)[step] // a path of this document
  if (near === null || !isJsonObject(block) || !Object.hasOwn(block, near)) return null
  return `"${near}" is there already: move what is below this key into it, or remove it`
}

/** `type:string` is one name to YAML. */
function withoutBlank(name: string): string | null {
  const [, key, value] = /^([A-Za-z_]\w*):([^/\s].*)$/.exec(name) ?? []
  return key === undefined ? null : `a blank belongs behind the colon: ${key}: ${value}`
}

/**
 * A key that the block around this one has, or the block above: the line stands in the wrong column, or lacks a level.
 * Null when a key of nearly this name belongs here.
 */
function ownPlace(
  name: string,
  at: DocumentPath,
  keys: readonly string[],
  document: ManifestDocument,
): string | null {
  const isNear = nearest(name, keys) !== null
  if (isNear) return null
  const owner = BLOCK_KEYS.has(name) ? ownerOf(name, at, document) : null
  if (owner !== null) return owner
  if (keys.includes('properties') && !keys.includes('request'))
    return `put it under properties: { ${name}: … }`
  if (keys.includes('actions') && operationOf(name) !== null)
    return `put it under actions: { ${name}: … }`
  return null
}

/** The action around a key, which could hold it and does not yet: the line stands in a column too far to the right. */
function ownerOf(name: string, at: DocumentPath, document: ManifestDocument): string | null {
  const action = at.slice(0, 4)
  if (at.length < 6 || action[2] !== 'actions') return null
  let block: unknown = document.value
  for (const step of action) block = (block as Record<string | number, unknown>)[step] // a path of this document
  const [sibling] = isJsonObject(block) ? Object.keys(block) : []
  if (sibling === undefined || Object.hasOwn(block as object, name)) return null
  const { column } = document.locate([...action, sibling], 'key')
  return `"${name}" belongs to the action "${String(action[3])}": move it to column ${column}, where "${sibling}" stands`
}

/** Keys of actions. */
const BLOCK_KEYS: ReadonlySet<string> = new Set(
  'request steps response pagination params refuse errors retry download upload touches'.split(' '),
)

/** The keys without those that would be near and would not belong there either (`records` in a get action). */
function withoutMisplaced(
  name: string,
  keys: readonly string[],
  at: DocumentPath,
  document: ManifestDocument,
): readonly string[] {
  const near = nearest(name, keys)
  if (near === null || !isMisplaced(near, at, document)) return keys
  const others = keys.filter((key) => key !== near)
  return withoutMisplaced(name, others, at, document)
}

function isMisplaced(key: string, at: DocumentPath, document: ManifestDocument): boolean {
  const copy = structuredClone(document.value) as Record<string | number, unknown>
  let map = copy
  for (const step of at.slice(0, -1)) map = map[step] as typeof map // the path comes from this document
  map[key] = map[String(at.at(-1))]
  const place = placeKey([...at.slice(0, -1), key])
  validator()(copy)
  return (validator().errors ?? []).some(
    (error) =>
      error.keyword === 'false schema' &&
      placeKey(toPath(error.instancePath, copy as JsonObject)) === place,
  )
}

/** A name that the author chose, or a path or place in the position of a key. */
function nameFinding(error: ErrorObject, at: DocumentPath): Finding {
  const { what, hint } = wordsOf(String(error.schema), 'another name')
  const message = `the key "${String(at.at(-1))}" must be ${what}`
  return { at, part: 'key', rule: 'schema/form', message, hint, weight: WEIGHT.form }
}

/** The keys and places that a JSON pointer into a document means. */
export function toPath(pointer: string, root: Json): DocumentPath {
  const path: (string | number)[] = []
  let value: unknown = root
  for (const name of pathIn(pointer)) {
    const step = Array.isArray(value) ? Number(name) : name
    path.push(step)
    value = isCollection(value) ? (value as Record<string | number, unknown>)[step] : undefined
  }
  return path
}

/** The last key of a path in quotes; elements of a list by the list's key. */
function nameOf(at: DocumentPath): string {
  const index = at.findLastIndex((step) => typeof step === 'string')
  if (index < 0) return 'the manifest'
  const name = `"${String(at[index])}"`
  return index === at.length - 1 ? name : `an entry of ${name}`
}

function sourceOf(at: DocumentPath, document: ManifestDocument): string {
  const { line, column, length } = document.locate(at)
  const text = document.text.split(/\r\n|\r|\n/)[line - 1] ?? ''
  return text.slice(column - 1, column - 1 + length)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'a map' : kindName(typeof value)
}

function print(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > MAX_PRINTED ? `${text.slice(0, MAX_PRINTED)}…` : text
}

const MAX_PRINTED = 60

function placeKey(at: DocumentPath): string {
  return JSON.stringify(at)
}

function isBelow(at: DocumentPath, above: DocumentPath): boolean {
  return at.length > above.length && above.every((step, index) => at[index] === step)
}

function isCollection(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
