// A vendor of notes that can go wrong in every way a listing can, with the engine that reads it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSystemClock } from '../../../src/engine/adapters/system-clock.ts'
import { openSqliteSearchIndex } from '../../../src/copy/sqlite/sqlite-search-index.ts'
import { createUndiciTransport } from '../../../src/engine/adapters/undici-transport.ts'
import { loadManifest } from '../../../src/client/load-manifest.ts'
import { manifestOf } from '../../../src/client/packaged.ts'
import { createCredentialKeeper } from '../../../src/engine/credentials/keeper.ts'
import { Engine } from '../../../src/engine/engine.ts'
import { Breaker } from '../../../src/engine/exchange/breaker.ts'
import { Budget } from '../../../src/engine/exchange/budget.ts'
import { Exchange } from '../../../src/engine/exchange/call.ts'
import type { Clock } from '../../../src/engine/exchange/clock.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import type { Manifest } from '../../../src/language/manifest/manifest.ts'
import { createSealer } from '../../../src/engine/run/seal.ts'
import { readSearch } from '../../../src/copy/search/read-query.ts'
import type { SearchIndex } from '../../../src/copy/search/search-index.ts'
import { createEngineUpstream } from '../../../src/service/sync/engine-upstream.ts'
import { boundsOf, type OperatorBounds } from '../../../src/copy/sync/bounds.ts'
import type { LeaseTimes } from '../../../src/copy/sync/held-lease.ts'
import type { SyncMode } from '../../../src/copy/sync/run-kind.ts'
import { syncEntity, type SyncOutcome } from '../../../src/copy/sync/run-sync.ts'
import { syncedEntities } from '../../../src/copy/sync/synced-entity.ts'
import type { Upstream } from '../../../src/copy/sync/sync-run.ts'
import type { SyncPorts } from '../../../src/copy/sync/sync-run.ts'
import { createHttpVendor, type HttpVendor } from '../../faults/http-vendor.ts'

export interface Note {
  readonly id: string
  readonly text: string
  /** ISO, or epoch milliseconds where a test wants them. */
  readonly updated: string
}

/** What is wrong with the answer to one page. */
export type PageFault =
  | 'empty'
  | 'null'
  | 'half'
  | 'html'
  | 'truncated'
  | 'repeated cursor'
  | 'always another cursor'
  | 'endless cursor'
  | 'duplicate page'
  | 'expired cursor'
  | 'status'
  | 'too many requests'
  /** With `Retry-After: 30`. */
  | 'asks to wait'

export interface NotesVendor extends AsyncDisposable {
  readonly http: HttpVendor
  readonly notes: Map<string, Note>
  /** Comments by note. */
  readonly comments: Map<string, { readonly id: string; readonly body: string }[]>
  /** Page number (from 1) → what is wrong with it; `once` is forgotten when it has happened. */
  fault: { readonly page: number; readonly kind: PageFault; readonly once: boolean } | null
  /** Listings begun. */
  listings: number
  pageSize: number
  /** How long every answer takes. */
  delayMs: number
  /** What every answer waits for. */
  answersAfter: Promise<unknown>
  /** What the comments of notes wait for. */
  commentsAfter: Promise<unknown>
  /** What the listing says that there are; null: nothing. */
  total: number | null
  /** The member that holds the next cursor; another name than `next` hides it from the manifest. */
  pointer: string
  /** The note whose comments come again and again; null: none. */
  neverEnds: string | null
  /** There is always another note. */
  isEndless: boolean
  /** Notes that are not found by their own address either, although they are listed. */
  isLost: (id: string) => boolean
}

