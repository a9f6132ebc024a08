// Values that a manifest gives itself: constants of `check` and `sync` that the action would refuse at every call,
// and schemas that no value, or not every value that they list, satisfies.
import { isJsonObject } from '../../json/members.ts'
import type { DocumentPath } from '../document.ts'
import type { SchemaNode } from '../schema-nodes.ts'
import type { SchemaSource, SchemaType } from '../source.ts'
import { inWords } from '../suggest.ts'
import { compileValidator } from '../validator.ts'
import { kindName } from '../value-problems.ts'
import { keyAt, type Lint, type Place } from './lint.ts'
import { lookUpParam } from './param-facts.ts'
import { type SchemaView, typeOfValue, valuesOf } from './schema-walk.ts'
import { paramsOf } from './scopes.ts'

/** Constants in `check.params`, `sync.params`, `sync.each` and `sync.reconcile.params`, against the action's schema. */
export function lintGivenValues(lint: Lint): void {
  const { check } = lint.source
  if (check !== undefined && 'entity' in check && check.entity !== undefined)
    lintValues(lint, ['check', 'params'], check.params, {
      entity: check.entity,
      name: check.action as never, // an unknown action has no parameters
    })
  for (const { name: entity, at, source } of lint.entities) {
    const { sync } = source
    if (sync === undefined) continue
    const action = { entity, name: sync.action as never }
    lintValues(lint, [...at, 'sync', 'params'], sync.params, action)
    lintValues(lint, [...at, 'sync', 'reconcile', 'params'], sync.reconcile?.params, action)
  }
}

function lintValues(
  lint: Lint,
  at: DocumentPath,
  values: unknown,
  action: Parameters<typeof paramsOf>[1],
): void {
  if (!isJsonObject(values)) return
  const params = paramsOf(lint.source, action)
  for (const [name, value] of Object.entries(values)) {
    if (isTemplate(value)) continue
    const found = lookUpParam(params, name)
    const problem = found.kind === 'found' ? misfit(found.views, value) : null
    if (problem === null) continue
    const message = `${action.entity}.${action.name} would refuse this value of "${name}": ${problem}`
    const hint = 'give a value that the schema of the parameter allows, or change that schema'
    lint.error('params/value-refused', { at: [...at, name] }, message, hint)
  }
}

