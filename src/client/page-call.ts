// A listing: awaited it is its first page, iterated it is every record.
import type { JsonObject } from '../language/json/json.ts'
import { LoopGuard } from '../engine/response/loop-guard.ts'
import type { UnsaidEnd } from '../engine/response/page-end.ts'
import type { Execution } from './service-bodies.ts'

/** `meta` of every listing; what else it holds is the connector's. */
export interface PageMeta {
  /** false is certain; true may turn out to be an empty last page. */
  readonly has_more: boolean
  /** The patch to the params that fetches the next page, null on the last. */
  readonly next: JsonObject | null
  /** How many records of this page were taken away because the third party cannot filter by a given parameter. */
  readonly filtered_out?: number
}

export interface Result<D = unknown, M = object> {
  readonly data: D
  readonly meta: M
  /** How the service ran it; none in direct mode. */
  readonly execution?: Execution
}

/** One page, iterable over the records from here to the end of the listing. */
export interface Page<R = unknown, M = object, D = readonly R[]>
  extends Result<D, M & PageMeta>, AsyncIterable<R> {
  /** The records of this page, also where `data` is a page object. */
  readonly records: readonly R[]
  /** The next page; null when this was the last. */
  next(): Promise<Page<R, M, D> | null>
  /** This page and all after it. */
  pages(): AsyncIterable<Page<R, M, D>>
  /** The records from here on, at most `limit`. */
  toArray(options: { readonly limit: number }): Promise<R[]>
}

/** A lazy listing: nothing is sent before the first `await`, `for await`, `.pages()` step or `.toArray`. */
export interface PageCall<R = unknown, M = object, D = readonly R[]> extends LazyCall<
  Page<R, M, D>,
  R
> {}

/** Awaited it is its first page, iterated it is every item of every page. */
export interface LazyCall<P, R> extends Promise<P>, AsyncIterable<R> {
  pages(): AsyncIterable<P>
  toArray(options: { readonly limit: number }): Promise<R[]>
}

/** What one request for a page gives. */
export interface FetchedPage {
  readonly data: unknown
  readonly meta: object
  readonly records: readonly unknown[]
  readonly nextParams: JsonObject | null
  readonly execution?: Execution
  /** Equal marks mean that the third party repeats itself; null where nothing can be compared. Called only where pages are walked. */
  readonly mark: () => string | null
  /** Set where the listing ends with this page, its first, and nothing in the answer said so; absent where a service reads. */
  readonly unsaidEnd?: UnsaidEnd | null
  /** The pointers of the manifest that found nothing in the answer; absent where a service reads. */
  readonly unmatched?: (() => readonly string[]) | undefined
}

export interface Listing {
  /** The params of the first page; made when it is asked for, so that wrong ones reject instead of throwing. */
  readonly params: () => JsonObject
  readonly fetch: (params: JsonObject) => Promise<FetchedPage>
  /** Whether pages are counted, which decides how a listing that goes in circles shows itself. Default: no. */
  readonly countsPages?: boolean
}

/** A lazy listing. */
export function createPageCall(listing: Listing): PageCall {
  const start = once(async () => new ListedPage(listing, await listing.fetch(listing.params())))
  async function* pages(): AsyncGenerator<Page> {
    yield* (await start()).pages()
  }
  return createLazyCall({ start, pages, itemsOf: ({ records }) => records, name: 'PageCall' })
}

/** A call that sends nothing before its first page, or an item of it, is asked for. `name` is its tag. */
export function createLazyCall<P, R>(call: {
  readonly start: () => Promise<P>
  readonly pages: () => AsyncGenerator<P>
  readonly itemsOf: (page: P) => readonly R[]
  readonly name: string
}): LazyCall<P, R> {
  const { start, pages, name } = call
  async function* items(): AsyncGenerator<R> {
    for await (const page of pages()) yield* call.itemsOf(page)
  }
  return {
    // oxlint-disable-next-line unicorn/no-thenable -- being awaitable is the point of a lazy call
    then: (onFulfilled, onRejected) => start().then(onFulfilled, onRejected),
    catch: (onRejected) => start().catch(onRejected),
    finally: (onFinally) => start().finally(onFinally),
    pages: () => ({ [Symbol.asyncIterator]: pages }),
    toArray: async ({ limit }) => await take(items(), limit),
    [Symbol.asyncIterator]: items,
    [Symbol.toStringTag]: name,
  }
}

