// Searches of a copy as the service makes them, and how long they take.
import { randomBytes } from 'node:crypto'

import type { Json } from '../../src/language/json/json.ts'
import { createCursorSeal } from '../../src/copy/search/cursor.ts'
import { createSealer } from '../../src/engine/run/seal.ts'
import { createSearch } from '../../src/copy/search/search.ts'
import { spreadOf } from '../statistics.ts'
import { issueOf, toRow } from './issues.ts'
import { LIMIT } from './questions.ts'
import { INSTANCE, type OpenStore } from './stores.ts'

/** Calls of one round, and how long they may take together. */
const CALLS = 40
const MAX_ROUND_MS = 200
/** Records per transaction of a filling that is not measured. */
const FILLED_AT_ONCE = 2_000

/** Asks for the first page of a query; gives the text of its hits. */
export function searcherOf({ index, copy }: OpenStore): (query: Json) => Promise<string> {
  const search = createSearch({
    index,
    cursors: createCursorSeal(createSealer(randomBytes(32)), Date.now),
    clock: { now: Date.now, monotonic: () => performance.now() },
  })
  const call = { organizationId: 'bench', instanceId: INSTANCE, entity: copy.entity }
  return async (query) => {
    const params = { query, limit: LIMIT }
    return (await search({ ...call, params, intervalMs: 60_000, active: true })).hits
  }
}

/** Milliseconds of one call, the median of many. */
export async function medianOf(call: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  const begun = performance.now()
  while (times.length < CALLS && (times.length < 3 || performance.now() - begun < MAX_ROUND_MS)) {
    const started = performance.now()
    await call()
    times.push(performance.now() - started)
  }
  return spreadOf(times).median
}

/** Writes the records `from` to `to`. */
export async function fill({ index, copy }: OpenStore, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += FILLED_AT_ONCE) {
    const count = Math.min(FILLED_AT_ONCE, to - start)
    const rows = Array.from({ length: count }, (_, at) => toRow(issueOf(start + at)))
    await index.write({ copy, fence: null, observedAtMs: 1, rows })
  }
}
