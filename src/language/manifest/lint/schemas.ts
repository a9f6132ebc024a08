// Schemas: only what the type generator can read, keywords where they act, secrets
// marked as such. Source: docs/manifest-language.md, "Entities, actions, schemas".
import { compileTemplate } from '../../expression/evaluate.ts'
import type { Json } from '../../json/json.ts'
import { isJsonObject } from '../../json/members.ts'
import { own } from '../../json/own.ts'
import { type DocumentPath, formatPath } from '../document.ts'
import { dereference, FIELD_WORDS } from '../json-schema.ts'
import type { InputDefault, JsonSchema } from '../manifest.ts'
import { keyPath } from '../named-records.ts'
import {
  childrenOf,
  type SchemaEdge,
  type SchemaNode,
  type SchemaRoot,
  schemaRoots,
  typesOf,
} from '../schema-nodes.ts'
import { inWords, suggestion } from '../suggest.ts'
import { compileValidator } from '../validator.ts'
import { kindName } from '../value-problems.ts'
import { checkSatisfiable } from './given-values.ts'
import { keyAt, type Lint } from './lint.ts'
import { SchemaView } from './schema-walk.ts'

export function lintSchemas(lint: Lint): void {
  const roots = schemaRoots(lint.source)
  const ofShape = shapeUses(roots)
  const named = topMembers(lint, roots)
  for (const root of roots) {
    const isShape = root.use === 'shape'
    const uses = isShape ? (ofShape.get(shapeAt(root)) ?? UNUSED) : new Set([root.use])
    for (const part of partsOf(root.node))
      for (const check of CHECKS) check({ lint, ...part, root, uses, named })
  }
  lintDefaults(lint)
}

/** The places of the members at the top of params, credentials and config: there names of their own are read. */
function topMembers({ source }: Lint, roots: readonly SchemaRoot[]): ReadonlySet<string> {
  return new Set(
    roots
      .filter(({ use }) => ACTS_IN['aliases']?.includes(use))
      .flatMap(({ node }) => [
        ...SchemaView.closed(source, node.schema, node.at).members().values(),
      ])
      .map((member) => formatPath(member.resolved().at ?? [])),
  )
}

type Use = SchemaRoot['use']
// A shape that nothing refers to is a finding of its own; what it might serve is not known.
const UNUSED: ReadonlySet<Use> = new Set<Use>(['params', 'config'])
/** What a key can be, and of which kind that is. */
const KEY_TYPES: Readonly<Record<string, 'text' | 'number'>> = {
  string: 'text',
  integer: 'number',
  number: 'number',
}

function shapeAt({ node }: SchemaRoot): string {
  return String(node.at[1])
}

interface Part extends SchemaNode {
  /** Names of the members from the root to here; elements are `[]`, members without a name `*`. */
  readonly path: readonly string[]
}

/** Every schema inside a schema, references not followed. */
function partsOf(node: SchemaNode, path: readonly string[] = []): readonly Part[] {
  const inner = childrenOf(node).flatMap(([edge, child]) =>
    partsOf(child, [...path, ...stepOf(edge)]),
  )
  return [{ ...node, path }, ...inner]
}

function stepOf(edge: SchemaEdge): readonly string[] {
  if (edge.kind === 'branch') return []
  return [edge.kind === 'member' ? edge.name : edge.kind === 'element' ? '[]' : '*']
}

/** What each shape serves, through other shapes too. */
function shapeUses(roots: readonly SchemaRoot[]): ReadonlyMap<string, ReadonlySet<Use>> {
  const uses = new Map<string, Set<Use>>()
  const shapes = new Map(
    roots.filter(({ use }) => use === 'shape').map((root) => [shapeAt(root), root]),
  )
  const mark = ({ node }: SchemaRoot, use: Use): void => {
    for (const { schema } of partsOf(node)) {
      const name = /^#\/shapes\/(.+)$/.exec(schema.$ref ?? '')?.[1]
      const known = uses.get(name ?? '') ?? new Set<Use>()
      if (name === undefined || known.has(use)) continue
      uses.set(name, known.add(use))
      const shape = shapes.get(name)
      if (shape !== undefined) mark(shape, use)
    }
  }
  for (const root of roots) if (root.use !== 'shape') mark(root, root.use)
  return uses
}

interface Subject extends Part {
  readonly lint: Lint
  readonly root: SchemaRoot
  /** What the schema serves; for a shape, what it is used in. */
  readonly uses: ReadonlySet<Use>
  /** The places where keywords of AT_TOP act. */
  readonly named: ReadonlySet<string>
}

const CHECKS: readonly ((subject: Subject) => void)[] = [
  checkOneOf,
  checkAnyOf,
  checkValues,
  checkRequired,
  checkSecret,
  checkPlaces,
  checkHelpFor,
  checkSetBy,
  checkRefersTo,
  checkSatisfiable,
]

