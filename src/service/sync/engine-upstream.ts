// The third party as a sync sees it: actions of the engine, run at the pace that callers leave over.
import type { Engine } from '../../engine/engine.ts'
import { ConnectorError, isConnectorError } from '../../errors.ts'
import type { Budget } from '../../engine/exchange/budget.ts'
import type { ExchangeObserver } from '../../engine/exchange/call.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { Rate } from '../../engine/exchange/rate-use.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { totalIn } from '../../engine/response/describe-end.ts'
import { PATIENCE_MS, type Upstream, type UpstreamCall } from '../../copy/sync/sync-run.ts'
import { TurnPlace } from './turn-place.ts'
import type { TurnSteps } from './turn-steps.ts'

export interface EngineUpstreamOptions {
  readonly engine: Pick<Engine, 'execute'>
  readonly config: () => JsonObject
  readonly budget: Budget
  readonly clock: Clock
  /** A place among the calls that syncs of this instance may make at once; the function releases it. */
  readonly enter: (signal: AbortSignal) => Promise<() => void>
  /** Makes each call, to watch what it sends; absent: nobody watches. */
  readonly watch?: TurnSteps['watch']
  /** Of the turn whose calls these are; absent: they are those of no turn. */
  readonly place?: TurnPlace
}

/** Waits within one call, those for the rate included. */
const CALL_TIMEOUT_MS = 5 * 60_000
/** So much of a rate is left to callers. */
const LEFT_TO_CALLERS = 0.3
/** So much of a quota, which is a rate over a day or more: a sync uses at most 80 % of it. */
const LEFT_OF_QUOTA = 0.2
const QUOTA_MS = 86_400_000
/** A sync that would wait longer for its part of a rate goes on later where it was. */
const MAX_PAUSE_MS = 60_000
/** What the breaker asks for while one call tries whether the third party is back, and how often that is waited. */
const PROBE_MS = 1_000
const MAX_PROBES = 30

/** The port over an engine. Executed operations come first: a sync waits while less than 30 % of a rate is free. */
export function createEngineUpstream(options: EngineUpstreamOptions): Upstream {
  const { engine, config, budget, clock, place = new TurnPlace() } = options

  async function paced<T>(signal: AbortSignal, call: (waitedMs: number) => Promise<T>): Promise<T> {
    const began = clock.monotonic()
    const end = place.begin()
    try {
      const leave = await place.during(options.enter(signal))
      try {
        for (let ms = budget.waitBeyond(reserveOf); ms > 0; ms = budget.waitBeyond(reserveOf)) {
          budget.refuseBlocked(PATIENCE_MS)
          if (ms > MAX_PAUSE_MS) throw quotaUsed(ms)
          await place.during(clock.sleep(ms, signal), ms)
        }
        const probed = (): Promise<T> => call(Math.round(clock.monotonic() - began))
        return await behindProbe(probed, () => place.during(clock.sleep(PROBE_MS, signal)))
      } finally {
        leave()
      }
    } finally {
      end()
    }
  }

  type Executed = ReturnType<typeof engine.execute>
  function execute({ entity, action, params, signal }: UpstreamCall): Executed {
    const run = (seen?: ExchangeObserver): Executed =>
      place.watch(seen, (observer) =>
        engine.execute(
          { entity, action, params },
          { signal, timeoutMs: CALL_TIMEOUT_MS, patienceMs: PATIENCE_MS, observer },
        ),
      )
    return options.watch?.(run) ?? run()
  }

  return {
    config,
    async list(wanted: UpstreamCall) {
      const { executed, waitedMs } = await paced(wanted.signal, async (waitedMs) => ({
        executed: await execute(wanted),
        waitedMs,
      }))
      const { envelope, page } = executed
      const { meta } = envelope
      const next = meta['next']
      return {
        records: page.records ?? [],
        next: isJsonObject(next) ? next : null,
        mark: page.mark(),
        total: totalIn(meta),
        unsaidEnd: page.unsaidEnd,
        filteredOut: page.filteredOut ?? 0,
        waitedMs,
      }
    },
    async get(wanted) {
      const executed = await paced(wanted.signal, () => execute(wanted))
      return executed.envelope.data
    },
  }
}

/** A third party that was left alone is tried by one call first: the others wait, in pauses, for what becomes of it. */
async function behindProbe<T>(call: () => Promise<T>, pause: () => Promise<unknown>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call()
    } catch (error) {
      const isProbed =
        isConnectorError(error, 'upstream_suspended') &&
        (error.retryAfterMs ?? Number.POSITIVE_INFINITY) <= PROBE_MS
      if (!isProbed || tries > MAX_PROBES) throw error
      // The call that tries may take long.
      await pause()
    }
  }
}

/** Requests of a rate that a sync does not take. */
function reserveOf({ count, periodMs }: Rate): number {
  const part = periodMs >= QUOTA_MS ? LEFT_OF_QUOTA : LEFT_TO_CALLERS
  return Math.min(Math.ceil(count * part), count - 1)
}

function quotaUsed(ms: number): ConnectorError {
  return new ConnectorError(
    'upstream_rate_limited',
    'syncs have used up their part of the rate limit of the third party; what is left is kept for calls, and the sync continues automatically',
    { retryAfterMs: Math.ceil(ms) },
  )
}
