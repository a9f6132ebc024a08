// Copies in PostgreSQL: the tables of all instances, and every statement about one of them.
import pg from 'pg'

import { ConnectorError, isConnectorError } from '../../errors.ts'
import { conditionsOf, type Filter, SEARCH_LIMITS } from '../search/filter.ts'
import {
  type CopyWrite,
  isWritten,
  type SearchIndex,
  type SearchReply,
  type WriteReport,
} from '../search/search-index.ts'
import { databaseClock, type DatabaseClock, DatabaseTime } from '../../database/database-clock.ts'
import { keepsSessions, SESSION_OPTIONS, SET_NODE_TIMEOUT } from '../../database/sessions.ts'
import { copyError } from '../sql/copy-errors.ts'
import {
  COPY_METHODS,
  copyMethods,
  copyOperations,
  insertCopy,
  ofCopy,
  readCopies,
  readRemoved,
  readServing,
  replyOf,
  restoreRemoved,
  type SearchTask,
  setServing,
  stepsOf,
} from '../sql/copy-operations.ts'
import type { Dialect, Scope } from '../sql/dialect.ts'
import { createGatheringSocket } from './gathering-socket.ts'
import { COPY_TABLES } from './copy-tables.ts'
import { type IndexWork, lookAtCopies, makeIndexes, migrateCopies } from './migrate-copies.ts'
import { CommonTerms, postgresDialect } from './postgres-schema.ts'
import { type Ask, PLANNING, TableStatistics } from './table-statistics.ts'
import { writeBatch } from './postgres-writer.ts'
import { timedOut } from '../sql/page.ts'
import { findPage } from '../sql/search-pages.ts'
import { plain, sql, type Sql, type SqlRow, type SqlSteps, sqlText } from '../sql/sql.ts'
import { KnownWords, Vocabularies } from '../sql/vocabulary.ts'

export interface PostgresSearchIndexOptions {
  readonly url: string
  readonly poolSize?: number
  /** Whether the tables are brought up to date; default true. */
  readonly migrate?: boolean
  /** Is told why indexes that were missing could not be made: the next start tries again, searches are slower until then. */
  readonly onIndexFailure?: (error: unknown) => void
  /** Is told the text of every statement before it is sent, without its values. */
  readonly onStatement?: (text: string) => void
}

const POOL_SIZE = 10
const MAX_SEARCHED = 1_000
const PURGED_AT_ONCE = 5_000

/** Waiting for a connection: syncs wait as well as searches. */
const ACQUIRE_MS = 10_000
/** Of the statements of a search. Whatever else is done may take its time. */
const SEARCH_MS = 2_000
/** Where the server itself is silent, none of its limits is ever reported: after so long a search gives up … */
const SILENCE_MS = 3_000
/** … what callers and the beginning of every turn ask about copies, … */
const STATE_MS = 5_000
/** … a lease, which has run out by then, and a batch that is read or written under it, … */
const BATCH_MS = 30_000
/** … what is asked or done about all of a copy at the end of a run, … */
const WHOLE_MS = 120_000
/** … and what deletes a copy, or looks at all records of all of them. */
const MAX_MS = 600_000
/** A question whose connection breaks so soon is asked once more. */
const BROKEN_WITHIN_MS = 1_000
const IDLE_IN_TRANSACTION_MS = 10_000
const KEEP_ALIVE_AFTER_MS = 10_000
const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/**
 * Opens the copies in a database, their tables up to date; indexes that are missing are made while the copies are used.
 * Throws `store_unavailable`, and `config_invalid` when the database's encoding is not UTF8, or the tables are behind and
 * may not be changed.
 */
