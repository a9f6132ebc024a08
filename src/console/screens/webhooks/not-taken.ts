// Of the deliveries of an endpoint, those that its app has not taken.
import type { WebhookDelivery } from '../../api/answers.ts'

export interface NotTaken {
  /** Those that have not been taken since the last one that was, the newest first. */
  readonly failing: readonly WebhookDelivery[]
  /** How many are known not to be taken: where nothing of a page was, all of it, also what waits for its first attempt. */
  readonly events: number
  /** Of those that wait, how many were tried and not taken. */
  readonly waiting: number
  /** When the last one was taken; null: none of these. */
  readonly takenAt: string | null
  /** When the first of those that wait is tried again; null: none waits. */
  readonly nextAt: string | null
}

/** Of the newest deliveries; `isCut`: there are more before them. */
export function notTaken(deliveries: readonly WebhookDelivery[], isCut: boolean): NotTaken {
  const tried = deliveries
    .filter(({ last_attempt_at: at }) => at !== null)
    .toSorted((a, b) => (b.last_attempt_at ?? '').localeCompare(a.last_attempt_at ?? ''))
  const waiting = tried.filter(({ state }) => state === 'pending')
  const taken = tried.findIndex(({ state }) => state === 'delivered')
  const failing = taken === -1 ? tried : tried.slice(0, taken)
  return {
    failing,
    events: taken === -1 && isCut && failing.length > 0 ? deliveries.length : failing.length,
    waiting: waiting.length,
    takenAt: tried[taken]?.last_attempt_at ?? null,
    nextAt: waiting.flatMap(({ next_attempt_at: at }) => at ?? []).toSorted()[0] ?? null,
  }
}

/** Those that were given up, or wait for a further attempt; what was just asked for once more has had none since. */
export function notTakenYet(deliveries: readonly WebhookDelivery[]): readonly WebhookDelivery[] {
  return deliveries.filter(
    ({ state, attempts }) => state === 'failed' || (state === 'pending' && attempts > 0),
  )
}

/** Whose event it is: one of an account has it as `data`, all others name it there. */
export function subjectOf({ type, body }: Pick<WebhookDelivery, 'type' | 'body'>): {
  readonly id: string | null
  readonly name: string
  readonly entity: string | null
  /** The account was deleted by what the event tells. */
  readonly isGone: boolean
} {
  const data = typeof body['data'] === 'object' && body['data'] !== null ? body['data'] : {}
  const members = new Map<string, unknown>(Object.entries(data))
  const text = (key: string): string | null => {
    const value = members.get(key)
    return typeof value === 'string' ? value : null
  }
  const id = text('connector_id') ?? text('id')
  return {
    id,
    name: text('name') ?? text('external_user_id') ?? id ?? '',
    entity: text('entity'),
    isGone: type === 'connector.deleted',
  }
}

/** Behind what says whose it is: `has not taken the latest 4 events`. */
export function notTakenInWords({ events }: Pick<NotTaken, 'events'>): string {
  return `has not taken the latest ${events === 1 ? 'event' : `${events} events`}`
}