export async function createNotesVendor(count: number): Promise<NotesVendor> {
  const notes = new Map<string, Note>()
  for (let n = 1; n <= count; n++) notes.set(idOf(n), noteOf(n))
  const comments = new Map<string, { readonly id: string; readonly body: string }[]>()
  const cut = new Map<string, number>()
  const http = await createHttpVendor(async (request, response) => {
    // Waits for time: it is slow.
    if (vendor.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, vendor.delayMs))
    await vendor.answersAfter
    const url = new URL(request.url, 'http://vendor')
    const json = (status: number, body: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify(body))
    }
    const [, kind, id, below] = url.pathname.split('/')
    if (kind === 'notes' && below === 'comments') {
      await vendor.commentsAfter
      if (!notes.has(id ?? '') || vendor.isLost(id ?? ''))
        return json(404, { error: 'no such note' })
      const all = comments.get(id ?? '') ?? []
      if (vendor.neverEnds === id) {
        const turn = Number(url.searchParams.get('cursor') ?? 0) + 1
        return json(200, { items: all, next: String(turn) })
      }
      const limit = Number(url.searchParams.get('limit') ?? all.length)
      const end = Number(url.searchParams.get('cursor') ?? 0) + limit
      return json(200, {
        items: all.slice(end - limit, end),
        next: end < all.length ? String(end) : undefined,
      })
    }
    if (id !== undefined) {
      const note = notes.get(id)
      return note === undefined || vendor.isLost(id)
        ? json(404, { error: 'no such note' })
        : json(200, note)
    }
    const since = url.searchParams.get('since') ?? ''
    const cursor = url.searchParams.get('cursor') ?? '0'
    const at = Number.parseInt(cursor, 10)
    // Of a listing that goes round: every round has other cursors.
    const round = /x\d+$/.exec(cursor)?.[0] ?? ''
    if (at === 0) vendor.listings += 1
    if (vendor.isEndless)
      for (let n = notes.size + 1; n <= at + 2 * vendor.pageSize; n++) notes.set(idOf(n), noteOf(n))
    const all = [...notes.values()].filter(
      ({ updated }) => since === '' || Date.parse(updated) >= Date.parse(since),
    )
    const page = at / vendor.pageSize + 1
    const records = all.slice(at, at + vendor.pageSize)
    const next = at + vendor.pageSize < all.length ? `${at + vendor.pageSize}${round}` : undefined
    const fault = vendor.fault?.page === page ? vendor.fault : null
    if (fault?.once === true) vendor.fault = null
    switch (fault?.kind) {
      case 'empty':
        return json(200, { items: [], next })
      case 'null':
        return json(200, { items: null, next })
      case 'half':
        return json(200, { items: records.slice(0, records.length >> 1), next })
      case 'html':
        response.writeHead(200, { 'content-type': 'text/html' })
        response.end('<html>Sign in</html>')
        return undefined
      case 'truncated': {
        const text = JSON.stringify({ items: records, next })
        response.writeHead(200, {
          'content-type': 'application/json',
          'content-length': String(text.length),
        })
        response.write(text.slice(0, text.length >> 1))
        setImmediate(() => response.destroy())
        return undefined
      }
      case 'repeated cursor':
        return json(200, { items: records, next: String(at) })
      case 'always another cursor': {
        // It leads to the beginning of the listing, and was never given before.
        const turn = (cut.get('another') ?? 0) + 1
        cut.set('another', turn)
        return json(200, { items: records, next: `0x${turn}` })
      }
      case 'endless cursor': {
        const turn = (cut.get('endless') ?? 0) + 1
        cut.set('endless', turn)
        return json(200, { items: records, next: turn % 2 === 0 ? String(at) : '0' })
      }
      case 'duplicate page':
        return json(200, {
          items: all.slice(Math.max(0, at - vendor.pageSize), Math.max(vendor.pageSize, at)),
          next,
        })
      case 'expired cursor':
        return json(400, { error: 'cursor expired' })
      case 'status':
        return json(500, { error: 'sorry' })
      case 'too many requests':
        return json(429, { error: 'later' })
      case 'asks to wait':
        return json(429, { error: 'later' }, { 'retry-after': '30' })
      case undefined:
        return json(200, {
          items: records,
          [vendor.pointer]: next,
          total: vendor.total ?? undefined,
        })
    }
  })
  const vendor: NotesVendor = {
    http,
    notes,
    comments,
    fault: null,
    listings: 0,
    pageSize: 10,
    delayMs: 0,
    answersAfter: Promise.resolve(),
    commentsAfter: Promise.resolve(),
    total: null,
    pointer: 'next',
    isEndless: false,
    neverEnds: null,
    isLost: () => false,
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  }
  return vendor
}

export function idOf(n: number): string {
  return `n${String(n).padStart(6, '0')}`
}

export function noteOf(n: number, text = `note ${n}`): Note {
  return { id: idOf(n), text, updated: new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString() }
}

