// manifests/demo/*.yaml → Demo. Everything wrong with a file is found at once, each finding with its place.
import { readFileSync } from 'node:fs'
import { parseRecordPath } from '../../language/expression/parse-path.ts'
import { ExpressionSyntaxError, parseText } from '../../language/expression/parse-text.ts'
import { compileBodyPath } from '../../language/expression/pick.ts'
import type { Path, Text } from '../../language/expression/syntax.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import {
  type DocumentPath,
  type ManifestDocument,
  problemAt,
} from '../../language/manifest/document.ts'
import type { JsonSchema, Manifest } from '../../language/manifest/manifest.ts'
import { inFileOrder, type ManifestProblem } from '../../language/manifest/problem.ts'
import { readDocument } from '../../language/manifest/read.ts'
import { toPath } from '../../language/manifest/schema-problems.ts'
import { suggestion } from '../../language/manifest/suggest.ts'
import { compileValidator, type Validator } from '../../language/manifest/validator.ts'
import { packageFile } from '../../package-file.ts'
import { scopesIn } from '../auth/scopes.ts'
import { textOf } from '../wire/same-scalar.ts'
import type { QueryField, QueryRule } from './apply-query.ts'
import type { DemoCompiler, ProblemOptions } from './demo-compiler.ts'
import type { TreeRules } from './demo-trees.ts'
import { compileMembers, compileValue } from './demo-value.ts'
import type {
  ActionRules,
  Demo,
  DemoRoute,
  PageSizes,
  Refusal,
  RefusalText,
  RefusedNames,
} from './demo.ts'
import type { Filter, Pick, Sort } from './narrow.ts'
import { defined, type MakeValue, type Members, type SetRules, type Write } from './world.ts'

export interface ReadDemo {
  /** Null when there are problems. */
  readonly demo: Demo | null
  readonly problems: readonly ManifestProblem[]
}

/**
 * Reads the demo data of one connector: YAML under the same rules as a manifest, then the schema
 * (schemas/demo.schema.json), then words, templates, paths, and the names of sets and actions.
 */
export function readDemo(source: Uint8Array | string, file: string, manifest: Manifest): ReadDemo {
  const read = readDocument(source, file)
  if (read.document === null) return { demo: null, problems: read.problems }
  const { document } = read
  const invalid = schemaProblems(document)
  if (invalid.length > 0) return { demo: null, problems: invalid }
  const reading = new Reading(document, manifest)
  reading.check(textOf(document.value['connector']), ['connector'], [manifest.type])
  const demo = DEMO(document.value, [], reading)
  return reading.problems.length > 0
    ? { demo: null, problems: inFileOrder(reading.problems) }
    : { demo, problems: [] }
}

let demoValidator: Validator | undefined

/** Kept: compiling the schema takes longer than reading a file of demo data. */
function validator(): Validator {
  if (demoValidator !== undefined) return demoValidator
  const text = readFileSync(packageFile('schemas/demo.schema.json'), 'utf8')
  // The schema's own definitions stay where they are; `$schema` and `$id` would make it known by name.
  const { $schema: _schema, $id: _id, definitions, ...schema } = JSON.parse(text) as JsonSchema
  return (demoValidator = compileValidator(
    schema,
    (definitions ?? {}) as Record<string, JsonSchema>,
  ))
}

function schemaProblems(document: ManifestDocument): readonly ManifestProblem[] {
  return inFileOrder(
    validator()(document.value).map(({ pointer, detail }) => {
      const at = toPath(pointer, document.value)
      const message = `${String(at.at(-1) ?? 'the file')}: ${detail}`
      return problemAt(document, { at, rule: 'demo/schema', message, part: 'key' })
    }),
  )
}

/** One reading of a document that is valid against the schema: its names, and the problems so far. */
class Reading implements DemoCompiler {
  readonly problems: ManifestProblem[] = []
  readonly sets: DemoCompiler['sets']
  readonly trees: DemoCompiler['trees']
  readonly timeFormat: string
  readonly manifest: Manifest
  readonly #document: ManifestDocument

