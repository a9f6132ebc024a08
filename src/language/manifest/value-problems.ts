// Ajv's errors about a value that a caller gave → problems in plain words. Values are never repeated: they may be secret.
import type { ErrorObject, ValidateFunction } from 'ajv'
import type { Problem } from '../../errors.ts'
import type { Json, JsonObject } from '../json/json.ts'
import { isJsonObject } from '../json/members.ts'
import { own } from '../json/own.ts'
import { pathIn, pointerTo } from '../json/pointer.ts'
import type { JsonSchema } from './manifest.ts'
import { inWords, nearest } from './suggest.ts'
import { dereference, typeNamesOf } from './json-schema.ts'

export interface ExplainOptions {
  readonly schema: JsonSchema
  readonly definitions: Readonly<Record<string, JsonSchema>>
  readonly pointer: string
  readonly noun: string
  /** Compiles one branch of `oneOf` or `anyOf` with all its errors. */
  readonly compile: (branch: JsonSchema) => ValidateFunction
}

const MAX_PROBLEMS = 20

/** Problems in words, and how many there are in all: words are found for the first ones only. */
interface Explained {
  readonly problems: readonly Problem[]
  readonly count: number
}

/**
 * A function from the errors of one validation (with `verbose`) to at most 20 problems, in the order of Ajv. Of more, the
 * last one says how many; `unread` are others that no validation saw.
 */
export function createExplainer(
  options: ExplainOptions,
): (errors: readonly ErrorObject[], unread: number) => readonly Problem[] {
  const branches = new WeakMap<object, ValidateFunction>()

  const explainAll = (errors: readonly ErrorObject[], at: string, root: JsonSchema): Explained => {
    // The errors of the branches of oneOf and anyOf say nothing together; the nearest branch explains itself.
    const forks = errors.filter((error) => error.keyword === 'oneOf' || error.keyword === 'anyOf')
    const outer = forks.filter((fork) => !forks.some((other) => isBelow(fork, other)))
    const plain = errors.filter(
      (error) =>
        !WRAPPERS.has(error.keyword) &&
        !forks.includes(error) &&
        !outer.some((fork) => isOfBranch(error, fork)),
    )
    const problems = plain
      .slice(0, MAX_PROBLEMS)
      .map((error) => explainOne(error, at, root, options))
    let count = plain.length
    for (const fork of outer) {
      const inner = problems.length < MAX_PROBLEMS ? explainFork(fork, at, root) : null
      problems.push(...(inner?.problems ?? []))
      count += inner?.count ?? 1
    }
    return { problems, count }
  }

  const explainFork = (fork: ErrorObject, at: string, root: JsonSchema): Explained => {
    const pointer = at + fork.instancePath
    const candidates = branchesOf(fork)
      .map((written) => ({
        written,
        branch: dereference(written, options.definitions),
        compiled: compileOnce(written),
      }))
      .filter(({ branch }) => mayBe(branch, fork.data))
    let best: Explained | null = null
    for (const { written, compiled } of candidates) {
      compiled(fork.data)
      const explained = explainAll(compiled.errors ?? [], pointer, written)
      if (best === null || explained.count < best.count) best = explained
    }
    if (best !== null && best.count > 0) return best
    const kinds = branchesOf(fork).flatMap((branch) =>
      typeNamesOf(dereference(branch, options.definitions)),
    )
    const detail =
      best === null && kinds.length > 0
        ? `must be ${inWords([...new Set(kinds)].map(kindName))}`
        : 'must have exactly one of the allowed forms'
    const said = schemaOf(fork, root, options.definitions)
    const problem = withDescription({ pointer, code: fork.keyword, detail }, said)
    return { problems: [problem], count: 1 }
  }

  const compileOnce = (branch: JsonSchema): ValidateFunction => {
    const known = branches.get(branch)
    if (known !== undefined) return known
    const compiled = options.compile(branch)
    branches.set(branch, compiled)
    return compiled
  }

  return (errors, unread) => {
    const { problems, count } = explainAll(errors, options.pointer, options.schema)
    const all = count + unread
    if (all <= MAX_PROBLEMS) return problems
    const told = problems.slice(0, MAX_PROBLEMS - 1)
    const detail = `there are ${all - told.length} more problems`
    return [...told, { pointer: options.pointer, code: 'more', detail }]
  }
}

