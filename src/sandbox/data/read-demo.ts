// manifests/demo/*.yaml → Demo. Everything wrong with a file is found at once, each finding with its place.
import { parseRecordPath } from '../../language/expression/parse-path.ts'
import { ExpressionSyntaxError, parseText } from '../../language/expression/parse-text.ts'
import type { Path } from '../../language/expression/syntax.ts'
import type { Json } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import {
  type DocumentPath,
  type ManifestDocument,
  problemAt,
} from '../../language/manifest/document.ts'
import { manifestError } from '../../language/manifest/load.ts'
import type { JsonSchema, Manifest } from '../../language/manifest/manifest.ts'
import { inFileOrder, type ManifestProblem } from '../../language/manifest/problem.ts'
import { readDocument } from '../../language/manifest/read.ts'
import { toPath } from '../../language/manifest/schema-problems.ts'
import { suggestion } from '../../language/manifest/suggest.ts'
import { compileValidator, type Validator } from '../../language/manifest/validator.ts'
import { scopesIn } from '../auth/scopes.ts'
import { textOf } from '../wire/same-scalar.ts'
import {
  definition,
  demoSchema,
  pickAt,
  type ProblemOptions,
  type Reader,
  value,
  WORD_READERS,
} from './demo-compiler.ts'
import type {
  ActionRules,
  Demo,
  FieldMembers,
  Refusal,
  SetMembers,
  TreeRules,
} from './demo-types.ts'
import { compileMembers, compileValue } from './demo-value.ts'
import type { PickField } from './row-index.ts'
import { defined, type MakeValue, type Members, type Write } from './world.ts'

export interface ReadDemo {
  /** Null when there are problems. */
  readonly demo: Demo | null
  readonly problems: readonly ManifestProblem[]
}

/** How the rows of one set are made and shown. */
export type SetRules = SetMembers & {
  readonly name: string
  /** Of a row that a caller makes, before the caller's own values; left out: `record`. */
  readonly blank?: Members
}

/** What a name in a query means, and which values it takes. */
export type QueryField = Omit<FieldMembers, 'words' | 'time'> & {
  readonly at: readonly PickField[]
  /** `words`: texts searched by `~`; `time`: compared as moments; `known`: one of the values that there are. */
  readonly kind: 'plain' | 'words' | 'time' | 'known'
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
  const compiler = new DemoCompiler(document, manifest)
  compiler.check(textOf(document.value['connector']), ['connector'], [manifest.type])
  // The types are made of the schema that says how it is read.
  const { trees: _trees, ...properties } = demoSchema()['properties'] as JsonSchema
  const rest = compiler.read({ properties }, document.value, []) as Omit<Demo, 'trees'>
  const demo = { ...rest, trees: compiler.trees }
  return compiler.problems.length > 0
    ? { demo: null, problems: inFileOrder(compiler.problems) }
    : { demo, problems: [] }
}

/** Throws `manifest_invalid` when there are problems. */
export function requireDemo({ demo, problems }: ReadDemo): Demo {
  if (demo === null) throw manifestError(problems)
  return demo
}

/** Of a connector without demo data. */
export function emptyDemo(manifest: Manifest): Demo {
  // In quotes: a connector may be called null or true.
  const type = JSON.stringify(manifest.type)
  const read = (): ReadDemo => readDemo(`demo: 1\nconnector: ${type}\n`, 'empty.yaml', manifest)
  const demo = EMPTY.get(manifest) ?? requireDemo(read())
  EMPTY.set(manifest, demo)
  return demo
}

/** One for each manifest: what is made of it is found again. */
const EMPTY = new WeakMap<Manifest, Demo>()

/** The rules of an action that the demo data says nothing about. */
export const NO_RULES: ActionRules = {
  refuse: [],
  scopes: new Map(),
  page: { unsaid: [] },
  show: [],
  select: [],
  write: [],
}

/** Kept: compiling the schema takes longer than reading a file of demo data. */
let demoValidator: Validator | undefined

function schemaProblems(document: ManifestDocument): readonly ManifestProblem[] {
  // The schema's own definitions stay where they are; `$schema` and `$id` would make it known by name.
  const { $schema: _schema, $id: _id, definitions, ...schema } = demoSchema()
  demoValidator ??= compileValidator(schema, definitions as Record<string, JsonSchema>)
  return inFileOrder(
    demoValidator(document.value).map(({ pointer, detail }) => {
      const at = toPath(pointer, document.value)
      const message = `${String(at.at(-1) ?? 'the file')}: ${detail}`
      return problemAt(document, { at, rule: 'demo/schema', message, part: 'key' })
    }),
  )
}

