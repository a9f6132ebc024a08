// A turn lasts as long as its instance wants it: one that is paused, changed or deleted is not read on.
import type { Clock } from '../../engine/exchange/clock.ts'
import type { InstanceRow } from '../store/instances.ts'
import type { Store } from '../store/store.ts'

export interface WantedPorts {
  readonly store: { readonly instances: Pick<Store['instances'], 'find'> }
  readonly clock: Clock
}

/** So long a turn goes on at most after nobody wants it any more. */
const LOOK_EVERY_MS = 5_000

/**
 * Runs a turn under a signal that is aborted with the given one, and once the row of the instance says that the turn is
 * not wanted: `isWanted` is asked every 5 seconds, with null when there is no instance any more.
 */
export async function whileWanted<T>(
  { store, clock }: WantedPorts,
  {
    instanceId,
    isWanted,
    signal,
  }: {
    readonly instanceId: string
    readonly isWanted: (row: InstanceRow | null) => boolean
    readonly signal: AbortSignal
  },
  turn: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const unwanted = new AbortController()

  async function look(): Promise<void> {
    for (;;) {
      await clock.sleep(LOOK_EVERY_MS, over.signal).catch(() => {})
      if (over.signal.aborted) return
      try {
        if (isWanted(await store.instances.find(instanceId))) continue
      } catch {
        // A store that does not answer says nothing, and the turn meets it as well.
        continue
      }
      unwanted.abort()
      return
    }
  }

  const looking = look()
  try {
    return await turn(AbortSignal.any([signal, unwanted.signal]))
  } finally {
    over.abort()
    await looking
  }
}