/** The generator makes a union of `oneOf`: its members must be told apart by what they require. */
function checkOneOf({ lint, schema, at }: Subject): void {
  const branches = schema.oneOf?.map(
    (branch) => new SchemaView(lint.source, branch).resolved().schema,
  )
  if (branches === undefined) return
  const required = branches.map((branch) => [...(branch.required ?? [])].sort().join('\n'))
  const fits =
    branches.every((branch) => branch.additionalProperties === false) &&
    new Set(required).size === required.length &&
    !required.includes('')
  if (fits) return
  const message = 'oneOf takes closed objects that differ in what they require'
  const hint = 'use closed objects (additionalProperties: false) with different required, or refuse'
  lint.error('schema/one-of', keyAt(...at, 'oneOf'), message, hint)
}

function checkAnyOf({ lint, schema: { anyOf }, at }: Subject): void {
  if (anyOf === undefined) return
  const references = anyOf.filter(({ $ref }) => $ref !== undefined)
  const nulls = anyOf.filter(({ type }) => type === 'null')
  if (anyOf.length === 2 && references.length === 1 && nulls.length === 1) return
  const message = 'anyOf is only a reference that may be null: [{ $ref: … }, { type: "null" }]'
  const hint =
    'for "one of these is needed" use minProperties: 1 on a closed object, or refuse; for several types a list in type'
  lint.error('schema/any-of', keyAt(...at, 'anyOf'), message, hint)
}

// Comparing every element with every other takes seconds for some thousand of them.
const MAX_UNIQUE = 100

function checkValues({ lint, schema, at }: Subject): void {
  const { enum: values = [], type = [], uniqueItems, maxItems = Infinity } = schema
  if (values.includes(null) && ![type].flat().includes('null')) {
    const message = 'null is a value of enum and no type of this schema'
    const hint = 'write type: [string, "null"] next to it'
    lint.error('schema/null-in-enum', keyAt(...at, 'enum'), message, hint)
  }
  if (uniqueItems === true && maxItems > MAX_UNIQUE) {
    const message = `uniqueItems needs maxItems of at most ${MAX_UNIQUE}`
    const hint = `add maxItems: ${MAX_UNIQUE}`
    lint.error('schema/unique-items', keyAt(...at, 'uniqueItems'), message, hint)
  }
}

/** A name that no member has makes a closed object impossible; in a record it is a slip. */
function checkRequired({ lint, schema, at, path, root }: Subject): void {
  const isTop = path.length === 0 && root.use !== 'shape'
  const names = Object.keys(schema.properties ?? {})
  if (!isTop && schema.additionalProperties !== false) return
  for (const [index, name] of (schema.required ?? []).entries()) {
    if (names.includes(name)) continue
    const place = { at: [...at, 'required', index] }
    const message = `"${name}" is required and not declared`
    lint.error('schema/required-unknown', place, message, suggestion(name, names))
  }
}

const SECRET = /(^|_)(password|secret|token|api_key|private_key)$/

function checkSecret({ lint, schema, at, path, uses }: Subject): void {
  const name = path.at(-1) ?? ''
  if (!uses.has('credentials') || !SECRET.test(snakeCase(name)) || typeof at.at(-1) === 'number')
    return
  if (new SchemaView(lint.source, schema).resolved().schema.writeOnly === true) return
  const message = `the credential "${name}" is named like a secret and could be shown`
  lint.error('schema/secret-not-marked', keyAt(...at), message, 'add writeOnly: true')
}

function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()
}

/** Where the added keywords act; elsewhere they would be read and ignored. */
const ACTS_IN: Readonly<Record<string, readonly Use[]>> = {
  default: ['params', 'config'],
  default_from: ['params'],
  writeOnly: ['credentials', 'config'],
  aliases: ['params', 'credentials', 'config'],
  help: ['credentials', 'config'],
  help_for: ['config'],
  form: ['credentials', 'config'],
  set_by: ['credentials', 'config'],
  docs: ['credentials', 'config'],
  example: ['credentials', 'config'],
  refers_to: ['params', 'record', 'result'],
}

/** What to write elsewhere, where that is not the same for all. */
const INSTEAD: Readonly<Record<string, string>> = { example: 'give an example in description' }

/** Those that are read of the members at the top alone. */
const AT_TOP: ReadonlySet<string> = new Set(['aliases', ...FIELD_WORDS])

function checkPlaces({ lint, schema, at, uses, named }: Subject): void {
  for (const [keyword, places] of Object.entries(ACTS_IN)) {
    if (!Object.hasOwn(schema, keyword)) continue
    const place = keyAt(...at, keyword)
    if (!places.some((use) => uses.has(use))) {
      const message = `${keyword} acts in ${places.join(', ')} only`
      const hint = INSTEAD[keyword] ?? 'remove it, or say it in the description'
      lint.error('schema/keyword-out-of-place', place, message, hint)
    } else if (AT_TOP.has(keyword) && !named.has(formatPath(at))) {
      const message = `${keyword} acts at the top of ${places.join(', ')} only`
      lint.error('schema/keyword-out-of-place', place, message, 'remove it')
    }
  }
}