export interface NotesManifest {
  /** Whether single notes can be asked for; default true. */
  readonly get?: boolean
  /** More of `sync`. */
  readonly sync?: object
  /** More of `pagination`; with a `type` all of it. */
  readonly pagination?: object
  /** Pagination of comments; default: they come at once. */
  readonly commentPages?: object
  /** Page size that a sync asks for comments with. */
  readonly commentLimit?: number
  /** More of `sync.parent` of comments. */
  readonly parent?: object
}

export async function notesManifest({
  get = true,
  sync = {},
  pagination = {},
  commentPages = { type: 'none', reason: 'all comments of a note come at once' },
  commentLimit,
  parent = {},
}: NotesManifest = {}): Promise<Manifest> {
  return manifestOf(
    await loadManifest({
      manifest: 1,
      connector: { type: 'notes', title: 'Notes', version: '1.0.0' },
      server: { url: 'https://api.notes.example' },
      auth: {
        key: {
          credentials: {
            required: ['api_key'],
            properties: { api_key: { type: 'string', writeOnly: true } },
          },
          apply: { headers: { 'X-Api-Key': '{{ credentials.api_key }}' } },
        },
      },
      defaults: {
        errors: [
          // oxlint-disable-next-line unicorn/no-thenable -- a word of manifests
          { when: { status: 404 }, then: 'fail', as: 'not_found' },
          {
            when: { status: 400, body: { '$.error': { contains: 'cursor' } } },
            // oxlint-disable-next-line unicorn/no-thenable -- a word of manifests
            then: 'restart_pagination',
          },
        ],
        retry: { attempts: 1 },
      },
      entities: {
        notes: {
          record: {
            properties: {
              id: { type: 'string' },
              text: { type: 'string' },
              updated: { type: 'string' },
            },
          },
          actions: {
            list: {
              params: {
                properties: {
                  since: { type: 'string' },
                  until: { type: 'string' },
                  cursor: { type: 'string' },
                  limit: { type: 'integer' },
                },
              },
              request: { http: 'GET /notes', query: ['since', 'until', 'cursor', 'limit'] },
              response: { records: '$.items' },
              pagination:
                'type' in pagination
                  ? pagination
                  : {
                      type: 'cursor',
                      param: 'cursor',
                      next: '$.next',
                      meta: { total: '$.total' },
                      ...pagination,
                    },
            },
            ...(get
              ? {
                  get: {
                    params: { required: ['id'], properties: { id: { type: 'string' } } },
                    request: { http: 'GET /notes/{{ params.id }}' },
                  },
                }
              : {}),
          },
          search: { fields: 'all' },
          sync: { primary_key: 'id', action: 'list', ...sync },
        },
        comments: {
          record: { properties: { id: { type: 'string' }, body: { type: 'string' } } },
          actions: {
            list: {
              params: {
                required: ['note'],
                properties: {
                  note: { type: 'string' },
                  cursor: { type: 'string' },
                  limit: { type: 'integer' },
                },
              },
              request: {
                http: 'GET /notes/{{ params.note }}/comments',
                query: ['cursor', 'limit'],
              },
              response: { records: '$.items' },
              pagination: commentPages,
            },
          },
          search: { fields: 'all', add: { string: ['note'] }, from: { note: '$parent.id' } },
          sync: {
            primary_key: 'id',
            action: 'list',
            ...(commentLimit === undefined ? {} : { params: { limit: commentLimit } }),
            parent: { entity: 'notes', bind: { note: '$.id' }, ...parent },
          },
        },
      },
    }),
  )
}

export interface NotesSync extends AsyncDisposable {
  readonly index: SearchIndex
  readonly folder: string
  readonly instanceId: string
  readonly ports: SyncPorts
  /** Entities whose records were said to wait, in order. */
  readonly told: readonly string[]
  run(entity?: string, options?: RunOptions): Promise<SyncOutcome>
  /** Ids of the copy, in order. */
  ids(entity?: string): Promise<readonly string[]>
}

export interface RunOptions {
  readonly mode?: SyncMode
  readonly isAsked?: boolean
  readonly signal?: AbortSignal
  readonly intervalMs?: number
  readonly scopes?: string
  readonly settings?: string
  /** Under other rules of text. */
  readonly textRules?: string
  readonly leaseTimes?: LeaseTimes
  /** Of the operator. */
  readonly bounds?: OperatorBounds
}

