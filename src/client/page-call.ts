// A listing: awaited it is its first page, iterated it is every record.
import type { JsonObject } from '../json/json.ts'
import type { Pagination } from '../manifest/manifest.ts'
import { createLoopGuard } from '../response/loop-guard.ts'

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
export interface PageCall<R = unknown, M = object, D = readonly R[]>
  extends Promise<Page<R, M, D>>, AsyncIterable<R> {
  pages(): AsyncIterable<Page<R, M, D>>
  toArray(options: { readonly limit: number }): Promise<R[]>
}

/** What one request for a page gives. */
export interface FetchedPage {
  readonly data: unknown
  readonly meta: object
  readonly records: readonly unknown[]
  readonly nextParams: JsonObject | null
  /** Equal marks mean that the third party repeats itself; null where nothing can be compared. */
  readonly mark: string | null
}

export interface Listing {
  /** The params of the first page; made when it is asked for, so that wrong ones reject instead of throwing. */
  readonly params: () => JsonObject
  /** Fetches the page that these params stand for. */
  readonly fetch: (params: JsonObject) => Promise<FetchedPage>
  /** What moves from page to page, which decides how a listing that goes in circles shows itself. */
  readonly type: Pagination['type']
}

/** A lazy listing. */
export function createPageCall(listing: Listing): PageCall {
  let first: Promise<Page> | undefined
  const start = (): Promise<Page> => (first ??= openListing(listing))
  const pages = (): AsyncIterable<Page> => ({
    [Symbol.asyncIterator]: async function* () {
      yield* (await start()).pages()
    },
  })
  const call: PageCall = {
    // oxlint-disable-next-line unicorn/no-thenable -- being awaitable is the point of a page call
    then: (onFulfilled, onRejected) => start().then(onFulfilled, onRejected),
    catch: (onRejected) => start().catch(onRejected),
    finally: (onFinally) => start().finally(onFinally),
    pages,
    toArray: async (options) => (await start()).toArray(options),
    [Symbol.asyncIterator]: () => recordsOf(pages())[Symbol.asyncIterator](),
    [Symbol.toStringTag]: 'PageCall',
  }
  return call
}

async function openListing(listing: Listing): Promise<Page> {
  return createPage(listing, await listing.fetch(listing.params()))
}

function createPage(listing: Listing, fetched: FetchedPage): Page {
  const page = { data: fetched.data, meta: fetched.meta } as Page
  const pages = (): AsyncIterable<Page> => ({
    [Symbol.asyncIterator]: () => walk(listing, fetched, page),
  })
  const members = {
    records: fetched.records,
    next: async () =>
      fetched.nextParams === null
        ? null
        : createPage(listing, await listing.fetch(fetched.nextParams)),
    pages,
    toArray: async ({ limit }: { readonly limit: number }) => await take(recordsOf(pages()), limit),
    [Symbol.asyncIterator]: () => recordsOf(pages())[Symbol.asyncIterator](),
  }
  // Members that are not enumerable: printing a page, or sending it on, gives the envelope and nothing else.
  for (const name of Reflect.ownKeys(members)) {
    Object.defineProperty(page, name, { value: members[name as keyof typeof members] })
  }
  return page
}

/** The given page and all after it. Holds one page at a time, however long the listing is. */
async function* walk(listing: Listing, first: FetchedPage, firstPage: Page): AsyncGenerator<Page> {
  const guard = createLoopGuard(listing.type)
  guard.check({ mark: first.mark, hasMore: first.nextParams !== null })
  yield firstPage
  for (let params = first.nextParams; params !== null;) {
    const fetched = await listing.fetch(params)
    guard.check({ mark: fetched.mark, hasMore: fetched.nextParams !== null })
    yield createPage(listing, fetched)
    params = fetched.nextParams
  }
}

async function* recordsOf(pages: AsyncIterable<Page>): AsyncGenerator {
  for await (const page of pages) yield* page.records
}

async function take(records: AsyncIterable<unknown>, limit: number): Promise<unknown[]> {
  if (!Number.isInteger(limit) || limit < 0)
    throw new TypeError('toArray needs a limit, a whole number of records')
  const taken: unknown[] = []
  if (limit === 0) return taken
  for await (const record of records) {
    taken.push(record)
    if (taken.length >= limit) break
  }
  return taken
}
