// What the copies of every manifest hold: each searchable field comes with what the sync asks for, or the manifest says why not.
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import type { Json, JsonObject } from '../../src/language/json/json.ts'
import { compilePath } from '../../src/language/expression/pick.ts'
import type { Manifest } from '../../src/language/manifest/manifest.ts'
import { cursorMs, startMs } from '../../src/copy/sync/slices.ts'
import { syncedEntities, type SyncedEntity } from '../../src/copy/sync/synced-entity.ts'
import { sandbox } from '../../src/sandbox/testing/index.ts'
import { readShippedManifest } from './run-operation.ts'

const NOW_MS = Date.parse('2026-06-01T09:00:00Z')
/** What records of the demo data cannot show: its projects are all live. */
const BEYOND_DEMO: Readonly<Record<string, readonly string[]>> = {
  'jira projects': [
    'archived',
    'archivedBy',
    'archivedDate',
    'deleted',
    'deletedBy',
    'deletedDate',
    'retentionTillDate',
  ],
}
/** Parents whose children are read: enough to meet every kind of child in the demo data. */
const MOST_PARENTS = 40

/** Connectors of which something is searched, or read by what changed: a manifest need not have either. */
const types = readdirSync('manifests')
  .flatMap((file) => /^(.*)\.yaml$/.exec(file)?.[1] ?? [])
  .filter((type) =>
    [...syncedEntities(readShippedManifest(type)).values()].some(
      ({ entity, sync }) => entity.search !== null || sync.cursor !== null,
    ),
  )

describe.for(types)('copies of %s', async (type) => {
  const manifest = readShippedManifest(type)
  const entities = syncedEntities(manifest)
  const named = (name: string): SyncedEntity => {
    const synced = entities.get(name)
    if (synced === undefined) throw new Error(`${name} is not synchronized`)
    return synced
  }
  async function parentsOf(
    reader: Reader,
    { sync: { parent } }: SyncedEntity,
  ): Promise<readonly (Json | null)[]> {
    if (parent === null) return [null]
    return (await reader.read(named(parent.entity))).slice(0, MOST_PARENTS)
  }
  const searchable = [...entities.values()].filter(({ entity }) => entity.search !== null)

  test.for(searchable.map(({ name }) => name))('%s has every searchable field', async (name) => {
    const synced = named(name)
    await using reader = await openReader(type, manifest)
    const parents = await parentsOf(reader, synced)
    const found = new Set<string>()
    for (const parent of parents) {
      for (const record of await reader.read(synced, { parent })) {
        for (const { name: field, from } of synced.entity.search?.fields ?? []) {
          const answer = { status: 200, headers: {}, url: '', body: record, parent }
          if (compilePath(from)(answer) !== undefined) found.add(field)
        }
      }
    }
    const { fields = [], unfilled = {} } = synced.entity.search ?? {}
    const missing = fields.map((field) => field.name).filter((field) => !found.has(field))
    const expected = [...Object.keys(unfilled), ...(BEYOND_DEMO[`${type} ${name}`] ?? [])]
    expect(missing.toSorted()).toEqual(expected.toSorted())
  })

  const advancing = [...entities.values()].filter(({ sync }) => sync.cursor !== null)
  test.for(advancing.map(({ name }) => name))(
    '%s is asked for what is new, and for all of it',
    async (name) => {
      const synced = named(name)
      await using reader = await openReader(type, manifest)
      const timeOf = (record: Json): number => cursorMs(synced.cursorOf(record)) ?? Number.NaN
      const parents = await parentsOf(reader, synced)
      const readAll = async (sinceMs?: number): Promise<readonly (readonly number[])[]> => {
        const lists: (readonly number[])[] = []
        for (const parent of parents)
          lists.push(
            (await reader.read(synced, { parent, ...(sinceMs !== undefined && { sinceMs }) })).map(
              timeOf,
            ),
          )
        return lists
      }
      const lists = await readAll()
      if (synced.sync.cursor?.newestFirst === true) {
        // A run ends with the first page that is old, so nothing new may stand behind it.
        expect(lists.some((each) => each.length > 1)).toBe(true)
        expect(lists).toEqual(lists.map((each) => each.toSorted((a, b) => b - a)))
        return
      }
      const all = lists.flat()
      const times = all.toSorted((a, b) => a - b)
      const middleMs = times[times.length >> 1] ?? Number.NaN
      const news = (await readAll(middleMs + 1)).flat()
      const later = times.filter((ms) => ms > middleMs)
      expect([later.length > 0, news.length < all.length]).toEqual([true, true])
      expect(news.filter((ms) => ms > middleMs).toSorted((a, b) => a - b)).toEqual(later)
    },
  )
})