export interface NotesSyncOptions {
  readonly folder?: string
  readonly clock?: Clock
  readonly instanceId?: string
  /** Instead of SQLite files; the caller closes it. */
  readonly index?: SearchIndex
  /** Instead of asking the vendor. */
  readonly list?: Upstream['list']
}

/** SQLite files for several syncs, each of an instance of its own: opening them starts threads. */
export function openSharedCopies(): AsyncDisposable & {
  /** A place for the next sync. */
  place(): Required<Pick<NotesSyncOptions, 'index' | 'instanceId'>>
} {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-copies-'))
  const index = openSqliteSearchIndex({ folder })
  let instances = 0
  return {
    place: () => ({ index, instanceId: `notes-${++instances}` }),
    async [Symbol.asyncDispose]() {
      await index.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A sync of notes into SQLite files. */
export async function createNotesSync(
  url: string,
  manifest: Manifest,
  options: NotesSyncOptions = {},
): Promise<NotesSync> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'tenon-sync-'))
  const instanceId = options.instanceId ?? 'notes-1'
  const clock = options.clock ?? createSystemClock()
  const index = options.index ?? openSqliteSearchIndex({ folder })
  const transport = createUndiciTransport({ allowHosts: ['127.0.0.1'] })
  const keeper = createCredentialKeeper({
    manifest,
    credentials: { api_key: 'demo' } satisfies JsonObject,
    config: {},
    serverUrl: url,
    transport,
    clock: createSystemClock(),
    log: { info: () => {}, warn: () => {}, error: () => {} },
  })
  const budget = new Budget({ rates: [], concurrency: null, per: 'instance' }, clock)
  const engine = new Engine({
    manifest,
    transport,
    clock: createSystemClock(),
    keeper,
    exchange: new Exchange({
      clock: createSystemClock(),
      budget,
      // Faults are what is tested here, not the breaker.
      breaker: new Breaker(createSystemClock()),
    }),
    serverUrl: url,
    sealer: createSealer(),
    numbers: 'exact',
  })
  const entities = syncedEntities(manifest)
  let ids = 0
  const told: string[] = []
  const ports: SyncPorts = {
    index,
    clock,
    sealer: createSealer(Buffer.alloc(32, 7)),
    newId: () => `${process.pid}-${++ids}-${Math.random().toString(36).slice(2)}`,
    childrenDue: (entity) => told.push(entity),
    upstream: {
      ...createEngineUpstream({
        engine,
        config: () => ({}),
        budget,
        clock,
        enter: () => Promise.resolve(() => {}),
      }),
      ...(options.list === undefined ? {} : { list: options.list }),
    },
  }
  return {
    index,
    folder,
    instanceId,
    ports,
    told,
    async run(name = 'notes', options = {}) {
      const { mode, signal, intervalMs = 60_000, scopes = '', settings = '', leaseTimes } = options
      const { textRules = '' } = options
      const known = entities.get(name)
      if (known === undefined) throw new TypeError(`no entity ${name}`)
      const layout = { ...known.layout, hash: known.layout.hash + textRules }
      const entity = { ...known, layout }
      return await syncEntity(
        ports,
        {
          instanceId,
          entity,
          entities,
          intervalMs,
          scopes,
          settings,
          bounds: boundsOf(entity.sync, options.bounds ?? {}),
        },
        {
          mode: mode ?? null,
          isAsked: options.isAsked ?? false,
          signal: signal ?? new AbortController().signal,
          ...(leaseTimes === undefined ? {} : { leaseTimes }),
        },
      )
    },
    async ids(entity = 'notes') {
      const copy = (await index.copies({ instanceId, entity })).find(({ serving }) => serving)
      if (copy === undefined) return []
      const query = readSearch(copy.layout, { query: {}, limit: 10_000 })
      const reply = await index.search({
        ...copy,
        layoutHash: copy.layout.hash,
        query,
        position: null,
      })
      if (reply.kind !== 'page') throw new TypeError('the copy has moved')
      return (JSON.parse(reply.hits) as { readonly id: string }[]).map(({ id }) => id).sort()
    },
    async [Symbol.asyncDispose]() {
      if (options.index === undefined) await index.close()
      await keeper.close()
      await transport.close()
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}
