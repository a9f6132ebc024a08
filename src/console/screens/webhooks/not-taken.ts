// Of the deliveries of an endpoint, those that its app has not taken.
import type { WebhookDelivery } from '../../api/answers.ts'

export interface NotTaken {
  /** Those that have not been taken since the last one that was, the newest first. */
  readonly failing: readonly WebhookDelivery[]
  /** Of those that wait, how many were tried and not taken. */
  readonly waiting: number
}

export function notTaken(deliveries: readonly WebhookDelivery[]): NotTaken {
  const tried = deliveries
    .filter(({ last_attempt_at: at }) => at !== null)
    .toSorted((a, b) => (b.last_attempt_at ?? '').localeCompare(a.last_attempt_at ?? ''))
  const taken = tried.findIndex(({ state }) => state === 'delivered')
  return {
    failing: taken === -1 ? tried : tried.slice(0, taken),
    waiting: tried.filter(({ state }) => state === 'pending').length,
  }
}

/** Behind what says whose it is: `has not taken the latest 4 events`. */
export function notTakenInWords({ length }: NotTaken['failing']): string {
  return `has not taken the latest ${length === 1 ? 'event' : `${length} events`}`
}
