// How far one run may go. A third party that always has another page would otherwise be read for ever.
import type { Sync } from '../../language/manifest/manifest.ts'
import type { CopyFacts, RunKind, RunRecord, Suspicion } from './run-record.ts'

/**
 * What a run may read. Of records below parents the first two and the last hold for the listing of each parent.
 * `bytes`: the documents of the whole copy. `pagesWithoutNew`: pages in a row whose records came before.
 */
export interface SyncBounds {
  readonly pages: number
  readonly records: number
  readonly bytes: number
  readonly pagesWithoutNew: number
}

/** A bound that a run met, by the word of the manifest. */
export interface MetBound {
  readonly name: 'pages' | 'records' | 'bytes' | 'pages_without_new'
  readonly limit: number
}

/** Where neither the operator nor the manifest says. */
export const DEFAULT_BOUNDS: SyncBounds = {
  pages: 200_000,
  records: 10_000_000,
  bytes: 20 * 1024 ** 3,
  pagesWithoutNew: 500,
}

/** What hangs on one parent is held in memory until its listing has ended. */
const DEFAULT_BELOW: SyncBounds = { ...DEFAULT_BOUNDS, pages: 10_000, records: 100_000 }

/** What an operator says about bounds; null or absent: nothing. */
export type OperatorBounds = { readonly [Name in keyof SyncBounds]?: number | null }

/** The operator's bounds come first, then those of the manifest. */
export function boundsOf(
  { bounds = {}, parent }: Pick<Sync, 'bounds' | 'parent'>,
  operator: OperatorBounds,
): SyncBounds {
  const usual = parent === null ? DEFAULT_BOUNDS : DEFAULT_BELOW
  const names = Object.keys(usual) as (keyof SyncBounds)[]
  const found = names.map((name) => [name, operator[name] ?? bounds[name] ?? usual[name]])
  // Each bound is found by its name.
  return Object.fromEntries(found) as SyncBounds
}

/** Thrown where a run met a bound: it ends there, suspicious, and removes nothing. */
export class BoundMetError extends Error {
  override readonly name = 'BoundMetError'
  readonly bound: MetBound

  constructor(bound: MetBound) {
    super(`a run met its bound of ${bound.limit} ${bound.name}`)
    this.bound = bound
  }
}

export interface ReadSoFar {
  pages: number
  records: number
}

/** The bound that is met where there is another page; null: none. */
export function metBound(
  bounds: SyncBounds,
  { pages, records }: Readonly<ReadSoFar>,
): MetBound | null {
  if (pages >= bounds.pages) return { name: 'pages', limit: bounds.pages }
  return records >= bounds.records ? { name: 'records', limit: bounds.records } : null
}

/** Ids that are remembered are forgotten when as many came after them, so that a listing of any length costs no more. */
const MAX_REMEMBERED = 20_000

/** Counts pages of one listing in a row that had no record which it had not given before. */
export class PagesWithoutNew {
  readonly #limit: number
  #newer = new Set<string>()
  #older: ReadonlySet<string> = new Set()
  #count = 0

  constructor({ pagesWithoutNew }: Pick<SyncBounds, 'pagesWithoutNew'>) {
    this.#limit = pagesWithoutNew
  }

  /** Adds a page by the ids of its records. The bound that is met where there is another page; null: none. */
  add(ids: Iterable<string>): MetBound | null {
    let hasNew = false
    for (const id of ids) {
      if (this.#newer.has(id)) continue
      hasNew ||= !this.#older.has(id)
      if (this.#newer.size >= MAX_REMEMBERED) {
        this.#older = this.#newer
        this.#newer = new Set()
      }
      this.#newer.add(id)
    }
    this.#count = hasNew ? 0 : this.#count + 1
    return this.#count < this.#limit ? null : { name: 'pages_without_new', limit: this.#limit }
  }
}

export function boundSuspicion(
  { suspicious }: Pick<CopyFacts, 'suspicious'>,
  { runId, kind }: Pick<RunRecord, 'runId' | 'kind'>,
  bound: MetBound,
  atMs: number,
): Suspicion {
  // The operator sees the run that met it first.
  const isSame = suspicious?.bound?.name === bound.name && suspicious.bound.kind === kind
  return {
    runId: isSame ? suspicious.runId : runId,
    missing: 0,
    atMs,
    reason: 'bound_met',
    bound: { ...bound, kind },
  }
}

/** The facts at the end of a run, and the suspicion that stays: a met bound is cleared by a run of its kind, or a whole one. */
export function withoutMetBound(
  facts: CopyFacts,
  kind: RunKind,
): { readonly facts: CopyFacts; readonly kept: CopyFacts['suspicious'] } {
  const { suspicious } = facts
  if (suspicious?.bound === undefined) return { facts, kept: null }
  const isCleared = kind === 'initial' || kind === 'full' || kind === suspicious.bound.kind
  return { facts: { ...facts, suspicious: null }, kept: isCleared ? null : suspicious }
}
