// manifests/demo/*.yaml → Demo. Everything wrong with a file is found at once, each finding with its place.
import { readFileSync } from 'node:fs'
import { parseRecordPath } from '../../language/expression/parse-path.ts'
import { ExpressionSyntaxError, parseText } from '../../language/expression/parse-text.ts'
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
import {
  type DemoCompiler,
  pickAt,
  type ProblemOptions,
  type Reader,
  value,
} from './demo-compiler.ts'
import { compileMembers, compileValue } from './demo-value.ts'
import type { FilterTest } from './narrow.ts'
import type { PickField } from './row-index.ts'
import { defined, type MakeValue, type Members, type Write } from './world.ts'

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
  const demo = object(DEMO)(document.value, [], reading)
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
    this.trees = map(object(TREE))(trees, ['trees'], this)
  }

  value(given: Json, at: DocumentPath): MakeValue {
    return compileValue(given, at, this)
  }

  problem(at: DocumentPath, message: string, options: ProblemOptions = {}): void {
    this.problems.push(problemAt(this.#document, { at, rule: 'demo/value', message, ...options }))
  }

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

// The readers of the keys. What each means: schemas/demo.schema.json and docs/sandbox.md.

function list<T>(item: Reader<T>): Reader<readonly T[]> {
  return (given, at, compiler) =>
    (Array.isArray(given) ? given : []).map((each: Json, index) =>
      item(each, [...at, index], compiler),
    )
}

function pairs<T>(member: Reader<T>): Reader<readonly (readonly [string, T])[]> {
  return (given, at, compiler) =>
    entriesOf(given).map(([name, each]) => [name, member(each, [...at, name], compiler)])
}

/** `known`: the names that there are; left out: any. */
function map<T>(
  member: Reader<T>,
  known?: (manifest: Manifest) => readonly string[],
): Reader<ReadonlyMap<string, T>> {
  return (given, at, compiler) => {
    const read = pairs(member)(given, at, compiler)
    const names = known?.(compiler.manifest)
    for (const [name] of read) if (names) compiler.check(name, [...at, name], names, 'key')
    return new Map(read)
  }
}

/** The same under names in lower case. */
function folded<T>(member: Reader<T>): Reader<ReadonlyMap<string, T>> {
  return (...place) =>
    new Map(pairs(member)(...place).map(([name, each]) => [name.toLowerCase(), each]))
}

const members: Reader<Members> = (given, at, compiler) =>
  compileMembers(isJsonObject(given) ? given : {}, at, compiler)

const pick: Reader<PickField> = (given, at, compiler) =>
  compiler.readOr(
    () => pickAt(given),
    at,
    () => undefined,
  )

/** A path of members alone. */
function memberPath(
  source: string,
  at: DocumentPath,
  compiler: DemoCompiler,
  part: 'key' | 'value' = 'value',
): readonly string[] {
  const none: Path = { root: 'body', steps: [], source }
  const { root, steps } = compiler.readOr(() => parseRecordPath(source), at, none, part)
  const names = steps.flatMap((step) => (step.kind === 'member' ? [step.name] : []))
  if (root === 'body' && names.length === steps.length) return names
  compiler.problem(at, 'here stands a path of members alone, such as $.fields.updated', { part })
  return []
}

/** A map of paths to values. */
const writes: Reader<readonly Write[]> = (given, at, compiler) =>
  entriesOf(given).map(([path, source]) => ({
    path: memberPath(path, [...at, path], compiler, 'key'),
    value: compiler.value(source, [...at, path]),
  }))

/** A form is a list of member names, or any value. */
const form: Reader<MakeValue> = (given, at, compiler) => {
  if (!Array.isArray(given)) return value(given, at, compiler)
  const names = given.map(String)
  return ({ scope }) => defined(names.map((name) => [name, own(scope.record, name)]))
}

/** What keys are read to, by the kind of what stands there; a kind with `?` may be left out. */
interface Kinds {
  readonly flag: boolean
  readonly number: number
  readonly text: string
  readonly texts: readonly string[]
  readonly object: JsonObject
  readonly value: MakeValue
  readonly values: ReadonlyMap<string, MakeValue>
  /** Under names in lower case. */
  readonly folded: ReadonlyMap<string, MakeValue>
  readonly members: Members
  readonly rows: readonly Members[]
  readonly writes: readonly Write[]
  readonly picks: readonly PickField[]
  readonly columns: ReadonlyMap<string, PickField>
  readonly set: string
  readonly count: readonly [min: number, max: number]
  readonly keys: readonly (readonly string[])[]
  readonly forms: ReadonlyMap<string, MakeValue>
  readonly page: PageSizes
  readonly refusalText: ReadBy<typeof REFUSAL_TEXT>
  readonly names: ReadBy<typeof REFUSED_NAMES>
  readonly refusals: readonly Refusal[]
  readonly test: FilterTest
  readonly filters: readonly Filter[]
  readonly order: 'rising' | 'falling' | 'value'
  readonly queryFields: ReadonlyMap<string, QueryField>
  readonly query: QueryRule
  readonly sort: Sort
  readonly scopes: ReadonlyMap<string, MakeValue>
  readonly client: { readonly id: string; readonly secret: string }
  readonly credentials: ReadonlyMap<string, JsonObject>
  readonly sets: readonly SetRules[]
  readonly actions: ReadonlyMap<string, ActionRules>
  readonly place: { readonly method: string; readonly path: readonly Text[] }
  readonly routes: readonly ReadBy<typeof ROUTE>[]
  readonly errors: ReadonlyMap<string, ReadBy<typeof REFUSAL_TEXT>>
}
type Kind = keyof Kinds
type Table = Readonly<Record<string, Kind | `${Kind}?`>>
type ReadBy<T extends Table> = {
  readonly [K in keyof T as T[K] extends Kind ? K : never]: Kinds[T[K] & Kind]
} & {
  readonly [K in keyof T as T[K] extends Kind ? never : K]?: T[K] extends `${infer N extends Kind}?`
    ? Kinds[N]
    : never
}

const REFUSAL_TEXT = { status: 'number?', message: 'value?' } as const
const PAGE = { size: 'number?', max: 'number?', unsaid: 'texts' } as const
const TREE = { kind: 'text?', inside: 'text?', around: 'text?', nodes: 'values' } as const

const SET = {
  per: 'set?',
  count: 'count?',
  keys: 'keys',
  let: 'members',
  rows: 'rows',
  record: 'members',
  view: 'value?',
  forms: 'forms',
  show: 'writes',
  select: 'writes',
  missing: 'value?',
  touch: 'writes',
} as const

const REFUSED_NAMES = { of: 'value', known: 'value?', barred: 'value?', message: 'value' } as const
const REFUSAL = {
  when: 'value?',
  unless: 'value?',
  status: 'number?',
  message: 'value?',
  fields: 'values',
  names: 'names?',
} as const

const FILTER = { at: 'picks', value: 'value', test: 'test?', ignoreCase: 'flag' } as const
const SORT = { by: 'value', descending: 'value?', fields: 'columns' } as const

const QUERY = {
  text: 'value',
  fields: 'queryFields',
  values: 'folded',
  unbounded: 'value?',
  reserved: 'text?',
  mostOrders: 'number?',
  says: 'values',
} as const
const QUERY_FIELD = {
  at: 'picks',
  value: 'value?',
  known: 'value?',
  order: 'order?',
  none: 'texts',
  unknown: 'value?',
  words: 'flag',
  time: 'flag',
} as const

const ACTION = {
  set: 'set?',
  key: 'value?',
  parent: 'value?',
  refuse: 'refusals',
  scopes: 'scopes',
  filters: 'filters?',
  query: 'query?',
  sort: 'sort?',
  page: 'page',
  empty: 'refusalText?',
  show: 'writes',
  select: 'writes',
  record: 'members?',
  write: 'writes',
  remove: 'value?',
  status: 'number?',
  silent: 'value?',
  answer: 'value?',
  envelope: 'value?',
  example: 'value?',
} as const

const ROUTE = { http: 'place', status: 'number?', answer: 'value' } as const

const DEMO = {
  now: 'text?',
  config: 'object',
  learned: 'object',
  credentials: 'credentials',
  client: 'client?',
  maps: 'object',
  sets: 'sets',
  actions: 'actions',
  routes: 'routes',
  envelope: 'value?',
  errorEnvelope: 'value?',
  page: 'page',
  empty: 'refusalText?',
  errors: 'errors',
} as const

/** What a sandbox knows about one vendor beyond its manifest. */
export type Demo = ReadBy<typeof DEMO>
/** Rules of one action, or of one step of one. What is left out follows from the manifest. */
export type ActionRules = ReadBy<typeof ACTION>
type PageSizes = ReadBy<typeof PAGE>
export type Refusal = ReadBy<typeof REFUSAL>
/** How the rows of one set are made and shown. */
export type SetRules = ReadBy<typeof SET> & {
  readonly name: string
  /** Of a row that a caller makes, before the caller's own values; left out: `record`. */
  readonly blank?: Members
}
/** How the nodes of one kind of document are written. */
export type TreeRules = ReadBy<typeof TREE>
export type Filter = ReadBy<typeof FILTER>
export type Sort = ReadBy<typeof SORT>
/** A parameter that holds a query as text. */
export type QueryRule = ReadBy<typeof QUERY>
/** What a name in a query means, and which values it takes. */
export type QueryField = Omit<ReadBy<typeof QUERY_FIELD>, 'words' | 'time'> & {
  /** `words`: texts searched by `~`; `time`: compared as moments; `known`: one of the values that there are. */
  readonly kind: 'plain' | 'words' | 'time' | 'known'
}

/** An object by its table; the names of members are written with underscores. */
function object<T extends Table>(table: T): Reader<ReadBy<T>> {
  return (given, at, compiler) => {
    const found = Object.entries(table).flatMap(([name, kind]) => {
      const written = name.replace(/[A-Z]/g, '_$&').toLowerCase()
      const member = own(given, written)
      if (member === undefined && kind.endsWith('?')) return []
      // The name of a kind, without the mark.
      const read: Reader<unknown> = READERS[kind.replace('?', '') as Kind]
      return [[name, read(member, [...at, written], compiler)]]
    })
    // One for each row of the table.
    return Object.fromEntries(found) as ReadBy<T>
  }
}

/** As it is written: the schema has checked that it is a T. */
function plain<T>(otherwise?: T): Reader<T> {
  return (given) => (given ?? otherwise) as T
}

const READERS: { readonly [K in Kind]: Reader<Kinds[K]> } = {
  flag: plain(false),
  number: plain(),
  text: plain(),
  texts: plain<readonly string[]>([]),
  object: plain<JsonObject>({}),
  value,
  values: map(value),
  folded: folded(value),
  members,
  rows: list(members),
  writes,
  picks: (given, at, compiler) =>
    typeof given === 'string' ? [pick(given, at, compiler)] : list(pick)(given, at, compiler),
  columns: map(pick),
  set(given, at, compiler) {
    compiler.check(textOf(given), at, [...compiler.sets.keys()])
    return textOf(given)
  },
  count: (given) =>
    Array.isArray(given) ? [Number(given[0]), Number(given[1])] : [Number(given), Number(given)],
  keys: (given, at, compiler) =>
    (Array.isArray(given) ? given : ['id']).map((key: Json, index) =>
      memberPath(textOf(key), [...at, index], compiler),
    ),
  forms: map(form),
  page: object(PAGE),
  refusalText: object(REFUSAL_TEXT),
  names: object(REFUSED_NAMES),
  refusals: list(readRefusal),
  test: plain(),
  filters: list(object(FILTER)),
  order: plain(),
  queryFields: folded(readQueryField),
  query: object(QUERY),
  sort: object(SORT),
  scopes: map(value, scopesIn),
  client: plain(),
  credentials: map(plain<JsonObject>(), ({ auth }) => auth.map(({ name }) => name)),
  sets: (...place) => [...map(object(SET))(...place)].map(([name, set]) => ({ name, ...set })),
  actions: map(object(ACTION), operationsOf),
  place(given, at, compiler) {
    const [method = '', path = ''] = textOf(given).split(' ')
    const segments = path.split('/').slice(1)
    return { method, path: segments.map((each) => compiler.readOr(() => parseText(each), at, [])) }
  },
  routes: list(object(ROUTE)),
  errors: map(object(REFUSAL_TEXT)),
}

function readRefusal(given: Json | undefined, at: DocumentPath, compiler: DemoCompiler): Refusal {
  const refusal = object(REFUSAL)(given, at, compiler)
  const { message, fields, names } = refusal
  if (message === undefined && fields.size === 0 && names === undefined)
    compiler.problem(at, 'a refusal says a "message", "fields" or "names"')
  if (names !== undefined && names.known === undefined && names.barred === undefined)
    compiler.problem([...at, 'names'], 'names are "known" or "barred"')
  return refusal
}

/** Paths, or an object that says more. */
function readQueryField(
  given: Json | undefined,
  at: DocumentPath,
  compiler: DemoCompiler,
): QueryField {
  if (!isJsonObject(given))
    return { at: READERS.picks(given, at, compiler), none: [], kind: 'plain' }
  const field = object(QUERY_FIELD)(given, at, compiler)
  const kinds = (['known', 'words', 'time'] as const).filter((kind) => field[kind])
  if ((given['at'] === undefined) === (field.value === undefined))
    compiler.problem(at, 'a field has either "at" or "value"')
  if (kinds.length > 1) compiler.problem(at, 'a field has one of "known", "words" and "time"')
  if (field.known === undefined && field.order !== undefined)
    compiler.problem(at, '"order" is the order of "known", which is missing')
  return { ...field, kind: kinds[0] ?? 'plain' }
}

/** A connector without demo data. */
export const NO_DEMO: Demo = {
  config: {},
  learned: {},
  credentials: new Map(),
  maps: {},
  sets: [],
  actions: new Map(),
  routes: [],
  page: { unsaid: [] },
  errors: new Map(),
}

/** The rules of an action that the demo data says nothing about. */
export const NO_RULES: ActionRules = {
  refuse: [],
  scopes: new Map(),
  page: { unsaid: [] },
  show: [],
  select: [],
  write: [],
}

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