/** The first call runs it, the others get the same result. */
export function once<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => (running ??= run())
}

/** Printed or sent on it is its envelope: everything but its members belongs to the class. */
class ListedPage implements Page {
  readonly data: Page['data']
  readonly meta: Page['meta']
  declare readonly execution?: Execution
  readonly #listing: Listing
  readonly #fetched: FetchedPage

  constructor(listing: Listing, fetched: FetchedPage) {
    // What the engine wraps for a listing is of these types; only it knows of which records.
    this.data = fetched.data as Page['data']
    this.meta = fetched.meta as Page['meta']
    // A member that is undefined would be printed.
    if (fetched.execution !== undefined) this.execution = fetched.execution
    this.#listing = listing
    this.#fetched = fetched
  }

  get records(): readonly unknown[] {
    return this.#fetched.records
  }

  static unsaidEndOf(page: ListedPage): UnsaidEnd | null {
    return page.#fetched.unsaidEnd ?? null
  }

  static unmatchedOf(page: ListedPage): readonly string[] | null {
    return page.#fetched.unmatched?.() ?? null
  }

  async next(): Promise<Page | null> {
    const { nextParams } = this.#fetched
    if (nextParams === null) return null
    return new ListedPage(this.#listing, await this.#listing.fetch(nextParams))
  }

  pages(): AsyncIterable<Page> {
    return { [Symbol.asyncIterator]: () => walk(this.#listing, this.#fetched, this) }
  }

  async toArray({ limit }: { readonly limit: number }): Promise<unknown[]> {
    return await take(recordsOf(this.pages()), limit)
  }

  [Symbol.asyncIterator](): AsyncIterator<unknown> {
    return recordsOf(this.pages())
  }
}

/** Why a listing ended with this page although nothing in the answer said so; null where that is not known, as of a service. */
export function unsaidEndOf(page: Page): UnsaidEnd | null {
  return page instanceof ListedPage ? ListedPage.unsaidEndOf(page) : null
}

/**
 * The pointers of the manifest that found nothing in the answer of a page, as they are written, with their keys; null
 * where that is not known, as of a service.
 */
export function unmatchedOf(page: Page): readonly string[] | null {
  return page instanceof ListedPage ? ListedPage.unmatchedOf(page) : null
}

/** The given page and all after it. Holds one page at a time, however long the listing is. */
async function* walk(listing: Listing, first: FetchedPage, firstPage: Page): AsyncGenerator<Page> {
  const guard = new LoopGuard(listing.countsPages ?? false)
  guard.check({ mark: first.mark(), hasMore: first.nextParams !== null })
  yield firstPage
  for (let params = first.nextParams; params !== null;) {
    const fetched = await listing.fetch(params)
    guard.check({ mark: fetched.mark(), hasMore: fetched.nextParams !== null })
    yield new ListedPage(listing, fetched)
    params = fetched.nextParams
  }
}

async function* recordsOf(pages: AsyncIterable<Page>): AsyncGenerator {
  for await (const page of pages) yield* page.records
}

async function take<R>(records: AsyncIterable<R>, limit: number): Promise<R[]> {
  if (!Number.isInteger(limit) || limit < 0)
    throw new TypeError('toArray needs a limit, a whole number of records')
  const taken: R[] = []
  if (limit === 0) return taken
  for await (const record of records) {
    taken.push(record)
    if (taken.length >= limit) break
  }
  return taken
}