  constructor(document: ManifestDocument, manifest: Manifest) {
    const { time_format, sets, trees } = document.value
    this.#document = document
    this.manifest = manifest
    this.timeFormat = textOf(time_format ?? 'iso')
    this.sets = new Map(
      entriesOf(sets).map(([name, set]) => [
        name,
        new Set(entriesOf(own(set, 'forms')).map(([form]) => form)),
      ]),
    )
    // Set before the trees are read, whose texts may name trees.
    this.trees = new Map()
    this.trees = map(TREE)(trees, ['trees'], this)
  }

  value(given: Json, at: DocumentPath): MakeValue {
    return compileValue(given, at, this)
  }

  problem(at: DocumentPath, message: string, options: ProblemOptions = {}): void {
    this.problems.push(problemAt(this.#document, { at, rule: 'demo/value', message, ...options }))
  }

  /** What `read` gives; a syntax error becomes a finding and `otherwise` is used. */
  readOr<T>(read: () => T, at: DocumentPath, otherwise: T, part: 'key' | 'value' = 'value'): T {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof ExpressionSyntaxError)) throw error
      const { message, offset, length, hint } = error
      this.problem(at, message, { hint, part, inner: { offset, length } })
      return otherwise
    }
  }

  /** Notes a name that there is not. */
  check(
    name: string,
    at: DocumentPath,
    known: readonly string[],
    part: 'key' | 'value' = 'value',
  ): void {
    if (!known.includes(name))
      this.problem(at, `there is no "${name}"`, { part, hint: suggestion(name, known) })
  }
}

/** Reads what stands in one place of the document. */
type Shape<T> = (given: Json | undefined, at: DocumentPath, reading: Reading) => T

/** An object by the shapes of its members, whose names are written with underscores. */
function object<T>(shapes: { readonly [K in keyof T]-?: Shape<T[K]> }): Shape<T> {
  const members = Object.entries<Shape<unknown>>(shapes).map(
    ([name, shape]) => [name, name.replace(/[A-Z]/g, '_$&').toLowerCase(), shape] as const,
  )
  return (given, at, reading) => {
    const read = members.flatMap(([name, written, shape]) => {
      const member = shape(own(given, written), [...at, written], reading)
      return member === undefined ? [] : [[name, member]]
    })
    // One for each of the shapes.
    return Object.fromEntries(read) as T
  }
}

/** As it is written: the schema has checked that it is a T. */
function plain<T>(otherwise?: T): Shape<T> {
  return (given) => (given ?? otherwise) as T
}

function optional<T>(shape: Shape<T>): Shape<T | undefined> {
  return (given, at, reading) => (given === undefined ? undefined : shape(given, at, reading))
}

function list<T>(shape: Shape<T>): Shape<readonly T[]> {
  return (given, at, reading) =>
    (Array.isArray(given) ? given : []).map((item: Json, index) =>
      shape(item, [...at, index], reading),
    )
}

function pairs<T>(shape: Shape<T>): Shape<readonly (readonly [string, T])[]> {
  return (given, at, reading) =>
    entriesOf(given).map(([name, member]) => [name, shape(member, [...at, name], reading)])
}

function map<T>(
  shape: Shape<T>,
  known?: (reading: Reading) => readonly string[],
): Shape<ReadonlyMap<string, T>> {
  return (given, at, reading) => {
    const names = known?.(reading)
    const read = pairs(shape)(given, at, reading)
    for (const [name] of read)
      if (names !== undefined) reading.check(name, [...at, name], names, 'key')
    return new Map(read)
  }
}

/** The same under names in lower case. */
function folded<T>(shape: Shape<T>): Shape<ReadonlyMap<string, T>> {
  const read = pairs(shape)
  return (...place) => new Map(read(...place).map(([name, member]) => [name.toLowerCase(), member]))
}