// Errors that only say that there are others.
const WRAPPERS: ReadonlySet<string> = new Set(['if', 'propertyNames', 'allOf'])

function isBelow(error: ErrorObject, fork: ErrorObject): boolean {
  return error !== fork && error.instancePath.startsWith(`${fork.instancePath}/`)
}

/** Whether an error comes from inside a branch of the fork; next to the branches stand keywords of the fork's own schema. */
function isOfBranch(error: ErrorObject, fork: ErrorObject): boolean {
  if (error === fork) return false
  if (isBelow(error, fork)) return true
  return error.instancePath === fork.instancePath && error.parentSchema !== fork.parentSchema
}

function branchesOf(fork: ErrorObject): readonly JsonSchema[] {
  return Array.isArray(fork.schema) ? (fork.schema as readonly JsonSchema[]) : []
}

function mayBe(schema: JsonSchema, value: unknown): boolean {
  const types = typeNamesOf(schema)
  const kind = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
  return (
    types.length === 0 || types.includes(kind) || (kind === 'number' && types.includes('integer'))
  )
}

/** What is said of an error; a text is the detail alone. */
type Detail = (error: ErrorObject) => string | Omit<Problem, 'pointer' | 'code'>

function detailOf(error: ErrorObject): Omit<Problem, 'pointer' | 'code'> {
  const explain = Object.hasOwn(DETAILS, error.keyword) ? DETAILS[error.keyword] : undefined
  const said = explain?.(error) ?? error.message ?? 'is not valid'
  return typeof said === 'string' ? { detail: said } : said
}

function explainOne(
  error: ErrorObject,
  at: string,
  root: JsonSchema,
  options: ExplainOptions,
): Problem {
  const pointer = at + error.instancePath
  if (error.keyword === 'required') {
    const name = String(error.params['missingProperty'])
    const written = memberOf(error.parentSchema, name)
    const property =
      written['description'] === undefined ? dereference(written, options.definitions) : written
    const missing = { pointer: pointerTo(pointer, [name]), code: 'required' }
    return withDescription({ ...missing, detail: 'must be given' }, property)
  }
  if (error.keyword === 'additionalProperties') return explainUnknown(error, pointer, options)
  const said = schemaOf(error, root, options.definitions)
  return withDescription({ pointer, code: error.keyword, ...detailOf(error) }, said)
}

function explainUnknown(error: ErrorObject, pointer: string, options: ExplainOptions): Problem {
  const name = String(error.params['additionalProperty'])
  const allowed = Object.keys(membersOf(error.parentSchema))
  const noun = error.instancePath === '' && pointer === options.pointer ? options.noun : 'member'
  const near = nearest(name, allowed)
  const way =
    near !== null ? `, did you mean "${near}"?` : allowed.length === 0 ? ': none are known' : ''
  return {
    pointer: pointerTo(pointer, [name]),
    code: 'unknown',
    detail: `unknown ${noun}${way}`,
    allowed: allowed.slice(0, MAX_ALLOWED),
  }
}

const MAX_ALLOWED = 50

/** What one error of Ajv asks for, in words: `must be at most 5000`. Not for `required` and `additionalProperties`. */
export function explainKeyword(error: ErrorObject): string {
  return detailOf(error).detail
}

