// Schemas: only what the type generator can read, keywords where they act, secrets
// marked as such. Source: docs/manifest-language.md, "Entities, actions, schemas".
import type { Json } from '../../json/json.ts'
import { isJsonObject } from '../../json/members.ts'
import { type DocumentPath, formatPath, problemAt } from '../document.ts'
import { actionsOf, entitiesOf, type ManifestDraft, methodsOf } from '../draft.ts'
import type { InputSchema, JsonSchema } from '../manifest.ts'
import type { ManifestProblem } from '../problem.ts'
import { childrenOf, type SchemaEdge, type SchemaNode } from '../schema-nodes.ts'
import type { ManifestSource, SchemaSource } from '../source.ts'
import { suggestion } from '../suggest.ts'
import { compileValidator } from '../validator.ts'
import { closedNode, lookUp, membersOf, resolveNode } from './schema-walk.ts'

/** Findings about the schemas of a manifest. */
export function lintSchemas(draft: ManifestDraft): readonly ManifestProblem[] {
  const roots = schemasOf(draft.source)
  const ofShape = shapeUses(roots)
  const named = topMembers(draft.source, roots)
  const problems = roots.flatMap((root) => {
    const uses = (root.use === 'shape' ? ofShape.get(shapeAt(root)) : null) ?? UNUSED
    const own = root.use === 'shape' ? uses : new Set([root.use])
    return partsOf(root).flatMap((part) =>
      CHECKS.flatMap((check) => check({ draft, ...part, root, uses: own, named }) ?? []),
    )
  })
  return [...problems, ...lintDefaults(draft)]
}

/** The places of the members at the top of params, credentials and config: there names of their own are read. */
function topMembers(source: ManifestSource, roots: readonly Root[]): ReadonlySet<string> {
  return new Set(
    roots
      .filter(({ use }) => ACTS_IN['aliases']?.includes(use) === true)
      .flatMap(({ schema, at }) => [...membersOf(source, closedNode(schema, at)).values()])
      .map((member) => formatPath(resolveNode(source, member).at ?? [])),
  )
}

type Use = 'params' | 'record' | 'result' | 'credentials' | 'config' | 'shape'
// A shape that nothing refers to is a finding of its own; what it might serve is not known.
const UNUSED: ReadonlySet<Use> = new Set<Use>(['params', 'config'])

interface Root {
  readonly use: Use
  readonly schema: SchemaSource
  readonly at: DocumentPath
}

function schemasOf(source: ManifestSource): readonly Root[] {
  const root = (use: Use, schema: SchemaSource | undefined, at: DocumentPath): readonly Root[] =>
    schema === undefined ? [] : [{ use, schema, at }]
  return [
    ...root('config', source.config, ['config']),
    ...methodsOf(source).flatMap(({ at, source: { credentials } }) =>
      root('credentials', credentials, [...at, 'credentials']),
    ),
    ...entitiesOf(source).flatMap(({ at, source: { record } }) =>
      root('record', record, [...at, 'record']),
    ),
    ...actionsOf(source).flatMap(({ at, source: { params, result } }) => [
      ...root('params', params, [...at, 'params']),
      ...root('result', result, [...at, 'result']),
    ]),
    ...Object.entries(source.shapes ?? {}).flatMap(([name, shape]) =>
      root('shape', shape, ['shapes', name]),
    ),
  ]
}

function shapeAt({ at }: Root): string {
  return String(at[1])
}

interface Part extends SchemaNode {
  /** Names of the members from the root to here; elements are `[]`, members without a name `*`. */
  readonly path: readonly string[]
}

/** Every schema inside a schema, references not followed. */
function partsOf({ schema, at }: SchemaNode, path: readonly string[] = []): readonly Part[] {
  const inner = childrenOf({ schema, at }).flatMap(([edge, child]) =>
    partsOf(child, [...path, ...STEP[edge.kind](edge)]),
  )
  return [{ schema, at, path }, ...inner]
}

const STEP: Readonly<Record<SchemaEdge['kind'], (edge: SchemaEdge) => readonly string[]>> = {
  member: (edge) => (edge.kind === 'member' ? [edge.name] : []),
  element: () => ['[]'],
  others: () => ['*'],
  branch: () => [],
}