interface Reader extends AsyncDisposable {
  readonly config: JsonObject
  /** All records of a listing as the sync asks for it, over all values of `each`. */
  read(
    synced: SyncedEntity,
    asked?: { readonly parent?: Json; readonly sinceMs?: number; readonly value?: Json },
  ): Promise<readonly Json[]>
}

async function openReader(type: string, manifest: Manifest): Promise<Reader> {
  const vendor = await sandbox(type, { now: NOW_MS })
  const options = vendor.options()
  const client = await connect(manifest, { ...options, onCredentials: () => {} })
  const config = options.config ?? {}
  return {
    config,
    async read(synced, { parent = null, sinceMs, value } = {}) {
      const { cursor } = synced.sync
      const start = cursor === null ? null : startMs(cursor, NOW_MS)
      const records: Json[] = []
      for (const each of value === undefined ? synced.valuesOf(config) : [value]) {
        let params: JsonObject | null = synced.paramsOf({
          config,
          value: each,
          sinceMs: sinceMs ?? start,
          untilMs: NOW_MS,
          parent,
          reconcile: false,
        })
        while (params !== null) {
          const page = await client.execute(synced.name, synced.listing.name, params)
          const { data, meta } = JSON.parse(JSON.stringify(page)) as Envelope
          records.push(...data)
          params = meta.next === null ? null : { ...params, ...meta.next }
        }
      }
      return records
    },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]()
      await vendor[Symbol.asyncDispose]()
    },
  }
}

test.for(['images', 'videos'])(
  'Facebook promises no order of %s: every run reads all of them',
  (name) => {
    const synced = syncedEntities(readShippedManifest('facebook-marketing')).get(name)
    expect(synced?.sync.cursor).toBeNull()
  },
)

test('settings choose what the copy of Jira issues holds', async () => {
  const manifest = readShippedManifest('jira')
  const synced = syncedEntities(manifest).get('issues')
  await using vendor = await sandbox('jira', { now: NOW_MS })
  const settings = { issues_expand: 'operations,editmeta', issue_properties: 'risk,team' }
  const options = vendor.options()
  const config = { ...options.config, ...settings }
  await using client = await connect(manifest, { ...options, config, onCredentials: () => {} })
  const first = { config, value: null, sinceMs: 0, untilMs: NOW_MS, parent: null, reconcile: false }
  const params = synced?.paramsOf(first) ?? {}
  expect(params).toMatchObject({ expand: 'operations,editmeta', properties: 'risk,team' })
  const page = await client.execute('issues', 'api_search', params)
  const [issue] = (JSON.parse(JSON.stringify(page)) as Envelope).data
  expect(issue).toMatchObject({ operations: {}, editmeta: {}, properties: {} })
  expect(issue).not.toHaveProperty('changelog')
  const broken = { ...config, issues_expand: 'versionedRepresentations' }
  await expect(connect(manifest, { ...options, config: broken })).rejects.toMatchObject({
    code: 'config_invalid',
  })
})

test('archived and deleted projects are asked for', () => {
  const synced = syncedEntities(readShippedManifest('jira')).get('projects')
  const first = { config: {}, value: null, sinceMs: null, untilMs: NOW_MS, parent: null }
  expect(synced?.paramsOf({ ...first, reconcile: false })).toEqual({
    expand: 'description,lead,issueTypes,url,insight',
    status: ['live', 'archived', 'deleted'],
    maxResults: 100,
  })
})

interface Envelope {
  readonly data: readonly Json[]
  readonly meta: { readonly next: JsonObject | null }
}