const DETAILS: Readonly<Record<string, Detail>> = {
  type: ({ schema }) => `must be ${inWords([schema].flat().map((type) => kindName(String(type))))}`,
  enum: ({ schema, data }) => {
    const allowed = (Array.isArray(schema) ? schema : []) as readonly Json[]
    const names = allowed.filter((value) => typeof value === 'string')
    const near = typeof data === 'string' ? nearest(data, names) : null
    const list = allowed.slice(0, MAX_ALLOWED).map(print).join(', ')
    const way = near === null ? '' : `; did you mean "${near}"?`
    return { detail: `must be one of ${list}${way}`, allowed: allowed.slice(0, MAX_ALLOWED) }
  },
  const: ({ schema }) => ({ detail: `must be ${print(schema as Json)}`, allowed: [schema] }),
  minimum: ({ schema }) => `must be at least ${String(schema)}`,
  maximum: ({ schema }) => `must be at most ${String(schema)}`,
  exclusiveMinimum: ({ schema }) => `must be more than ${String(schema)}`,
  exclusiveMaximum: ({ schema }) => `must be less than ${String(schema)}`,
  multipleOf: ({ schema }) => `must be a multiple of ${String(schema)}`,
  minLength: ({ schema }) => atLeast(schema, 'characters'),
  maxLength: ({ schema }) => `must have at most ${count(schema, 'character')}`,
  minItems: ({ schema }) => atLeast(schema, 'elements'),
  maxItems: ({ schema }) => `must have at most ${count(schema, 'element')}`,
  uniqueItems: ({ params }) =>
    `must not hold the same value twice (elements ${params['j']} and ${params['i']})`,
  minProperties: ({ schema, parentSchema }) => ({
    detail: `must have at least ${count(schema, 'member')}`,
    allowed: Object.keys(membersOf(parentSchema)).slice(0, MAX_ALLOWED),
  }),
  maxProperties: ({ schema }) => `must have at most ${count(schema, 'member')}`,
  pattern: ({ schema }) => `must match ${String(schema)}`,
  format: ({ schema }) => `must be ${FORMATS[String(schema)] ?? String(schema)}`,
  'false schema': () => 'does not belong here',
}

function atLeast(limit: unknown, nouns: string): string {
  return limit === 1 ? 'must not be empty' : `must have at least ${String(limit)} ${nouns}`
}

/** What a value of each format is, with an example. These are the formats that a schema may name. */
export const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'a time with its offset, as 2024-05-01T12:00:00Z',
  'iso-time':
    'a time with its offset, or a day, in ISO 8601, as 2024-05-01T12:00:00Z, 2024-05-01T12:00Z or 2024-05-01',
  date: 'a date, as 2024-05-01',
  time: 'a time of the day with its offset, as 12:00:00Z',
  duration: 'an ISO 8601 duration, as P1D or PT30M',
  uri: 'an absolute URI, as https://example.com/',
  email: 'an e-mail address',
  hostname: 'a host name',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  uuid: 'a UUID',
  byte: 'base64',
  binary: 'a file',
  int32: 'an integer of 32 bits',
  int64: 'an integer of 64 bits',
  epoch_s: 'a time in seconds since 1970, as 1714564800',
  epoch_ms: 'a time in milliseconds since 1970, as 1714564800000',
  duration_s: 'how long something takes in seconds, as 90',
  duration_ms: 'how long something takes in milliseconds, as 90000',
}

const KIND_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}

export function kindName(type: string): string {
  return KIND_NAMES[type] ?? type
}

/** The schema whose description is that of a wrong value: what is written next to a `$ref` before what it leads to. */
function schemaOf(
  { instancePath, parentSchema }: ErrorObject,
  root: JsonSchema,
  definitions: ExplainOptions['definitions'],
): unknown {
  let written: JsonSchema = root
  for (const name of pathIn(instancePath)) {
    const { properties, additionalProperties: others, items } = dereference(written, definitions)
    const next = own(properties, name) ?? (isJsonObject(others) ? others : items)
    if (!isJsonObject(next)) return parentSchema
    written = next
  }
  const isSaid = written['$ref'] !== undefined && written['description'] !== undefined
  return isSaid ? written : parentSchema
}

function withDescription(problem: Problem, schema: unknown): Problem {
  const description = isJsonObject(schema) ? schema['description'] : undefined
  if (typeof description !== 'string') return problem
  return { ...problem, detail: `${problem.detail}: ${description}` }
}

export function membersOf(schema: unknown): JsonObject {
  const members = isJsonObject(schema) ? schema['properties'] : undefined
  return isJsonObject(members) ? members : {}
}

function memberOf(schema: unknown, name: string): JsonSchema {
  const members = membersOf(schema)
  const member = Object.hasOwn(members, name) ? members[name] : undefined
  return isJsonObject(member) ? member : {}
}

function print(value: Json): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
}

function count(value: unknown, noun: string): string {
  return `${String(value)} ${noun}${value === 1 ? '' : 's'}`
}