/** One reading of a document that is valid against the schema: its names, and the problems so far. */
export class DemoCompiler {
  readonly problems: ManifestProblem[] = []
  /** Names of the sets, and of the forms of each. */
  readonly sets: ReadonlyMap<string, ReadonlySet<string>>
  /** How documents are written as text, by name. */
  readonly trees: ReadonlyMap<string, TreeRules>
  /** How times are written where nothing else is said. */
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
    const ofTrees = own(demoSchema()['properties'], 'trees') as JsonSchema
    this.trees = this.read(ofTrees, trees, ['trees']) as Demo['trees']
  }

  /** What stands in one place, by its schema: definitions with a reader are read by it. Undefined: nothing stands there. */
  read(schema: JsonSchema, written: Json | undefined, at: DocumentPath): unknown {
    const given = written === undefined ? schema['default'] : written
    if (given === undefined) return undefined
    const name = referenceIn(schema)
    const reader = name === null ? undefined : READERS[name]
    if (reader !== undefined) return reader(given, at, this)
    if (name !== null) return this.read(definition(name), given, at)
    const { properties, additionalProperties: others, items } = schema
    if (isJsonObject(properties)) return this.#members(properties, given, at)
    if (isJsonObject(others))
      return this.#map(others, given, at, referenceIn(schema['propertyNames']))
    if (!isJsonObject(items) || !Array.isArray(given)) return given
    return given.map((each: Json, index) => this.read(items, each, [...at, index]))
  }

  #members(properties: JsonSchema, given: Json, at: DocumentPath): object {
    const read = Object.entries(properties).map(([name, schema]) => {
      return [name, this.read(schema as JsonSchema, own(given, name), [...at, name])] as const
    })
    return Object.fromEntries(read.filter(([, member]) => member !== undefined))
  }

  #map(
    member: JsonSchema,
    given: Json,
    at: DocumentPath,
    names: string | null,
  ): ReadonlyMap<string, unknown> {
    const known = KNOWN_NAMES[names ?? '']?.(this.manifest)
    const read = entriesOf(given).map(([name, each]) => {
      if (known !== undefined) this.check(name, [...at, name], known, 'key')
      const key = names === 'foldedName' ? name.toLowerCase() : name
      return [key, this.read(member, each, [...at, name])] as const
    })
    return new Map(read)
  }

  value(given: Json, at: DocumentPath): MakeValue {
    return compileValue(given, at, this)
  }

  problem(at: DocumentPath, message: string, options: ProblemOptions = {}): void {
    this.problems.push(problemAt(this.#document, { at, rule: 'demo/value', message, ...options }))
  }

  /** What `read` gives; after a syntax error, which becomes a finding, `otherwise`. */
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

function referenceIn(schema: Json | undefined): string | null {
  const reference = own(schema, '$ref')
  return typeof reference === 'string' ? reference.replace('#/definitions/', '') : null
}

const members: Reader<Members> = (given, at, compiler) =>
  compileMembers(isJsonObject(given) ? given : {}, at, compiler)

const pick: Reader<PickField> = (given, at, compiler) =>
  compiler.readOr(
    () => pickAt(given),
    at,
    () => undefined,
  )

const picks: Reader<readonly PickField[]> = (given, at, compiler) =>
  Array.isArray(given)
    ? given.map((each: Json, index) => pick(each, [...at, index], compiler))
    : [pick(given, at, compiler)]

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

/** The definitions of the schema that are read to something else than they are written as. */
const READERS: Readonly<Record<string, Reader<unknown>>> = {
  ...WORD_READERS,
  value,
  text: value,
  made: value,
  form,
  members,
  writes,
  memberPath: pick,
  memberPaths: picks,
  keyPath: (given, at, compiler) => memberPath(textOf(given), at, compiler),
  setName(given, at, compiler) {
    compiler.check(textOf(given), at, [...compiler.sets.keys()])
    return given
  },
  count: (given) => (Array.isArray(given) ? given : [given, given]),
  place(given, at, compiler) {
    const [method = '', path = ''] = textOf(given).split(' ')
    const segments = path.split('/').slice(1)
    return { method, path: segments.map((each) => compiler.readOr(() => parseText(each), at, [])) }
  },
  refusal(given, at, compiler) {
    const refusal = compiler.read(definition('refusal'), given, at) as Refusal
    const { message, fields, names } = refusal
    if (message === undefined && fields.size === 0 && names === undefined)
      compiler.problem(at, 'a refusal says a "message", "fields" or "names"')
    if (names !== undefined && names.known === undefined && names.barred === undefined)
      compiler.problem([...at, 'names'], 'names are "known" or "barred"')
    return refusal
  },
  /** Paths, or an object that says more. */
  queryField(given, at, compiler): QueryField {
    if (!isJsonObject(given)) return { at: picks(given, at, compiler), none: [], kind: 'plain' }
    const field = compiler.read(definition('queryField'), given, at) as FieldMembers
    const kinds = (['known', 'words', 'time'] as const).filter((kind) => field[kind])
    if ((field.at === undefined) === (field.value === undefined))
      compiler.problem(at, 'a field has either "at" or "value"')
    if (kinds.length > 1) compiler.problem(at, 'a field has one of "known", "words" and "time"')
    if (field.known === undefined && field.order !== undefined)
      compiler.problem(at, '"order" is the order of "known", which is missing')
    return { ...field, at: field.at ?? [], kind: kinds[0] ?? 'plain' }
  },
}

/** Names of the manifest that keys must be, by what the schema calls them. */
const KNOWN_NAMES: Readonly<Record<string, (manifest: Manifest) => readonly string[]>> = {
  methodName: ({ auth }) => auth.map(({ name }) => name),
  operationName: ({ entities }) =>
    entities.flatMap((entity) =>
      entity.actions.flatMap((action) => {
        const operation = `${entity.name}.${action.name}`
        return [operation, ...action.steps.map((step) => `${operation}/${step.name}`)]
      }),
    ),
  scopeName: scopesIn,
}

function entriesOf(given: Json | undefined): readonly (readonly [string, Json])[] {
  return isJsonObject(given) ? Object.entries(given) : []
}