function isTemplate(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{{')
  return typeof value === 'object' && value !== null && Object.values(value).some(isTemplate)
}

/** Why a value fits none of these schemas; null when it fits one, or when it cannot be told. */
function misfit(views: readonly SchemaView[], value: unknown): string | null {
  const schemas = views.flatMap((view) => view.alternatives()).map(({ schema }) => schema)
  const told = schemas.map((schema) => problemOf(schema, value))
  return told.length === 0 || told.includes(null) ? null : (told[0] ?? null)
}

/** What a schema of one value says of it; null: nothing, or its parts lie elsewhere. */
function problemOf(schema: SchemaSource, value: unknown): string | null {
  const { $ref, properties, items, additionalProperties, allOf, anyOf, oneOf, ...own } = schema
  const isFar = [$ref, properties, items, additionalProperties, allOf, anyOf, oneOf].some(
    (part) => part !== undefined,
  )
  if (isFar) return null
  const rules = Object.fromEntries(Object.entries(own).filter(([name]) => !NOTES.has(name)))
  const types = [schema.type ?? []].flat()
  const isOfType = types.length === 0 || types.some((type) => isOf(value, type))
  if (!isOfType) return `must be ${inWords(types.map(kindName))}`
  // Compiling costs more than all other rules: most enums have a type next to them, and no more.
  if (Object.keys(rules).every((name) => name === 'type')) return null
  return compileValidator(rules, {})(value)[0]?.detail ?? null
}

/** Keywords that refuse no value. */
const NOTES: ReadonlySet<string> = new Set([
  'default',
  'default_from',
  'aliases',
  'deprecated',
  'description',
  'docs',
  'example',
  'form',
  'help',
  'help_for',
  'refers_to',
  'set_by',
  'writeOnly',
])

function isOf(value: unknown, type: SchemaType): boolean {
  const own = typeOfValue(value)
  return own === type || (own === 'integer' && type === 'number')
}

interface Subject extends SchemaNode {
  readonly lint: Lint
}

const BOUNDS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const

/** Bounds that leave nothing between them, and listed values that the rest of the schema refuses. */
export function checkSatisfiable({ lint, schema, at }: Subject): void {
  for (const [low, high] of BOUNDS) {
    const [least, greatest] = [schema[low], schema[high]]
    if (least === undefined || greatest === undefined || least <= greatest) continue
    const message = `no value has ${low} ${least} and ${high} ${greatest}`
    const hint = `${low} must not be above ${high}; they may have been swapped`
    lint.error('schema/nothing-fits', keyAt(...at, low), message, hint)
  }
  checkRange(lint, schema, at)
  checkExample(lint, schema, at)
  const names = Object.keys(schema.properties ?? {})
  const { minProperties: least } = schema
  if (
    least !== undefined &&
    schema.additionalProperties !== true &&
    isTop(at) &&
    least > names.length
  ) {
    const message = `minProperties asks for ${least} members, and there are ${names.length}`
    const hint = `write minProperties: ${names.length} at most`
    lint.error('schema/nothing-fits', keyAt(...at, 'minProperties'), message, hint)
  }
  checkListed(lint, schema, at)
}

/** Params, credentials and config are closed: no member comes to those that are declared. */
function isTop(at: DocumentPath): boolean {
  return (
    ['params', 'credentials', 'config'].includes(String(at.at(-1))) && !at.includes('properties')
  )
}

function checkRange(lint: Lint, schema: SchemaSource, at: DocumentPath): void {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema
  if (above === undefined && below === undefined) return
  const isInteger = schema.type === 'integer'
  const least = Math.max(minimum ?? -Infinity, next(above, 1, isInteger))
  const greatest = Math.min(maximum ?? Infinity, next(below, -1, isInteger))
  const isOpen = !isInteger && (above === least || below === greatest)
  if (isOpen ? least < greatest : least <= greatest) return
  const place = keyAt(...at, above === undefined ? 'exclusiveMaximum' : 'exclusiveMinimum')
  const message = `no ${isInteger ? 'integer' : 'number'} lies between these bounds`
  const hint =
    'an exclusive bound is no value itself; write minimum and maximum, or move one of the two'
  lint.error('schema/nothing-fits', place, message, hint)
}

function next(bound: number | undefined, step: 1 | -1, isInteger: boolean): number {
  if (bound === undefined) return step === 1 ? -Infinity : Infinity
  if (!isInteger) return bound
  return step === 1 ? Math.floor(bound) + 1 : Math.ceil(bound) - 1
}

/** People would type what the form shows them. */
function checkExample(lint: Lint, schema: SchemaSource, at: DocumentPath): void {
  const { example, ...rest } = schema
  if (example === undefined) return
  const problem = problemOf(rest, example)
  const place = keyAt(...at, 'example')
  if (schema.writeOnly === true) {
    const message = 'a secret has an example, which people could take for one'
    lint.error('schema/example-refused', place, message, 'say in help what it looks like')
  } else if (problem !== null) {
    const message = `the schema around this example refuses it: ${problem}`
    const hint = 'give a value that fits, or change the schema'
    lint.error('schema/example-refused', place, message, hint)
  }
}

/** A value of `enum` or `const` that type, pattern or bounds next to it refuse can never be given. */
function checkListed(lint: Lint, schema: SchemaSource, at: DocumentPath): void {
  const values = valuesOf(schema) ?? []
  const { enum: listed, const: _, ...rest } = schema
  for (const [index, value] of values.entries()) {
    // A null without its type has a finding of its own.
    const problem = value === null ? null : problemOf(rest, value)
    if (problem === null) continue
    const place: Place = { at: listed === undefined ? [...at, 'const'] : [...at, 'enum', index] }
    const types = [schema.type ?? []].flat()
    const isOfType = types.length === 0 || types.some((type) => isOf(value, type))
    const message = `${JSON.stringify(value)} is listed, and the schema around it refuses it: ${problem}`
    const hint = isOfType
      ? 'remove the value, or the keyword that refuses it'
      : `write values of the type ${types.join(' or ')}, or leave the type out: enum says it`
    lint.error('schema/nothing-fits', place, message, hint)
    return
  }
}
