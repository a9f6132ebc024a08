// Asks a schema of a manifest what a path leads to, before anything runs.
import type { DocumentPath } from '../document.ts'
import { FIELD_TYPES, followReferences } from '../schema-nodes.ts'
import type { ManifestSource, SchemaSource, SchemaType } from '../source.ts'

/** What a path leads to. `names`: what stands instead of the step that leads nowhere. */
export type Lookup =
  | { readonly kind: 'found'; readonly views: readonly SchemaView[] }
  /** The path enters an object whose members are not declared. */
  | { readonly kind: 'open' }
  | { readonly kind: 'unknown'; readonly step: number; readonly names: readonly string[] }

const COMBINATIONS = ['anyOf', 'oneOf', 'allOf'] as const

/** A schema as the rules ask it: references followed, alternatives spread out. */
export class SchemaView {
  readonly source: ManifestSource
  readonly schema: SchemaSource
  /** Where it is written; null for what the language itself defines (`client`, `cursor`). */
  readonly at: DocumentPath | null
  /** Closed although it does not say so, as params, credentials and config are. */
  readonly closed: boolean

  constructor(
    source: ManifestSource,
    schema: SchemaSource,
    at: DocumentPath | null = null,
    closed = false,
  ) {
    this.source = source
    this.schema = schema
    this.at = at
    this.closed = closed
  }

  /** The schema at the top of params, config or credentials, which is closed; undefined = no members. */
  static closed(
    source: ManifestSource,
    schema: SchemaSource = { type: 'object', properties: {} },
    at: DocumentPath | null = null,
  ): SchemaView {
    return new SchemaView(source, schema, at, true)
  }

  /** The schema behind references, which were checked: each leads somewhere. */
  resolved(): SchemaView {
    if (this.schema.$ref === undefined) return this
    const { schema, at } = followReferences(this.source, { schema: this.schema, at: this.at ?? [] })
    return new SchemaView(this.source, schema, at, this.closed)
  }

  /** The schemas a value may satisfy: `anyOf`, `oneOf` and `allOf` spread out. */
  alternatives(): readonly SchemaView[] {
    const whole = this.resolved()
    const parts = COMBINATIONS.flatMap((keyword) =>
      (whole.schema[keyword] ?? []).flatMap((part, index) =>
        new SchemaView(
          this.source,
          part,
          whole.#placeOf(keyword, index),
          this.closed,
        ).alternatives(),
      ),
    )
    if (parts.length === 0) return [whole]
    return whole.schema.properties === undefined ? parts : [whole, ...parts]
  }

  /** The types that it admits; all of them when it does not say. */
  types(): ReadonlySet<SchemaType> {
    return new Set(this.alternatives().flatMap(({ schema }) => ownTypes(schema)))
  }

  /** The declared members of an object, those of all alternatives. */
  members(): ReadonlyMap<string, SchemaView> {
    const members = new Map<string, SchemaView>()
    for (const part of this.alternatives())
      for (const [name, schema] of Object.entries(part.schema.properties ?? {}))
        if (!members.has(name)) members.set(name, part.#below(schema, 'properties', name))
    return members
  }

  /** The schemas of the elements of a list; nothing when it does not say. */
  items(): readonly SchemaView[] {
    return this.alternatives().flatMap((part) =>
      part.schema.items === undefined ? [] : [part.#below(part.schema.items, 'items')],
    )
  }

  required(): ReadonlySet<string> {
    return new Set(this.resolved().schema.required)
  }

  /** Follows a path of member names and list places. */
  lookUp(path: readonly string[]): Lookup {
    let views: readonly SchemaView[] = [this]
    for (const [step, name] of path.entries()) {
      const next = views.map((view) => view.#memberOf(name))
      if (next.includes('open')) return { kind: 'open' }
      const found = next.filter((each) => each !== 'open')
      views = found.flatMap((each) => each.views)
      if (views.length === 0) {
        const names = new Set(found.flatMap((each) => each.names))
        return { kind: 'unknown', step, names: [...names] }
      }
    }
    return { kind: 'found', views }
  }

  #memberOf(
    name: string,
  ): 'open' | { readonly views: readonly SchemaView[]; readonly names: readonly string[] } {
    const views: SchemaView[] = []
    const names: string[] = []
    for (const part of this.alternatives()) {
      const { properties = {}, additionalProperties: further, items } = part.schema
      const types = ownTypes(part.schema)
      if (types.includes('object')) {
        if (Object.hasOwn(properties, name))
          views.push(part.#below(properties[name] ?? {}, 'properties', name))
        else if (typeof further === 'object')
          views.push(part.#below(further, 'additionalProperties'))
        else if (further === false || part.closed) names.push(...Object.keys(properties))
        else return 'open'
      }
      if (types.includes('array') && /^\d+$/.test(name)) {
        if (items === undefined) return 'open'
        views.push(part.#below(items, 'items'))
      }
    }
    return { views, names }
  }

  #below(schema: SchemaSource, ...steps: DocumentPath): SchemaView {
    return new SchemaView(this.source, schema, this.#placeOf(...steps))
  }

  #placeOf(...steps: DocumentPath): DocumentPath | null {
    return this.at === null ? null : [...this.at, ...steps]
  }
}

function ownTypes(schema: SchemaSource): readonly SchemaType[] {
  if (schema.type !== undefined) return [schema.type].flat()
  const values = valuesOf(schema)
  if (values !== undefined) return values.map(typeOfValue)
  if (schema.properties !== undefined) return ['object']
  if (schema.items !== undefined) return ['array']
  return [...FIELD_TYPES, 'null']
}

/** The values that a schema lists; undefined where it lists none. */
export function valuesOf(schema: SchemaSource): SchemaSource['enum'] {
  return schema.const === undefined ? schema.enum : [schema.const]
}

/** The type of a value as schemas name it. */
export function typeOfValue(value: unknown): SchemaType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (typeof value === 'string') return 'string'
  return typeof value === 'boolean' ? 'boolean' : 'object'
}
