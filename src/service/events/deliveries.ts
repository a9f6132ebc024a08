// The deliveries of one process: takes what is due from the store, and lets no receiver wait for a slow one.
import type { TakenDelivery, WebhookRow } from '../store/webhooks.ts'
import { auditOf } from '../audit.ts'
import type { ServiceBase } from '../base.ts'
import { codeOf } from '../log.ts'
import type { Logs } from '../logs/logs.ts'
import { type Jobs, repeat } from '../repeat.ts'
import { within } from '../within.ts'
import { attemptDelivery, type AttemptPorts, type AttemptResult, isTaken } from './attempt.ts'
import { eventBody } from './event-view.ts'

export interface DeliveryPorts extends AttemptPorts, Pick<ServiceBase, 'store' | 'log'> {
  readonly logs: Pick<Logs, 'note'>
  /** Told of every attempt, for the metrics. */
  readonly observe: (result: DeliveryOutcome) => void
}

export type DeliveryOutcome = 'delivered' | 'retry' | 'failed' | 'gone'

/** Attempts under way in a process. */
const AT_ONCE = 256
/** Of them to one webhook; a receiver that has just failed gets one. */
const PER_WEBHOOK = 4
/** Longer than any attempt takes: when it ends, the process has. */
const LEASE_MS = 60_000
const CLOSE_MS = 5_000
const GONE = 410
const MAX_AILING = 10_000

/** Deliveries without a loop of their own: the caller of `round` decides when. */
export class Deliveries {
  readonly #ports: DeliveryPorts
  readonly #stopped = new AbortController()
  readonly #cut = new AbortController()
  readonly #running = new Set<Promise<void>>()
  readonly #byWebhook = new Map<string, number>()
  /** Webhooks whose last attempt failed. */
  readonly #ailing = new Set<string>()

  constructor(ports: DeliveryPorts) {
    this.#ports = ports
  }

