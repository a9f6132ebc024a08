// A search as a lazy listing of hits.
import { ConnectorError } from '../errors.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import { createLazyCall, once } from './page-call.ts'
import type { SearchCall, SearchResult } from './search-call.ts'

/** A lazy search: nothing is sent before the first `await`, `for await`, `.pages()` step or `.toArray`. */
export function createSearchCall(
  params: () => JsonObject,
  fetch: (params: JsonObject) => Promise<SearchResult>,
): SearchCall {
  const start = once(async () => await fetch(params()))
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
  return createLazyCall({ start, pages, itemsOf: ({ hits }) => hits, name: 'SearchCall' })
}

/** The answer of a service to a search. Throws `service_malformed` where it has no hits. */
export function searchResultIn(answer: Json): SearchResult {
  // Its members are what the service promises.
  if (isJsonObject(answer) && Array.isArray(answer['hits']))
    return answer as unknown as SearchResult
  throw new ConnectorError('service_malformed', 'the service answered a search without hits')
}
