// The progress of a call, for clients that ask for it: what the third party tells, and that it is still under way.
import type { ServerContext } from '@modelcontextprotocol/server'
import type { CallOptions } from '../../client/client.ts'
import type { Json } from '../../language/json/json.ts'

export interface Progress extends Disposable {
  /** The options of the call whose progress is told. */
  readonly options: Pick<CallOptions, 'onProgress'>
}

/**
 * Tells progress until it is disposed of: what polls report, and every `everyMs` how long it has taken, whatever it waits
 * for (pages, files, a third party that asks to wait), so that a client that gives up after a while without news waits.
 */
export function tellProgress({ mcpReq }: ServerContext, everyMs: number): Progress {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return { options: {}, [Symbol.dispose]: () => {} }
  const begun = performance.now()
  let count = 0
  function tell(message: string): void {
    count++
    const params = { progressToken: progressToken ?? '', progress: count, message }
    // Progress that does not arrive changes nothing of the answer.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
  }
  const timer = setInterval(() => {
    tell(`still under way after ${Math.round((performance.now() - begun) / 1000)} s`)
  }, everyMs)
  timer.unref()
  return {
    options: {
      onProgress: (progress: Json) => tell(told(progress)),
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

/** `{ pages: 3, records: 120 }` is `3 pages, 120 records`. */
function told(progress: Json): string {
  if (typeof progress === 'string') return progress
  const members = Array.isArray(progress) ? [] : Object.entries(progress ?? {})
  const isCounted = members.length > 0 && members.every(([, count]) => typeof count === 'number')
  return isCounted
    ? members.map(([name, count]) => `${String(count)} ${name}`).join(', ')
    : JSON.stringify(progress)
}