  /** Starts the attempts that are due and have room; how many. */
  async round(): Promise<number> {
    const { webhooks } = this.#ports.store
    const { signal } = this.#stopped
    if (this.#running.size >= AT_ONCE || signal.aborted) return 0
    const full = [...this.#byWebhook.keys()].filter((id) => this.#roomAt(id) <= 0)
    let started = 0
    for (const place of await webhooks.due(AT_ONCE - this.#running.size, full)) {
      const room = this.#roomAt(place.webhookId)
      if (room <= 0 || signal.aborted) continue
      const taken = await webhooks.take(place, room, LEASE_MS)
      const webhook = taken.length === 0 ? null : await webhooks.get(place)
      if (webhook === null || webhook.disabledAt !== null) continue
      for (const delivery of taken) this.#launch(webhook, delivery)
      started += taken.length
    }
    // A webhook that is forgotten is believed to be well.
    if (this.#ailing.size > MAX_AILING) this.#ailing.clear()
    return started
  }

  async settled(): Promise<void> {
    await Promise.all(this.#running)
  }

  /** Takes no more; attempts under way have 5 seconds, and are made by another process then. */
  async close(): Promise<void> {
    this.#stopped.abort()
    await within(this.#ports.clock, CLOSE_MS, this.settled())
    this.#cut.abort()
    await this.settled()
  }

  #roomAt(webhookId: string): number {
    const maximum = this.#ailing.has(webhookId) ? 1 : PER_WEBHOOK
    return Math.min(maximum - (this.#byWebhook.get(webhookId) ?? 0), AT_ONCE - this.#running.size)
  }

  #launch(webhook: WebhookRow, delivery: TakenDelivery): void {
    const { id } = webhook
    this.#byWebhook.set(id, (this.#byWebhook.get(id) ?? 0) + 1)
    const work = this.#deliver(webhook, delivery).finally(() => {
      this.#running.delete(work)
      const left = (this.#byWebhook.get(id) ?? 1) - 1
      if (left > 0) this.#byWebhook.set(id, left)
      else this.#byWebhook.delete(id)
    })
    this.#running.add(work)
  }

  async #deliver(webhook: WebhookRow, delivery: TakenDelivery): Promise<void> {
    const { store, log } = this.#ports
    const { event } = delivery
    try {
      const message = { id: event.id, body: eventBody(event) }
      const result = await attemptDelivery(this.#ports, webhook, message, this.#cut.signal)
      await this.#settle(webhook, delivery, result)
    } catch (error) {
      const code = codeOf(error)
      if (code !== 'aborted')
        log.warn(
          { code, webhook_id: webhook.id, event_id: event.id },
          'a delivery was not made; it is made again when its lease ends',
        )
      // Where the store is away, the lease does it.
      else await store.webhooks.giveBack(delivery).catch(() => {})
    }
  }

  async #settle(
    webhook: WebhookRow,
    delivery: TakenDelivery,
    result: AttemptResult,
  ): Promise<void> {
    const { store, clock, log, observe } = this.#ports
    const { status, error } = result
    const attempts = delivery.attempts + 1
    this.#note(webhook, delivery, result)
    if (isTaken(status)) {
      this.#ailing.delete(webhook.id)
      await store.webhooks.finish(delivery, { state: 'delivered', delayMs: 0, status, error })
      observe('delivered')
      return
    }
    this.#ailing.add(webhook.id)
    const isGone = status === GONE
    const wait = isGone ? null : waitAfter(attempts, result, clock.random())
    const state = wait === null ? 'failed' : 'pending'
    await store.webhooks.finish(delivery, { state, delayMs: wait ?? 0, status, error })
    if (isGone) await this.#switchOff(webhook)
    observe(isGone ? 'gone' : wait === null ? 'failed' : 'retry')
    if (wait !== null) return
    const { id, organizationId } = webhook
    const facts = { webhook_id: id, organization_id: organizationId, event_id: delivery.event.id }
    log.warn(
      { ...facts, attempts, status, code: error },
      isGone ? 'a webhook is gone and was switched off' : 'an event was not delivered',
    )
  }

  #note(
    { id, organizationId }: WebhookRow,
    { event, attempts }: TakenDelivery,
    { status, error, tookMs }: AttemptResult,
  ): void {
    const code = isTaken(status) ? null : status === null ? 'delivery_failed' : 'delivery_refused'
    const reason = error === null ? {} : { reason: error }
    this.#ports.logs.note({
      kind: 'delivery',
      instance: { ...event, id: event.instanceId, organizationId },
      action: event.type,
      code,
      upstreamStatus: status,
      tookMs,
      facts: { webhook_id: id, event_id: event.id, attempt: attempts + 1, ...reason },
    })
  }

  async #switchOff({ organizationId, id }: WebhookRow): Promise<void> {
    const about = { target: id, members: ['enabled'] }
    const audit = auditOf({ organizationId, clientId: 'receiver' }, null, 'webhook.gone', about)
    await this.#ports.store.webhooks.switchOff({ organizationId, webhookId: id }, audit)
  }
}

const LOOK_EVERY_MS = 2_000
/** While there is much to do. */
const LOOK_AGAIN_MS = 50

/** Starts it. Any number of processes may run it: the store decides who makes which attempt. */
export function startDeliveries(ports: DeliveryPorts): Jobs {
  const deliveries = new Deliveries(ports)
  const looking = repeat(ports, {
    everyMs: LOOK_EVERY_MS,
    step: async () => ((await deliveries.round()) > 0 ? LOOK_AGAIN_MS : undefined),
    failure: 'deliveries could not be looked for; it is tried again',
  })
  return {
    get running() {
      return looking.running
    },
    async close() {
      await looking.close()
      await deliveries.close()
    },
  }
}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** The waits after the first attempt, the second …: eight attempts over about 28 hours. */
const WAITS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
]
/** A receiver that asks for a longer wait is asked again after this one. */
const MAX_ASKED_MS = 10 * HOUR_MS

/**
 * How long to wait after an attempt, counted from 1; null: it was the last one. A tenth more or less by chance, so that a
 * receiver which was away is not met by everything at once; longer where it asks for that.
 */
function waitAfter(
  attempt: number,
  { retryAfterMs }: Pick<AttemptResult, 'retryAfterMs'>,
  random: number,
): number | null {
  const wait = WAITS_MS[attempt - 1]
  if (wait === undefined) return null
  return Math.max(
    Math.round(wait * (0.9 + 0.2 * random)),
    Math.min(retryAfterMs ?? 0, MAX_ASKED_MS),
  )
}
