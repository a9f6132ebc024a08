// A search as a lazy listing of hits.
import { ConnectorError } from '../errors.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import type { SearchCall, SearchHit, SearchResult } from './search-call.ts'

/** A lazy search: nothing is sent before the first `await`, `for await`, `.pages()` step or `.toArray`. */
export function createSearchCall(
  params: () => JsonObject,
  fetch: (params: JsonObject) => Promise<SearchResult>,
): SearchCall {
  let first: Promise<SearchResult> | undefined
  const start = (): Promise<SearchResult> => (first ??= (async () => await fetch(params()))())
  async function* pages(): AsyncGenerator<SearchResult> {
    const seen = new Set<string>()
    let page = await start()
    for (;;) {
      yield page
      const cursor = page.next_cursor
      if (cursor === null) return
      if (seen.has(cursor))
        throw new ConnectorError('service_malformed', 'the service repeats a cursor')
      seen.add(cursor)
      page = await fetch({ ...params(), cursor })
    }
  }
  async function* hits(): AsyncGenerator<SearchHit> {
    for await (const page of pages()) yield* page.hits
  }
  return {
    // oxlint-disable-next-line unicorn/no-thenable -- being awaitable is the point of a search call
    then: (onFulfilled, onRejected) => start().then(onFulfilled, onRejected),
    catch: (onRejected) => start().catch(onRejected),
    finally: (onFinally) => start().finally(onFinally),
    pages: () => ({ [Symbol.asyncIterator]: pages }),
    async toArray({ limit }) {
      if (!Number.isInteger(limit) || limit < 0)
        throw new TypeError('toArray needs a limit, a whole number of hits')
      const taken: SearchHit[] = []
      if (limit === 0) return taken
      for await (const hit of hits()) {
        taken.push(hit)
        if (taken.length >= limit) break
      }
      return taken
    },
    [Symbol.asyncIterator]: hits,
    [Symbol.toStringTag]: 'SearchCall',
  }
}

/** The answer of a service to a search. Throws `service_malformed` where it has no hits. */
export function searchResultIn(answer: Json): SearchResult {
  // Its members are what the service promises.
  if (isJsonObject(answer) && Array.isArray(answer['hits']))
    return answer as unknown as SearchResult
  throw new ConnectorError('service_malformed', 'the service answered a search without hits')
}
