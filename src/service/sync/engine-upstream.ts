// The third party as a sync sees it: actions of the engine, run at the pace that callers leave over.
import type { Engine } from '../../engine.ts'
import type { Budget } from '../../exchange/budget.ts'
import type { Clock } from '../../exchange/clock.ts'
import { own } from '../../json/own.ts'
import type { Json, JsonObject } from '../../json/json.ts'
import { isJsonObject } from '../../json/members.ts'
import type { Upstream, UpstreamCall } from '../../sync/upstream.ts'

export interface EngineUpstreamOptions {
  readonly engine: Pick<Engine, 'execute'>
  /** Settings of the instance. */
  readonly config: () => JsonObject
  readonly budget: Budget
  readonly clock: Clock
  /** A place among the calls that syncs of this instance may make at once; the function gives it back. */
  readonly enter: (signal: AbortSignal) => Promise<() => void>
}

/** Waits within one call, those for the rate included. */
const CALL_TIMEOUT_MS = 5 * 60_000
/** So much of every rate is left to callers. */
const LEFT_TO_CALLERS = 0.3

/** The port over an engine. Executed operations come first: a sync waits while less than 30 % of a rate is free. */
export function createEngineUpstream(options: EngineUpstreamOptions): Upstream {
  const { engine, config, budget, clock } = options

  async function paced<T>(signal: AbortSignal, call: (waitedMs: number) => Promise<T>): Promise<T> {
    const began = clock.monotonic()
    const leave = await options.enter(signal)
    try {
      for (let waitMs = paceMs(budget); waitMs > 0; waitMs = paceMs(budget))
        await clock.sleep(waitMs, signal)
      return await call(Math.round(clock.monotonic() - began))
    } finally {
      leave()
    }
  }

  const settings = (signal: AbortSignal) => ({ signal, timeoutMs: CALL_TIMEOUT_MS })
  return {
    config,
    async list({ entity, action, params, signal }: UpstreamCall) {
      const { executed, waitedMs } = await paced(signal, async (waitedMs) => ({
        executed: await engine.execute({ entity, action, params }, settings(signal)),
        waitedMs,
      }))
      const { meta } = executed.envelope
      const next = meta['next']
      return {
        records: executed.records ?? [],
        next: isJsonObject(next) ? next : null,
        mark: executed.mark,
        total: totalIn(meta),
        waitedMs,
      }
    },
    async get({ entity, params, signal }) {
      const executed = await paced(signal, () =>
        engine.execute({ entity, action: 'get', params }, settings(signal)),
      )
      return executed.envelope.data
    },
  }
}

/** How long a sync waits so that callers find room; 0: not at all. */
function paceMs(budget: Budget): number {
  let waitMs = 0
  for (const { count, windowMs, remaining, waitMs: blockedMs } of budget.left()) {
    const wanted = Math.min(Math.ceil(count * LEFT_TO_CALLERS), count - 1)
    if (remaining <= wanted) waitMs = Math.max(waitMs, blockedMs, windowMs / count)
  }
  return waitMs
}

const TOTALS = ['total', 'totalRecords'] as const

/** The third party's own count, where the manifest shows it in `meta`. */
function totalIn(meta: JsonObject): number | null {
  for (const place of [meta, own(meta, 'pagination')]) {
    for (const name of TOTALS) {
      const total: Json | undefined = own(place, name)
      if (typeof total === 'number' && Number.isInteger(total)) return total
    }
  }
  return null
}