/** What each shape serves, through other shapes too. */
function shapeUses(places: readonly Root[]): ReadonlyMap<string, ReadonlySet<Use>> {
  const uses = new Map<string, Set<Use>>()
  const shapes = new Map(
    places.filter(({ use }) => use === 'shape').map((place) => [shapeAt(place), place]),
  )
  const mark = (place: Root, use: Use): void => {
    for (const name of partsOf(place).flatMap(({ schema }) => shapeName(schema))) {
      const known = uses.get(name) ?? new Set<Use>()
      if (known.has(use)) continue
      uses.set(name, known.add(use))
      const shape = shapes.get(name)
      if (shape !== undefined) mark(shape, use)
    }
  }
  for (const place of places) if (place.use !== 'shape') mark(place, place.use)
  return uses
}

function shapeName({ $ref }: SchemaSource): readonly string[] {
  const name = /^#\/shapes\/(.+)$/.exec($ref ?? '')?.[1]
  return name === undefined ? [] : [name]
}

interface Subject extends Part {
  readonly draft: ManifestDraft
  readonly root: Root
  /** What the schema serves; for a shape, what it is used in. */
  readonly uses: ReadonlySet<Use>
  /** The places where aliases act. */
  readonly named: ReadonlySet<string>
}
type Check = (subject: Subject) => ManifestProblem | readonly ManifestProblem[] | null

const CHECKS: readonly Check[] = [
  checkOneOf,
  checkAnyOf,
  checkNullInEnum,
  checkUniqueItems,
  checkRequired,
  checkSecret,
  checkPlaces,
]

function problem(
  { draft, at }: Subject,
  keyword: string,
  rule: string,
  message: string,
  hint: string | null,
): ManifestProblem {
  return problemAt(draft.document, {
    at: [...at, keyword],
    part: 'key',
    rule: `schema/${rule}`,
    message,
    hint,
  })
}

/** The generator makes a union of `oneOf`: its members must be told apart by what they require. */
function checkOneOf(subject: Subject): ManifestProblem | null {
  const { oneOf } = subject.schema
  if (oneOf === undefined) return null
  const branches = oneOf.map((branch) => {
    const { schema } = resolveNode(subject.draft.source, {
      schema: branch,
      at: null,
      closed: false,
    })
    return schema
  })
  const required = branches.map((branch) => [...(branch.required ?? [])].sort().join('\n'))
  const fits =
    branches.every((branch) => branch.additionalProperties === false) &&
    new Set(required).size === required.length &&
    !required.includes('')
  if (fits) return null
  const hint = 'use closed objects (additionalProperties: false) with different required, or refuse'
  return problem(
    subject,
    'oneOf',
    'one-of',
    'oneOf takes closed objects that differ in what they require',
    hint,
  )
}

function checkAnyOf(subject: Subject): ManifestProblem | null {
  const { anyOf } = subject.schema
  if (anyOf === undefined) return null
  const references = anyOf.filter(({ $ref }) => $ref !== undefined)
  const nulls = anyOf.filter(({ type }) => type === 'null')
  if (anyOf.length === 2 && references.length === 1 && nulls.length === 1) return null
  const hint =
    'for "one of these is needed" use minProperties: 1 on a closed object, or refuse; for several types a list in type'
  return problem(
    subject,
    'anyOf',
    'any-of',
    'anyOf is only a reference that may be null: [{ $ref: … }, { type: "null" }]',
    hint,
  )
}

function checkNullInEnum(subject: Subject): ManifestProblem | null {
  const { enum: values, type } = subject.schema
  if (values?.includes(null) !== true || typeIncludesNull(type)) return null
  return problem(
    subject,
    'enum',
    'null-in-enum',
    'null is a value of enum and no type of this schema',
    'write type: [string, "null"] beside it',
  )
}

function typeIncludesNull(type: SchemaSource['type']): boolean {
  return type === 'null' || (Array.isArray(type) && type.includes('null'))
}

// Comparing every element with every other takes seconds for some thousand of them.
const MOST_UNIQUE = 100

function checkUniqueItems(subject: Subject): ManifestProblem | null {
  const { uniqueItems, maxItems } = subject.schema
  if (uniqueItems !== true || (maxItems !== undefined && maxItems <= MOST_UNIQUE)) return null
  return problem(
    subject,
    'uniqueItems',
    'unique-items',
    `uniqueItems needs maxItems of at most ${MOST_UNIQUE}`,
    `add maxItems: ${MOST_UNIQUE}`,
  )
}