/** Any value; null where it is left out. */
const value: Shape<MakeValue> = (given, at, reading) => reading.value(given ?? null, at)
const maybe: Shape<MakeValue | undefined> = optional(value)
const members: Shape<Members> = (given, at, reading) =>
  compileMembers(isJsonObject(given) ? given : {}, at, reading)

const setName: Shape<string> = (given, at, reading) => {
  reading.check(textOf(given), at, [...reading.sets.keys()])
  return textOf(given)
}

const pick: Shape<Pick> = (given, at, reading) =>
  reading.readOr(
    () => compileBodyPath(parseRecordPath(textOf(given))),
    at,
    () => undefined,
  )
const picks: Shape<readonly Pick[]> = (given, at, reading) =>
  typeof given === 'string' ? [pick(given, at, reading)] : list(pick)(given, at, reading)

/** A path of members alone. */
function memberPath(
  source: string,
  at: DocumentPath,
  reading: Reading,
  part: 'key' | 'value' = 'value',
): readonly string[] {
  const none: Path = { root: 'body', steps: [], source }
  const { root, steps } = reading.readOr(() => parseRecordPath(source), at, none, part)
  const names = steps.flatMap((step) => (step.kind === 'member' ? [step.name] : []))
  if (root === 'body' && names.length === steps.length) return names
  reading.problem(at, 'here stands a path of members alone, such as $.fields.updated', { part })
  return []
}

/** A map of paths to values. */
const writes: Shape<readonly Write[]> = (given, at, reading) =>
  entriesOf(given).map(([path, source]) => ({
    path: memberPath(path, [...at, path], reading, 'key'),
    value: reading.value(source, [...at, path]),
  }))

const REFUSAL_TEXT = object<RefusalText>({ status: plain(), message: maybe })
const PAGE = object<PageSizes>({ size: plain(), max: plain(), unsaid: plain() })

const TREE = object<TreeRules>({
  kind: plain('type'),
  inside: plain('content'),
  around: plain(),
  nodes: map(value),
})

/** A form is a list of member names, or any value. */
const form: Shape<MakeValue> = (given, at, reading) => {
  if (!Array.isArray(given)) return value(given, at, reading)
  const names = given.map(String)
  return ({ scope }) => defined(names.map((name) => [name, own(scope.record, name)]))
}

const SET = object<Omit<SetRules, 'name' | 'count' | 'keys' | 'columns'>>({
  per: optional(setName),
  rows: list(members),
  record: members,
  blank: optional(members),
  view: maybe,
  forms: map(form),
  show: writes,
  select: writes,
  missing: maybe,
  touch: writes,
})

const set: Shape<SetRules> = (given, at, reading) => {
  const rules = SET(given, at, reading)
  const keys = own(given, 'keys')
  return {
    ...rules,
    name: String(at.at(-1)),
    count: countOf(own(given, 'count'), rules.rows.length),
    keys: (Array.isArray(keys) ? keys : ['id']).map((key: Json, index) =>
      memberPath(textOf(key), [...at, 'keys', index], reading),
    ),
    columns: members(own(given, 'let'), [...at, 'let'], reading),
  }
}

/** A number, [least, most], or as many as there are rows. */
function countOf(count: Json | undefined, rows: number): readonly [number, number] {
  if (typeof count === 'number') return [count, count]
  const [min = rows, max = rows] = Array.isArray(count) ? count : []
  return [Number(min), Number(max)]
}

const REFUSAL = object<Refusal>({
  when: maybe,
  unless: maybe,
  status: plain(),
  message: maybe,
  fields: pairs(value),
  names: optional(object<RefusedNames>({ of: value, known: maybe, barred: maybe, message: value })),
})

const refusal: Shape<Refusal> = (given, at, reading) => {
  if (!['message', 'fields', 'names'].some((name) => own(given, name) !== undefined))
    reading.problem(at, 'a refusal says a "message", "fields" or "names"')
  const names = own(given, 'names')
  if (
    names !== undefined &&
    own(names, 'known') === undefined &&
    own(names, 'barred') === undefined
  )
    reading.problem([...at, 'names'], 'names are "known" or "barred"')
  return REFUSAL(given, at, reading)
}