export async function openPostgresSearchIndex(
  options: PostgresSearchIndexOptions,
): Promise<SearchIndex> {
  const isSession = await keepsSessions(options.url, ACQUIRE_MS).catch((error: unknown) => {
    throw copyError(error)
  })
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: 'tenon-search',
    max: options.poolSize ?? POOL_SIZE,
    connectionTimeoutMillis: ACQUIRE_MS,
    query_timeout: BATCH_MS,
    ...(isSession
      ? {
          statement_timeout: SEARCH_MS,
          options: SESSION_OPTIONS,
          idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
        }
      : {}),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: { getTypeParser: parserOf },
    // Let the first statements of a search leave together with BEGIN.
    pipeline: true,
    stream: createGatheringSocket,
  })
  // The pool replaces a connection that breaks, and its statements fail; without listeners it would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    // It leaves together with the first statement.
    if (isSession) client.query(`SET ${PLANNING}`).catch(() => undefined)
  })
  try {
    const { hasParts, isCitus, work } = await bringUpToDate(options)
    const onStatement = options.onStatement ?? ((): void => undefined)
    const clock = databaseClock(options.url)
    const copies = new PostgresCopies(pool, {
      hasParts,
      isCitus,
      clock,
      onStatement,
      isSession,
      work,
    })
    await copies.commonTerms.refresh()
    return copies.index
  } catch (error) {
    await pool.end()
    throw copyError(error)
  }
}

const INT8 = pg.types.builtins.INT8

/** Numbers of 64 bits are counters of ours, far below 2^53. */
function parserOf(
  ...[type, format]: Parameters<typeof pg.types.getTypeParser>
): (text: string) => unknown {
  if (type === INT8) return Number
  // The driver's own parsers, by their general type.
  return pg.types.getTypeParser(type, format) as (text: string) => unknown
}

async function bringUpToDate({
  url,
  migrate = true,
  onIndexFailure = () => undefined,
}: PostgresSearchIndexOptions): Promise<{
  readonly hasParts: boolean
  readonly isCitus: boolean
  readonly work: IndexWork | null
}> {
  const { steps, indexes, ...kind } = await (migrate ? migrateCopies(url) : lookAtCopies(url))
  if (steps > 0)
    throw new ConnectorError(
      'config_invalid',
      `the schema of the synchronized copies is ${steps} steps behind; run tenon migrate`,
    )
  const work = migrate && indexes.length > 0 ? makeIndexes(url) : null
  work?.made.catch(onIndexFailure)
  return { ...kind, work }
}

/** Numbers stand in every term, and stay small: they are counted, in a row that processes on all nodes of a Citus reach. */
function* newScopeNo(): SqlSteps<number> {
  const [row] = yield plain(
    "INSERT INTO replica_number AS n (instance_id, newest) VALUES ('', 1) ON CONFLICT (instance_id) DO UPDATE SET newest = n.newest + 1 RETURNING newest",
  )
  return Number(row?.['newest'])
}

interface CopiesOptions {
  /** Whether the limits of a search are those of its connection; otherwise each transaction brings its own. */
  readonly isSession: boolean
  readonly hasParts: boolean
  readonly isCitus: boolean
  readonly clock: DatabaseClock
  readonly onStatement: (text: string) => void
  /** Indexes that are being made. */
  readonly work: IndexWork | null
}

class PostgresCopies {
  readonly index: SearchIndex
  readonly commonTerms: CommonTerms
  readonly #pool: pg.Pool
  readonly #options: CopiesOptions
  readonly #dialect: Dialect
  readonly #statistics: TableStatistics
  readonly #vocabularies = new Vocabularies()
  readonly #known = new KnownWords()
  readonly #searched = new Map<string, Scope>()

