// A search as a lazy listing of hits.
import { ConnectorError } from '../errors.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import { toPlainJson } from '../engine/run/params-to-json.ts'
import { createLazyCall, once } from './page-call.ts'
import type { SearchCall, SearchResult } from './search-call.ts'

/**
 * A lazy search: nothing is sent before the first `await`, `for await`, `.pages()` step or `.toArray`. `run` gives the
 * service's answer to the params of a page; one without hits is `service_malformed`.
 */
export function createSearchCall(
  given: object,
  run: (params: JsonObject) => Promise<Json>,
): SearchCall {
  const params = once(async () => toPlainJson(given, '/params'))
  const fetch = async (cursor: object): Promise<SearchResult> => {
    const answer = await run({ ...(await params()), ...cursor })
    // Its members are what the service promises.
    if (isJsonObject(answer) && Array.isArray(answer['hits']))
      return answer as unknown as SearchResult
    throw new ConnectorError('service_malformed', 'the service answered a search without hits')
  }
  const start = once(() => fetch({}))
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
      page = await fetch({ cursor })
    }
  }
  return createLazyCall({ start, pages, itemsOf: ({ hits }) => hits, name: 'SearchCall' })
}