const QUERY_FIELD = object<Omit<QueryField, 'kind'>>({
  at: picks,
  value: maybe,
  known: maybe,
  order: plain(),
  none: (given) =>
    Array.isArray(given) ? given.map((each: Json) => textOf(each).toLowerCase()) : [],
  unknown: maybe,
})

/** Paths, or an object that says more. */
const queryField: Shape<QueryField> = (given, at, reading) => {
  if (!isJsonObject(given)) return { at: picks(given, at, reading), none: [], kind: 'plain' }
  const kinds = [
    given['known'] === undefined ? [] : ['known' as const],
    given['words'] === true ? ['words' as const] : [],
    given['time'] === true ? ['time' as const] : [],
  ].flat()
  if ((given['at'] === undefined) === (given['value'] === undefined))
    reading.problem(at, 'a field has either "at" or "value"')
  if (kinds.length > 1) reading.problem(at, 'a field has one of "known", "words" and "time"')
  if (given['known'] === undefined && given['order'] !== undefined)
    reading.problem(at, '"order" is the order of "known", which is missing')
  return { ...QUERY_FIELD(given, at, reading), kind: kinds[0] ?? 'plain' }
}

const ACTION = object<ActionRules>({
  set: optional(setName),
  key: maybe,
  parent: maybe,
  refuse: list(refusal),
  scopes: (given, at, reading) => [
    ...map(value, () => scopesIn(reading.manifest))(given, at, reading),
  ],
  filters: optional(
    list(object<Filter>({ at: picks, value, test: plain('is'), ignoreCase: plain(false) })),
  ),
  query: optional(
    object<QueryRule>({
      text: value,
      fields: folded(queryField),
      values: folded(value),
      unbounded: maybe,
      reserved: plain(''),
      mostOrders: plain(Infinity),
      says: map(value),
    }),
  ),
  sort: optional(object<Sort>({ by: value, descending: maybe, fields: map(pick) })),
  page: PAGE,
  empty: optional(REFUSAL_TEXT),
  show: writes,
  select: writes,
  record: optional(members),
  write: writes,
  remove: maybe,
  status: plain(),
  silent: maybe,
  answer: maybe,
  envelope: maybe,
  example: maybe,
})

const route: Shape<DemoRoute> = (given, at, reading) => {
  const [method = '', path = ''] = textOf(own(given, 'http')).split(' ')
  const segments = path.split('/').slice(1)
  return {
    method,
    path: segments.map((segment): Text =>
      reading.readOr(() => parseText(segment), [...at, 'http'], []),
    ),
    status: Number(own(given, 'status') ?? 200),
    answer: value(own(given, 'answer'), [...at, 'answer'], reading),
  }
}

const DEMO = object<Demo>({
  now: plain(),
  config: plain({}),
  learned: plain({}),
  credentials: map(plain<JsonObject>(), ({ manifest }) => manifest.auth.map(({ name }) => name)),
  client: plain(),
  maps: plain({}),
  sets: (given, at, reading) => [...map(set)(given, at, reading).values()],
  actions: map(ACTION, ({ manifest }) => operationsOf(manifest)),
  routes: list(route),
  envelope: maybe,
  errorEnvelope: maybe,
  page: PAGE,
  empty: optional(REFUSAL_TEXT),
  errors: map(REFUSAL_TEXT),
})

function operationsOf({ entities }: Manifest): readonly string[] {
  return entities.flatMap((entity) =>
    entity.actions.flatMap((action) => {
      const operation = `${entity.name}.${action.name}`
      return [operation, ...action.steps.map((step) => `${operation}/${step.name}`)]
    }),
  )
}

function entriesOf(given: Json | undefined): readonly (readonly [string, Json])[] {
  return isJsonObject(given) ? Object.entries(given) : []
}