  constructor(pool: pg.Pool, options: CopiesOptions) {
    this.#pool = pool
    this.#options = options
    const ask: Ask = (text) =>
      this.#change(function* (): SqlSteps<readonly SqlRow[]> {
        return yield plain(text)
      }, MAX_MS)
    this.#statistics = new TableStatistics(ask, options.isCitus)
    this.commonTerms = new CommonTerms(() => this.#statistics.commonTerms(), Date.now)
    this.#dialect = postgresDialect(options.hasParts, this.commonTerms)
    this.index = this.#methods()
  }

  #methods(): SearchIndex {
    const { commonTerms } = this
    const dialect = this.#dialect
    const vocabularies = this.#vocabularies
    const operations = copyOperations(dialect, sql`${new DatabaseTime()}::bigint`)
    const index: SearchIndex = {
      ...copyMethods((method, args) => {
        const { changes, isOfAll } = COPY_METHODS[method]
        const steps = stepsOf(operations, method, args)
        const maxMs = isOfAll === true ? WHOLE_MS : BATCH_MS
        return changes === true ? this.#change(() => steps, maxMs) : this.#read(steps, maxMs)
      }),
      prepare: (name, layout, settings = '') =>
        this.#change(() => insertCopy(name, layout, settings, newScopeNo)),
      serve: async (copy) => {
        await this.#change(() => setServing(copy))
        const copies = await this.#read(readCopies(copy), STATE_MS)
        for (const other of copies) if (other.epoch !== copy.epoch) await this.#drop(ofCopy(other))
      },
      write: async (batch) => {
        const report = await this.#write(batch)
        await this.#statistics.noteWritten(
          batch.copy,
          report.outcomes.filter(isWritten).length + report.removed,
        )
        return report
      },
      restore: (copy, runId) =>
        restoreRemoved(index, copy, () => this.#read(readRemoved(dialect, copy, runId), BATCH_MS)),
      purge: async (instanceId) => {
        await this.#drop(sql`instance_id = ${instanceId}`)
        vocabularies.forget(instanceId)
      },
      close: async () => {
        await Promise.all([this.#options.work?.stop(), this.#statistics.close()])
        await this.#pool.end()
      },
      copies: (name) => again(() => this.#read(readCopies(name), STATE_MS)),
      search: async (request) => {
        const started = performance.now()
        const elapsedMs = (): number => performance.now() - started
        // The search does not wait for it: the old ones are as good.
        void commonTerms.refresh().catch(() => undefined)
        return await again(() => this.#search({ ...request, dialect, vocabularies, elapsedMs }))
      },
    }
    return index
  }

  /** `statementMs`: the limit of each statement; 0: none. */
  #begin(begin: string, statementMs: number): string {
    const { isSession } = this.#options
    if (isSession && statementMs === SEARCH_MS) return begin
    const limited = `${begin}; SET LOCAL statement_timeout = ${statementMs}`
    return isSession
      ? limited
      : `${limited}; SET LOCAL idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}; SET LOCAL ${PLANNING}; ${SET_NODE_TIMEOUT}`
  }

  async #read<T>(steps: SqlSteps<T>, maxMs: number): Promise<T> {
    return await this.#inSnapshot((client) => {
      const begun = client.query({ text: this.#begin(SNAPSHOT, 0), ...within(maxMs) })
      return this.#finish(client, steps, { maxMs, begun })
    })
  }

  async #change<T>(work: () => SqlSteps<T>, maxMs: number = BATCH_MS): Promise<T> {
    return await this.#withClient(async (client) => {
      await client.query({ text: this.#begin('BEGIN', 0), ...within(maxMs) })
      const result = await this.#finish(client, work(), { maxMs })
      await client.query({ text: 'COMMIT', ...within(maxMs) })
      return result
    })
  }

  /** Work that begins a snapshot of its own. COMMIT is not waited for: there is nothing to lose. */
  async #inSnapshot<T>(
    work: (client: pg.PoolClient) => Promise<T>,
    connecting?: Promise<pg.PoolClient>,
  ): Promise<T> {
    return await this.#withClient(async (client) => {
      const result = await work(client)
      // It leaves at the end of this turn, together with what is asked next on this connection.
      client.query('COMMIT').catch(() => undefined)
      return result
    }, connecting)
  }

  /** A connection that breaks is given up by the pool itself. */
  async #withClient<T>(
    work: (client: pg.PoolClient) => Promise<T>,
    connecting: Promise<pg.PoolClient> = this.#connect(),
  ): Promise<T> {
    const client = await connecting
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      // A connection that does not work any more is not used again.
      const isBroken = await client
        .query('ROLLBACK')
        .then(() => false)
        .catch(() => true)
      client.release(isBroken)
      throw copyError(error)
    }
  }

  /** Runs steps to their end. `begun`: what was sent before them, and is waited for with the first one. */
  async #finish<T>(
    client: pg.PoolClient,
    steps: SqlSteps<T>,
    { maxMs, begun, from = steps.next() }: Finishing<T>,
  ): Promise<T> {
    let step = from
    if (begun !== undefined) {
      const first = step.done === true ? null : this.#ask(client, step.value, maxMs)
      const [, rows] = await Promise.all([begun, first])
      if (rows !== null) step = steps.next(rows)
    }
    while (step.done !== true) step = steps.next(await this.#ask(client, step.value, maxMs))
    return step.value
  }

  async #search(task: SearchTask): Promise<SearchReply> {
    const { instanceId, entity, epoch } = task
    const key = JSON.stringify([instanceId, entity, epoch])
    return (await this.#searchAtOnce(task, key)) ?? (await this.#searchInSnapshot(task, key))
  }

  /** A page by one statement without a snapshot, its state read behind it. Null: that has changed, or there is more to ask. */
  async #searchAtOnce(task: SearchTask, key: string): Promise<SearchReply | null> {
    const known = this.#searched.get(key)
    // Without a transaction nothing would limit the statement.
    if (known === undefined || !this.#options.isSession) return null
    // What is counted takes more statements.
    if (task.query.facets !== undefined) return null
    const guess = findPage({ ...task, scope: withoutEnd(known) })
    const first = guess.next()
    if (first.done === true || first.value.sole !== true) return null
    return await this.#withClient(async (client) => {
      const [rows, copy] = await Promise.all([
        this.#ask(client, first.value, SILENCE_MS),
        this.#finish(client, readServing(task), { maxMs: SILENCE_MS }),
      ])
      if (copy === null) return null
      this.#remember(key, copy)
      const isAsFresh = known.complete === copy.complete && known.syncedAtMs === copy.syncedAtMs
      if (!isAsFresh || !asksTheSame(task.query.filter, known, copy)) return null
      const page = guess.next(rows)
      return page.done === true ? replyOf(page.value, copy) : null
    }, this.#connectInTime(task))
  }

  /** A page in one snapshot, whose first statement leaves with the one that reads the state, as if nothing had changed. */
  async #searchInSnapshot(task: SearchTask, key: string): Promise<SearchReply> {
    const known = this.#searched.get(key)
    const maxMs = SILENCE_MS
    return await this.#inSnapshot(async (client) => {
      const begun = client.query(this.#begin(SNAPSHOT, SEARCH_MS))
      const reading = this.#finish(client, readServing(task), { maxMs, begun })
      const guess = known === undefined ? null : findPage({ ...task, scope: withoutEnd(known) })
      const first = guess?.next()
      const asked = first?.done === false ? this.#ask(client, first.value, maxMs) : null
      const [copy, rows] = await Promise.all([reading, asked])
      if (copy === null) {
        this.#searched.delete(key)
        return { kind: 'moved' }
      }
      this.#remember(key, copy)
      const isAsKnown = known !== undefined && asksTheSame(task.query.filter, known, copy)
      const page =
        isAsKnown && guess !== null && rows !== null
          ? await this.#finish(client, guess, { maxMs, from: guess.next(rows) })
          : await this.#finish(client, findPage({ ...task, scope: copy }), { maxMs })
      return replyOf(page, copy)
    }, this.#connectInTime(task))
  }

  #remember(key: string, copy: Scope): void {
    if (this.#searched.size >= MAX_SEARCHED) this.#searched.clear()
    this.#searched.set(key, copy)
  }

  async #connect(): Promise<pg.PoolClient> {
    return await this.#pool.connect().catch((error: unknown) => {
      throw copyError(error)
    })
  }

  /** The same for a search: the wait is a part of its time. Throws `search_timeout`. */
  async #connectInTime({ spentMs = 0, elapsedMs }: SearchTask): Promise<pg.PoolClient> {
    const connecting = this.#connect()
    const leftMs = SEARCH_LIMITS.storeMs - spentMs - elapsedMs()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(timedOut()), Math.max(1, leftMs))
    })
    try {
      return await Promise.race([connecting, late])
    } catch (error) {
      connecting.then((client) => client.release()).catch(() => undefined)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  async #write(batch: CopyWrite): Promise<WriteReport> {
    try {
      return await this.#change(() => writeBatch(this.#dialect, batch, this.#known, Date.now()))
    } catch (error) {
      this.#known.forget()
      throw error
    }
  }

  async #ask(client: pg.PoolClient, question: Sql, maxMs: number): Promise<readonly SqlRow[]> {
    const text = sqlText(question, (number) => `$${number}`)
    this.#options.onStatement(text)
    const name = this.#options.isSession ? question.name : undefined
    const asked = this.#options.clock.fill(client, question.values)
    // What carries no time leaves at once, together with what was asked before it.
    const values = [...(asked instanceof Promise ? await asked : asked)]
    const { rows } = await client.query<SqlRow>({
      text,
      values,
      ...(name === undefined ? {} : { name }),
      ...(question.numbered === true ? { rowMode: 'array' } : {}),
      ...within(maxMs),
    })
    return rows
  }

  /** Deletes everything the condition names, in parts; what says that it is there goes last. */
  async #drop(condition: Sql): Promise<void> {
    await this.#change(function* () {
      // From now on its sync has lost the lease.
      yield sql`UPDATE replica_scope SET fence = fence + 1, owner = '', serving = 0 WHERE ${condition}`
    }, MAX_MS)
    for (;;) {
      const deleted = await this.#change(function* () {
        const rows =
          yield sql`DELETE FROM replica_record WHERE ${condition} AND (entity, epoch, record_id) IN (SELECT entity, epoch, record_id FROM replica_record WHERE ${condition} LIMIT ${PURGED_AT_ONCE}) RETURNING 1 AS one`
        return rows.length
      }, MAX_MS)
      if (deleted < PURGED_AT_ONCE) break
    }
    const whole = !condition.texts.some((text) => text.includes('epoch'))
    await this.#change(function* () {
      // Holds off writers until all is gone.
      yield sql`SELECT 1 AS one FROM replica_scope WHERE ${condition} FOR UPDATE`
      for (const table of COPY_TABLES) {
        // What the sync keeps is of the entity and not of one copy.
        if (table.startsWith('sync_') && !whole) continue
        yield sql`DELETE FROM ${plain(table)} WHERE ${condition}`
      }
    }, MAX_MS)
  }
}