/** A name that no member has makes a closed object impossible; in a record it is a slip. */
function checkRequired(subject: Subject): readonly ManifestProblem[] {
  const { draft, schema, at, path, root } = subject
  const top = path.length === 0 && root.use !== 'shape'
  const names = Object.keys(schema.properties ?? {})
  if (!top && schema.additionalProperties !== false) return []
  return (schema.required ?? []).flatMap((name, index) =>
    names.includes(name)
      ? []
      : [
          problemAt(draft.document, {
            at: [...at, 'required', index],
            rule: 'schema/required-unknown',
            message: `"${name}" is required and not declared`,
            hint: suggestion(name, names),
          }),
        ],
  )
}

const SECRET = /(^|_)(password|secret|token|api_key|private_key)$/

function checkSecret({ draft, schema, at, path, uses }: Subject): ManifestProblem | null {
  const name = path.at(-1) ?? ''
  if (!uses.has('credentials') || schema.writeOnly === true) return null
  if (!SECRET.test(snakeCase(name)) || typeof at.at(-1) === 'number') return null
  const resolved = resolveNode(draft.source, { schema, at, closed: false }).schema
  if (typeof resolved === 'object' && resolved.writeOnly === true) return null
  return problemAt(draft.document, {
    at,
    part: 'key',
    rule: 'schema/secret-not-marked',
    message: `the credential "${name}" is named like a secret and could be shown`,
    hint: 'add writeOnly: true',
  })
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
}

function checkPlaces(subject: Subject): readonly ManifestProblem[] {
  const { schema, at, uses, named } = subject
  return Object.entries(ACTS_IN).flatMap(([keyword, places]) => {
    if (!Object.hasOwn(schema, keyword)) return []
    const rule = 'keyword-out-of-place'
    if (!places.some((place) => uses.has(place))) {
      const message = `${keyword} acts in ${places.join(', ')} only`
      return [problem(subject, keyword, rule, message, 'remove it, or say it in the description')]
    }
    if (keyword !== 'aliases' || named.has(formatPath(at))) return []
    const message = 'aliases act at the top of params, credentials and config only'
    return [problem(subject, keyword, rule, message, 'remove them')]
  })
}

/** A default that its own schema refuses would fail every call that relies on it. */
function lintDefaults(draft: ManifestDraft): readonly ManifestProblem[] {
  const { manifest, source } = draft
  const inputs: readonly (readonly [
    input: InputSchema,
    at: DocumentPath,
    schema: SchemaSource | undefined,
  ])[] = [
    [manifest.config, ['config'], source.config],
    ...manifest.entities.flatMap((entity) =>
      entity.actions.map((action) => {
        const params = source.entities[entity.name]?.actions[action.name]?.params
        return [
          action.params,
          ['entities', entity.name, 'actions', action.name, 'params'],
          params,
        ] as const
      }),
    ),
  ]
  return inputs.flatMap(([input, at, schema]) =>
    input.defaults.flatMap((entry) => {
      if (!('value' in entry)) return []
      const resolved = schemaAt(input.schema, manifest.definitions, entry.at)
      const [problem] =
        resolved === null ? [] : compileValidator(resolved, manifest.definitions)(entry.value)
      if (problem === undefined) return []
      const found = lookUp(source, closedNode(schema, at), entry.at)
      const [node] = found.kind === 'found' ? found.nodes : []
      const place = node === undefined ? null : resolveNode(source, node).at
      return [
        problemAt(draft.document, {
          at: place === null ? at : [...place, 'default'],
          rule: 'params/default-invalid',
          message: `the default of "${entry.at.join('.')}" does not fit its own schema: ${problem.detail}`,
          hint: null,
        }),
      ]
    }),
  )
}

/** The resolved schema of a member. */
function schemaAt(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
  path: readonly string[],
): JsonSchema | null {
  let current: Json | undefined = schema
  for (const step of [...path, null]) {
    while (isJsonObject(current) && typeof current['$ref'] === 'string') {
      current = definitions[current['$ref'].replace('#/definitions/', '')]
    }
    if (step === null) break
    const members: Json | undefined = isJsonObject(current) ? current['properties'] : undefined
    current = isJsonObject(members) && Object.hasOwn(members, step) ? members[step] : undefined
  }
  return isJsonObject(current) ? current : null
}
