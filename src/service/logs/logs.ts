// The writer of the logs: entries wait in memory until a batch of them is written, behind the answers that they are about.
import { isConnectorError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { dropOldest } from '../drop-oldest.ts'
import { failureFacts, type ServiceLog } from '../log.ts'
import type { SurroundedBytes } from '../route.ts'
import type { InstanceRow } from '../store/instances.ts'
import {
  areAlike,
  headOfLogId,
  type LogContent,
  type LogKind,
  logIdAt,
  type LogRow,
  MAX_TOGETHER,
} from '../store/logs.ts'
import type { Store } from '../store/store.ts'
import { uuidv7 } from '../store/uuid.ts'
import type { Vault } from '../vault/vault.ts'
import { plainContent, sealContent } from './log-content.ts'
import type { StepRecorder } from './step-recorder.ts'

/** Whose entry it is. */
export type LoggedInstance = Pick<
  InstanceRow,
  'organizationId' | 'externalUserId' | 'connectorType'
> & { readonly id: string | null }

/** What an entry is made of when it is written. Nobody changes it afterwards. */
export interface NotedEntry {
  readonly kind: LogKind
  readonly instance: LoggedInstance
  readonly clientId?: string | null
  readonly entity?: string | null
  readonly action?: string | null
  /** Left out, or null: it succeeded. */
  readonly code?: string | null
  readonly status?: number | null
  readonly upstreamStatus?: number | null
  readonly tookMs: number
  readonly requestId?: string | null
  readonly steps?: StepRecorder | null
  /** Next to the steps: counts and the words of a failure. */
  readonly facts?: JsonObject
  /** What was said; kept where the operator wants it. */
  readonly said?: LoggedContent | null
}

export interface LoggedContent {
  readonly params: Json
  readonly content: string | SurroundedBytes | null
  /** They are looked at before anything is masked: who has sent nothing yet knows none of them. */
  readonly credentials: {
    peek(): Promise<unknown>
    redact(text: string): string
  }
}

export interface LogsPorts {
  readonly store: Pick<Store, 'logs' | 'instances'>
  readonly vault: Vault
  readonly clock: Clock
  readonly log: Pick<ServiceLog, 'warn' | 'error'>
  /** Told of entries that were written, and of those that were not, for the metrics. */
  readonly observe: (outcome: LogOutcome, count: number) => void
}

export type LogOutcome = 'written' | 'dropped'

export interface LogsOptions {
  /** 0: nothing is logged. */
  readonly days: number
  /** Of an organisation. */
  readonly maxEntries: number
  readonly keepsContent: boolean
}

interface Waiting {
  readonly entry: NotedEntry
  readonly at: number
}

const FLUSH_MS = 500
/** More that are written at once are put in groups of what they have in common, so that those lie together. */
const MAX_UNGROUPED = 100
/** So many are written without waiting for the time. */
const TOGETHER = 1000
const MAX_WAITING = 10_000
const RETRY_MS = 2000
const MAX_NAMELESS = 10_000
/** The store counts on it: an entry is written soon after it has ended, or not at all. */
const MAX_AGE_MS = 5 * 60_000
const TELL_EVERY_MS = 60_000
/** What callers name may be anything. */
const MAX_NAME = 100
/** Rows in one millisecond and process. */
const MAX_SEQUENCE = 4096

export class Logs {
  readonly days: number
  readonly maxEntries: number
  readonly keepsContent: boolean
  readonly #ports: LogsPorts
  readonly #closing = new AbortController()
  /** What tells the ids of this process from those of others. */
  readonly #tail: string
  /** Instances of users who were erased: what still happens to them names nobody. */
  readonly #nameless = new Map<string, true>()
  #waiting: Waiting[] = []
  #flushing: Promise<void> | null = null
  #writing: Promise<void> = Promise.resolve()
  #idMs = 0
  #sequence = 0
  #dropped = 0
  #toldAt = Number.NEGATIVE_INFINITY

  constructor(ports: LogsPorts, { days, maxEntries, keepsContent }: LogsOptions) {
    this.#ports = ports
    this.days = days
    this.maxEntries = maxEntries
    this.keepsContent = keepsContent && days > 0
    this.#tail = headOfLogId(uuidv7(0)).slice(18)
  }

  get isOn(): boolean {
    return this.days > 0
  }

  /** Takes an entry. It never fails and nobody waits for it; one that does not fit is counted, and told. */
  note(entry: NotedEntry): void {
    if (this.days === 0) return
    if (this.#waiting.length >= MAX_WAITING) {
      this.#drop(1)
      return
    }
    const waiting: Waiting = { entry, at: this.#ports.clock.now() }
    if (this.#waiting.push(waiting) === TOGETHER) void this.flush()
    this.#flushing ??= this.#flushLater()
  }

  /** From now on entries of these instances do not say whose they are; those that wait are written first. */
  async forgetUserOf(instanceIds: readonly string[]): Promise<void> {
    for (const id of instanceIds) {
      this.#nameless.set(id, true)
      dropOldest(this.#nameless, MAX_NAMELESS)
    }
    await this.flush()
  }

  /** Writes what waits. Resolves when it is written, or when the store did not take it. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  /** Writes what waits for the last time; what the store does not take now is lost, and told. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#flushing
    await this.flush()
    this.#drop(this.#waiting.splice(0).length)
    this.#tellDropped()
  }

  async #flushLater(): Promise<void> {
    const { signal } = this.#closing
    let ms = FLUSH_MS
    while (!signal.aborted) {
      await this.#ports.clock.sleep(ms, signal).catch(() => {})
      await this.flush()
      if (this.#waiting.length === 0) break
      ms = RETRY_MS
    }
    this.#flushing = null
  }

  async #write(): Promise<void> {
    const entries = this.#waiting
    this.#waiting = []
    const oldest = this.#ports.clock.now() - MAX_AGE_MS
    const recent = entries.filter(({ at }) => at >= oldest)
    this.#drop(entries.length - recent.length)
    const byOrganization = Map.groupBy(recent, ({ entry }) => entry.instance.organizationId)
    for (const [organizationId, all] of byOrganization)
      for (let at = 0; at < all.length; at += TOGETHER)
        await this.#append(organizationId, all.slice(at, at + TOGETHER))
    this.#tellDropped()
  }

  async #append(organizationId: string, entries: readonly Waiting[]): Promise<void> {
    const { store, log, observe } = this.#ports
    const waiting = entries.length > MAX_UNGROUPED ? inGroups(entries) : entries
    const rows = this.#withIds(waiting.map((each) => this.#rowOf(each)))
    try {
      await store.logs.append(organizationId, rows)
      observe('written', rows.length)
    } catch (error) {
      if (isConnectorError(error, 'store_unavailable')) {
        // They come first again; what has come meanwhile and does not fit any more is lost.
        this.#waiting.unshift(...entries)
        this.#drop(this.#waiting.splice(MAX_WAITING).length)
        return
      }
      log.error({ ...failureFacts(error), entries: rows.length }, 'log entries cannot be stored')
      this.#drop(rows.length)
      return
    }
    if (this.keepsContent) await this.#keepContents(waiting, rows)
  }

  async #keepContents(entries: readonly Waiting[], rows: readonly LogRow[]): Promise<void> {
    const { store, vault, log } = this.#ports
    const byInstance = new Map<string, (() => Promise<LogContent>)[]>()
    for (const [at, { entry }] of entries.entries()) {
      const logId = rows[at]?.logId
      const { said, instance } = entry
      const { id } = instance
      if (said === undefined || said === null || logId === undefined || id === null) continue
      const { params, content, credentials } = said
      const seal = async (): Promise<LogContent> => {
        await credentials.peek()
        const plain = plainContent(params, content, (text) => credentials.redact(text))
        return await sealContent(vault, id, logId, plain)
      }
      byInstance.set(id, [...(byInstance.get(id) ?? []), seal])
    }
    for (const [id, seals] of byInstance)
      try {
        // Sealing for an instance that is gone would make it a key.
        if ((await store.instances.find(id)) === null) continue
        const contents: LogContent[] = []
        for (const seal of seals) contents.push(await seal())
        await store.logs.putContents(id, contents)
      } catch (error) {
        const facts = { ...failureFacts(error), connector_id: id, entries: seals.length }
        log.warn(facts, 'parameters and answers of log entries were not kept')
      }
  }

  #rowOf({ entry, at }: Waiting): RowInMaking {
    const { instance, steps = null, facts } = entry
    return {
      organizationId: instance.organizationId,
      logId: '',
      kind: entry.kind,
      at,
      instanceId: instance.id,
      externalUserId:
        instance.id !== null && this.#nameless.has(instance.id) ? null : instance.externalUserId,
      connectorType: instance.connectorType,
      clientId: entry.clientId ?? null,
      entity: cut(entry.entity),
      action: cut(entry.action),
      code: cut(entry.code),
      status: entry.status ?? null,
      upstreamStatus: entry.upstreamStatus ?? steps?.lastStatus ?? null,
      tookUs: Math.max(0, Math.round(entry.tookMs * 1000)),
      requestId: entry.requestId ?? null,
      data: steps === null || steps.count === 0 ? (facts ?? {}) : { ...facts, ...steps.shown },
    }
  }

  /** Those that are alike and follow each other get ids of one row. */
  #withIds(rows: readonly RowInMaking[]): readonly LogRow[] {
    let first: LogRow | null = null
    let index = 0
    let head = ''
    for (const row of rows) {
      index++
      const isFull = index === MAX_TOGETHER || row.at > this.#idMs
      if (first === null || isFull || !areAlike(first, row)) {
        index = 0
        first = row
        head = this.#nextHead(row.at)
      }
      row.logId = logIdAt(head, index)
    }
    return rows
  }

  /** Ids in the order of writing, of the time of writing; never before the time that the entry has. */
  #nextHead(at: number): string {
    const ms = Math.max(this.#ports.clock.now(), at, this.#idMs)
    this.#sequence = ms === this.#idMs ? this.#sequence + 1 : 0
    const isFull = this.#sequence === MAX_SEQUENCE
    if (isFull) this.#sequence = 0
    this.#idMs = isFull ? ms + 1 : ms
    const time = this.#idMs.toString(16).padStart(12, '0')
    const sequence = this.#sequence.toString(16).padStart(3, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence}${this.#tail}`
  }

  #drop(count: number): void {
    if (count === 0) return
    this.#dropped += count
    this.#ports.observe('dropped', count)
  }

  /** Now and then: while the store is away, every batch loses some. */
  #tellDropped(): void {
    const { clock, log } = this.#ports
    const now = clock.monotonic()
    const isOver = this.#closing.signal.aborted
    if (this.#dropped === 0 || (!isOver && now - this.#toldAt < TELL_EVERY_MS)) return
    this.#toldAt = now
    log.warn(
      { entries: this.#dropped },
      'log entries are lost: the store did not take them in time',
    )
    this.#dropped = 0
  }
}

/** A row whose id, empty at first, is the last thing that it gets: a row with an id would be one more object for each entry. */
type RowInMaking = Omit<LogRow, 'logId'> & { logId: string }

/** In the order of what they were first seen to have in common. */
function inGroups(entries: readonly Waiting[]): readonly Waiting[] {
  return [...Map.groupBy(entries, keyOf).values()].flat()
}

/** What makes entries alike, or close to it: their rows say whether they are. */
function keyOf({ entry }: Waiting): string {
  const { kind, instance, entity, action, code, status, steps } = entry
  return `${kind} ${instance.id} ${status} ${steps?.lastStatus} ${code} ${entity}\n${action}`
}

/** A name as far as it is one: without what no database stores. */
function cut(name: string | null | undefined): string | null {
  if (name === undefined || name === null) return null
  if (name.length <= MAX_NAME && NAME.test(name)) return name
  return name.slice(0, MAX_NAME).replaceAll(NO_NAME, '?').toWellFormed()
}

const NAME = /^[\x20-\x7e]*$/
const NO_NAME = /\p{Cc}/gu
