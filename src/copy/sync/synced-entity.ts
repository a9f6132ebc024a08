// An entity as a sync sees it: its listing, how rows are made of records, and what hangs on it. Pure.
import { compileTemplate } from '../../language/expression/evaluate.ts'
import { memberNames } from '../../language/expression/member-names.ts'
import { compileBodyPath } from '../../language/expression/pick.ts'
import type { Path } from '../../language/expression/syntax.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject, mergeObjects, withMember } from '../../language/json/members.ts'
import { parseJson } from '../../language/json/parse-json.ts'
import { readsOneRecord } from '../../language/manifest/actions.ts'
import { changesData } from '../../language/manifest/changes-data.ts'
import type { Action, Entity, Manifest, Search, Sync } from '../../language/manifest/manifest.ts'
import { isRetyped, type SearchLayout, searchLayout } from '../search/layout.ts'
import { createRowMaker, type RowMaker } from '../search/row.ts'
import type { StoredDocument } from '../search/search-index.ts'
import { boundOf, isoOf } from './slices.ts'

export interface SyncedEntity {
  readonly name: string
  readonly entity: Entity
  readonly sync: Sync
  readonly listing: Action
  /** Null: a single record cannot be asked for. */
  readonly get: Action | null
  readonly layout: SearchLayout
  readonly toRow: RowMaker
  /** Entities that are read once per record of this one. */
  readonly children: readonly string[]
  readonly cursorOf: (record: Json) => Json | undefined
  /** Parameters of the first page of a listing. */
  readonly paramsOf: (listing: ListingInput) => JsonObject
  /** One per run over the listing; `[null]` where the listing is one. */
  readonly valuesOf: (config: JsonObject) => readonly Json[]
  /** Parameters that the sync gives to every listing, for other actions with parameters of the same names. */
  readonly constantParams: (config: JsonObject) => JsonObject
  /** Parameters by which a parent is named, for the same. */
  readonly parentParams: (parent: Json) => JsonObject
}

export interface ListingInput {
  readonly config: JsonObject
  /** The value of `each`; null without it. */
  readonly value: Json
  readonly sinceMs: number | null
  readonly untilMs: number
  readonly parent: Json | null
  /** Whether only keys are wanted. */
  readonly reconcile: boolean
}

/** Every entity of a manifest that is synchronized, by name, in the order of the manifest. */
export function syncedEntities(manifest: Manifest): ReadonlyMap<string, SyncedEntity> {
  const entities = new Map<string, SyncedEntity>()
  for (const entity of manifest.entities) {
    const { sync } = entity
    if (sync !== null) entities.set(entity.name, compileEntity(manifest, entity, sync))
  }
  return entities
}

function compileEntity(manifest: Manifest, entity: Entity, sync: Sync): SyncedEntity {
  const children = manifest.entities.filter((other) => other.sync?.parent?.entity === entity.name)
  const layout = searchLayout({ ...entity, search: entity.search ?? keptMembers(sync, children) })
  const listing = entity.actions.find(({ name }) => name === sync.action)
  // An entity with `search` has a layout, and the lint has found the action.
  if (layout === null || listing === undefined)
    throw new TypeError(`${entity.name} cannot be synchronized`)
  const params = compileTemplate(sync.params)
  const reconciling =
    sync.reconcile?.params == null ? params : compileTemplate(sync.reconcile.params)
  const values = sync.each === null ? null : compileTemplate(sync.each.values)
  const { cursor, each, parent } = sync
  const bind = (parent?.bind ?? []).map(({ param, from }) => ({
    param,
    read: compileBodyPath(from),
  }))
  return {
    name: entity.name,
    entity,
    sync,
    listing,
    get:
      entity.actions.find((action) => readsOneRecord(action.name) && !changesData(action)) ?? null,
    layout,
    toRow: createRowMaker({ layout, primaryKey: sync.primaryKey, ignore: sync.ignore }),
    children: children.map(({ name }) => name),
    cursorOf: cursor === null ? () => undefined : compileBodyPath(cursor.field),
    paramsOf({ config, value, sinceMs, untilMs, parent, reconcile }) {
      const found = (reconcile ? reconciling : params)({
        config,
        maps: manifest.maps,
        cursor: { ...(sinceMs === null ? {} : { since: isoOf(sinceMs) }), until: isoOf(untilMs) },
        ...(parent === null ? {} : { parent }),
      })
      const patches: JsonObject[] = []
      if (each !== null) patches.push(withMember({}, each.param, value))
      for (const { param, read } of bind) {
        const bound = parent === null ? undefined : read(parent)
        if (bound !== undefined) patches.push(withMember({}, param, bound))
      }
      if (cursor !== null && cursor.since !== null && sinceMs !== null)
        patches.push(withMember({}, cursor.since, boundOf(cursor.format, sinceMs)))
      if (cursor !== null && cursor.until !== null) {
        // A vendor whose end belongs to the range is given the last instant before ours, which does not.
        const lastMs = cursor.inclusive ? untilMs - 1 : untilMs
        patches.push(withMember({}, cursor.until, boundOf(cursor.format, lastMs)))
      }
      return patches.reduce(mergeObjects, isJsonObject(found) ? found : {})
    },
    valuesOf(config) {
      if (values === null) return [null]
      const list = values({ config, maps: manifest.maps })
      return Array.isArray(list) ? list : []
    },
    constantParams(config) {
      const found = params({ config, maps: manifest.maps, cursor: {} })
      return isJsonObject(found) ? found : {}
    },
    parentParams(parent) {
      const named: Record<string, Json> = {}
      for (const { param, read } of bind) {
        const [name] = param
        const value = read(parent)
        if (name !== undefined && param.length === 1 && value !== undefined) named[name] = value
      }
      return named
    },
  }
}

/** What must be kept of records that are not searched: their keys, their cursor, and what their children are asked with. */
function keptMembers(sync: Sync, children: readonly Entity[]): Search {
  const paths: readonly Path[] = [
    ...sync.primaryKey,
    ...(sync.cursor === null ? [] : [sync.cursor.field]),
    ...children.flatMap((child) => [
      ...(child.sync?.parent?.bind ?? []).map(({ from }) => from),
      ...(child.search?.fields ?? []).flatMap(({ from }) =>
        from.root === 'parent' ? [{ ...from, root: 'body' as const }] : [],
      ),
    ]),
  ]
  const names = new Set(
    paths.flatMap(({ steps: [first] }) => (first?.kind === 'member' ? [first.name] : [])),
  )
  return {
    fields: [...names].map((name) => ({
      name,
      type: 'string',
      from: { root: 'body', steps: [{ kind: 'member', name }], source: `$.${name}` },
    })),
    unfilled: {},
    index: { order: [], substring: [], noWords: [] },
  }
}

/** A record as far as its copy has it: every searchable member at its place. */
export function recordOf({ layout, sync }: SyncedEntity, stored: StoredDocument): JsonObject {
  // Written by us as an object.
  const document = parseJson(stored.doc, { maxDepth: 1_000 }) as JsonObject
  let record: JsonObject = {}
  for (const field of layout.fields) {
    const value = document[field.name]
    const place = memberNames(field.from)
    if (value === undefined || place === null) continue
    // The record's own member is in the form that the third party gave it.
    if (isRetyped(field) && compileBodyPath(field.from)(record) !== undefined) continue
    record = withMember(record, place, value)
  }
  const [key, ...more] = sync.primaryKey
  const place = key === undefined || more.length > 0 ? null : memberNames(key)
  const isKept = key !== undefined && compileBodyPath(key)(record) !== undefined
  return place === null || isKept ? record : withMember(record, place, stored.recordId)
}
