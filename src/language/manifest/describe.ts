// What a connector can do, as data.
import { ConnectorError } from '../../errors.ts'
import { withSearch } from './actions.ts'
import { memberNames } from '../expression/member-names.ts'
import type { Path } from '../expression/syntax.ts'
import { changesData } from './changes-data.ts'
import type { JsonObject } from '../json/json.ts'
import { withDefinitions } from './json-schema.ts'
import type { Action, Entity, Manifest, Search } from './manifest.ts'
import { onlyKey } from './named-records.ts'
import { turnsPages } from './pagination-styles.ts'

/** An entity, its actions and their schemas. */
export interface EntityDescription {
  readonly entity: string
  readonly title: string | null
  readonly description: string | null
  readonly record: JsonObject | null
  readonly actions: readonly ActionDescription[]
  /** Searchable fields by name; null where the entity offers no search. */
  readonly searchFields: Readonly<Record<string, string>> | null
  /** Dotted paths below searchable fields that the manifest names: hits are ordered or filtered by them. */
  readonly searchPaths: readonly string[]
  /**
   * The field by whose value its copy takes in what is new, as searches name it where they have it; null: it has no
   * copy, or one that is read as a whole.
   */
  readonly cursorField: string | null
  /** The field whose value names a record, spelled likewise; null: it has no copy, or several name a record together. */
  readonly keyField: string | null
}

export interface ActionDescription {
  readonly action: string
  readonly summary: string | null
  readonly description: string | null
  readonly deprecated: boolean | string
  readonly params: JsonObject
  readonly result: JsonObject | null
  readonly scopes: readonly string[]
  readonly paged: boolean
  /** Changes nothing upstream. */
  readonly safe: boolean
  readonly idempotent: boolean
}

/** Describes all entities, or the one named. Schemas bring the definitions they refer to. Throws `operation_unknown`. */
export function describeEntities(manifest: Manifest, name?: string): readonly EntityDescription[] {
  const entities =
    name === undefined
      ? manifest.entities
      : manifest.entities.filter((entity) => entity.name === name)
  if (name !== undefined && entities.length === 0) {
    const allowed = manifest.entities.map((entity) => entity.name)
    throw new ConnectorError(
      'operation_unknown',
      `${manifest.type} has no entity "${name}"; it has ${allowed.join(', ')}`,
      { errors: [{ pointer: '/entity', code: 'unknown', detail: 'unknown entity', allowed }] },
    )
  }
  return entities.map((entity) => describeEntity(manifest, entity))
}

function describeEntity(manifest: Manifest, entity: Entity): EntityDescription {
  return {
    entity: entity.name,
    title: entity.title,
    description: entity.description,
    record: entity.record === null ? null : withDefinitions(entity.record, manifest.definitions),
    actions: entity.actions.map((action) => describeAction(manifest, action)),
    searchFields:
      entity.search === null
        ? null
        : Object.fromEntries(entity.search.fields.map(({ name, type }) => [name, type])),
    searchPaths: entity.search === null ? [] : searchPaths(entity.search),
    cursorField: spelled(entity, entity.sync?.cursor?.field),
    keyField: spelled(entity, onlyKey(entity.sync)),
  }
}

/** The names of what can be called: the actions, and the search where there is one. */
export function operationNames({ actions, searchFields }: EntityDescription): readonly string[] {
  const names = actions.map(({ action }) => action)
  return withSearch(names, searchFields !== null)
}

/** What has an index of its own, and where searchable fields are taken from that lie below another one. */
function searchPaths({ fields, index }: Search): readonly string[] {
  const names = new Set(fields.map(({ name }) => name))
  const sources = fields.flatMap(({ from }) => memberNames(from)?.join('.') ?? [])
  const paths = [...index.substring, ...index.order, ...sources].filter((path) => {
    const [first = '', ...below] = path.split('.')
    return below.length > 0 && names.has(first)
  })
  return [...new Set(paths)]
}

/** A member of records as searches name it; where they do not have it, its dotted path. */
function spelled({ search }: Entity, path: Path | null | undefined): string | null {
  const name = path == null ? null : (memberNames(path)?.join('.') ?? null)
  const searched = search?.fields.find(({ from }) => memberNames(from)?.join('.') === name)
  return name === null ? null : (searched?.name ?? name)
}

function describeAction(manifest: Manifest, action: Action): ActionDescription {
  const safe = !changesData(action)
  return {
    action: action.name,
    summary: action.summary,
    description: action.description,
    deprecated: action.deprecated,
    params: withDefinitions(action.params.schema, manifest.definitions),
    result: action.result === null ? null : withDefinitions(action.result, manifest.definitions),
    scopes: action.scopes,
    paged: turnsPages(action.pagination),
    safe,
    idempotent: safe || action.retry.idempotent || action.retry.idempotencyKey !== null,
  }
}