function checkHelpFor({ lint, schema, at }: Subject): void {
  const methods = lint.methods.map(({ name }) => name)
  for (const name of Object.keys(schema.help_for ?? {})) {
    if (methods.includes(name)) continue
    const message = `there is no method "${name}"`
    const place = keyAt(...at, 'help_for', name)
    lint.error('schema/help-for-unknown', place, message, suggestion(name, methods))
  }
}

/** What the connect page does not ask for must not be needed there. */
function checkSetBy({ lint, schema, at, path, uses }: Subject): void {
  if (path.length > 0 || !(uses.has('credentials') || uses.has('config'))) return
  for (const [name, member] of new SchemaView(lint.source, schema, at).members()) {
    const { set_by: setBy, default: fallback } = member.resolved().schema
    if (setBy === undefined || fallback !== undefined || !schema.required?.includes(name)) continue
    const message = `"${name}" is required, and end users are not asked for it`
    const hint = 'give it a default, or leave it out of required'
    const place = keyAt(...at, 'properties', name)
    lint.error('schema/set-by-required', place, message, hint)
  }
}

/** The entity is there, one value names its records, and the schema is of such a value. */
function checkRefersTo({ lint, schema, at }: Subject): void {
  const { refers_to: name } = schema
  if (name === undefined) return
  const report = (rule: string, message: string, hint: string | null): void =>
    lint.error(rule, { at: [...at, 'refers_to'] }, message, hint)
  const target = lint.entity(name)
  if (target === undefined) {
    const hint = suggestion(name, Object.keys(lint.source.entities))
    return report('schema/refers-to-unknown', `there is no entity "${name}"`, hint)
  }
  const { sync } = lint.draft.manifest.entities.find((each) => each.name === name) ?? {}
  const key = keyPath(sync ?? null)
  if (key === null) {
    const [message, hint] =
      sync == null
        ? [
            `${name} has no sync, so nothing says by what its records are named`,
            `add sync to ${name}, or remove it`,
          ]
        : [
            `no single member names a record of ${name}`,
            'remove it: the value cannot be the whole key',
          ]
    return report('schema/refers-to-no-key', message, hint)
  }
  const types = new SchemaView(lint.source, schema).types()
  const found = new SchemaView(lint.source, target.record ?? {}).lookUp(key)
  const views = found.kind === 'found' ? found.views : []
  const declared = views.flatMap((view) => [...view.types()]).filter((type) => type in KEY_TYPES)
  const keys = declared.length === 0 ? Object.keys(KEY_TYPES) : [...new Set(declared)]
  // Every integer is a number.
  const kinds = new Set(keys.map((type) => KEY_TYPES[type]))
  const isOfKey = [...types].some((type) => type in KEY_TYPES && kinds.has(KEY_TYPES[type]))
  if (isOfKey) return
  const message = `a record of ${name} is named by ${key.join('.')}, which is ${inWords(keys.map(kindName))}`
  const hint = types.has('array')
    ? 'in a list it stands at items'
    : `the type here is ${typesOf(schema).join(', ') || 'object'}`
  report('schema/refers-to-type', message, hint)
}

/** A default that its own schema refuses would fail every call that relies on it. */
function lintDefaults(lint: Lint): void {
  const { source, draft } = lint
  const { definitions, config, entities } = draft.manifest
  const inputs = [
    { input: config, at: ['config'] as DocumentPath, schema: source.config },
    ...lint.actions.flatMap((action) => {
      const actions = entities.find(({ name }) => name === action.entity)?.actions
      const input = actions?.find(({ name }) => name === action.name)?.params
      const { params: schema } = action.source
      return input === undefined ? [] : [{ input, at: [...action.at, 'params'], schema }]
    }),
  ]
  for (const { input, at, schema } of inputs) {
    for (const entry of input.defaults) {
      const value = exampleOf(entry)
      if (value === undefined) continue
      const resolved = schemaAt(input.schema, definitions, entry.at)
      const [problem] = resolved === null ? [] : compileValidator(resolved, definitions)(value)
      if (problem === undefined) continue
      const found = SchemaView.closed(source, schema, at).lookUp(entry.at)
      const [node] = found.kind === 'found' ? found.views : []
      const written = node?.resolved().at ?? null
      const keyword = 'value' in entry ? 'default' : 'default_from'
      const place = { at: written === null ? at : [...written, keyword] }
      const message = `the default of "${entry.at.join('.')}" does not fit its own schema: ${problem.detail}`
      const hint = 'change the default, or the schema next to it'
      lint.error('params/default-invalid', place, message, hint)
    }
  }
}

/** A value that the default gives; undefined where it depends on settings. */
function exampleOf(entry: InputDefault): Json | undefined {
  if ('value' in entry) return entry.value
  if (entry.clock === undefined) return undefined
  return compileTemplate(entry.from)({ now: () => SOME_TIME })
}

/** 15 June 2024, when no form of a time lacks a digit. */
const SOME_TIME = 1_718_445_600_000

function schemaAt(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
  path: readonly string[],
): JsonSchema | null {
  let current = dereference(schema, definitions)
  for (const step of path) {
    const member = own(current['properties'], step)
    if (!isJsonObject(member)) return null
    current = dereference(member, definitions)
  }
  return current
}