/** No record has this number, and none will. */
const END = 2 ** 40

function withoutEnd(copy: Scope): Scope {
  return { ...copy, nextSeq: END, arrived: copy.nextSeq }
}

/** Whether statements about the copy as it was known are the same as about the copy as it is. */
function asksTheSame(
  filter: Filter,
  known: Scope,
  { layout, scopeNo, mixed, version }: Scope,
): boolean {
  if (known.layout !== layout || known.scopeNo !== scopeNo || known.mixed !== mixed) return false
  // Spellings come from the words that the copy has.
  return known.version === version || !conditionsOf(filter).some(({ kind }) => kind === 'all_words')
}

interface Finishing<T> {
  readonly maxMs: number
  readonly begun?: Promise<unknown>
  /** The first of the steps, where it was taken before. */
  readonly from?: IteratorResult<Sql, T>
}

const within = (maxMs: number): { readonly query_timeout: number } => ({ query_timeout: maxMs })

/** Asks once more when a connection breaks, as all do when the server is restarted. A silent server has taken its time. */
async function again<T>(ask: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  try {
    return await ask()
  } catch (error) {
    const isBroken =
      isConnectorError(error, 'store_unavailable') && error.details['reason'] === 'away'
    if (!isBroken || performance.now() - startedAt > BROKEN_WITHIN_MS) throw error
    return await ask()
  }
}
