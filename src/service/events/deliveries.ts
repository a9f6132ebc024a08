// The deliveries of one process: takes what is due from the store, and sees to it that nobody waits for a slow receiver.
import { isConnectorError } from '../../errors.ts'
import type { Store } from '../store/store.ts'
import type { TakenDelivery, WebhookRow } from '../store/webhooks.ts'
import type { ServiceLog } from '../log.ts'
import { attemptDelivery, type AttemptPorts, type AttemptResult, isTaken } from './attempt.ts'
import { waitAfter } from './delivery-schedule.ts'
import { eventBody } from './event-view.ts'

export interface DeliveryPorts extends AttemptPorts {
  readonly store: Store
  readonly log: ServiceLog
  /** Told of every attempt, for the metrics. */
  readonly observe: (result: DeliveryOutcome) => void
}

export type DeliveryOutcome = 'delivered' | 'retry' | 'failed' | 'gone'

export interface Deliveries {
  /** Starts the attempts that are due and have room; how many. */
  round(): Promise<number>
  /** Waits for the attempts under way. */
  settled(): Promise<void>
  /** Takes no more; attempts under way have 5 seconds, and are made by somebody else then. */
  close(): Promise<void>
}

/** Attempts under way in a process. */
const AT_ONCE = 256
/** Of them to one webhook; a receiver that has just failed gets one. */
const PER_WEBHOOK = 4
/** Longer than any attempt takes: when it ends, the process has. */
const LEASE_MS = 60_000
const CLOSE_MS = 5_000
const GONE = 410

/** Deliveries without a loop of their own: whoever calls `round` decides when. */
export function createDeliveries(ports: DeliveryPorts): Deliveries {
  const { store, clock, log } = ports
  const stopped = new AbortController()
  const cut = new AbortController()
  const running = new Set<Promise<void>>()
  const byWebhook = new Map<string, number>()
  /** Webhooks whose last attempt failed. */
  const ailing = new Set<string>()

  function roomAt(webhookId: string): number {
    const most = ailing.has(webhookId) ? 1 : PER_WEBHOOK
    return Math.min(most - (byWebhook.get(webhookId) ?? 0), AT_ONCE - running.size)
  }

  function launch(webhook: WebhookRow, delivery: TakenDelivery): void {
    byWebhook.set(webhook.id, (byWebhook.get(webhook.id) ?? 0) + 1)
    const work = make(webhook, delivery).finally(() => {
      running.delete(work)
      const left = (byWebhook.get(webhook.id) ?? 1) - 1
      if (left > 0) byWebhook.set(webhook.id, left)
      else byWebhook.delete(webhook.id)
    })
    running.add(work)
  }

  async function make(webhook: WebhookRow, delivery: TakenDelivery): Promise<void> {
    const { event } = delivery
    try {
      const message = { id: event.id, body: eventBody(event) }
      await settle(webhook, delivery, await attemptDelivery(ports, webhook, message, cut.signal))
    } catch (error) {
      const code = isConnectorError(error) ? error.code : 'internal_error'
      if (code !== 'aborted')
        log.warn(
          { code, webhook_id: webhook.id, event_id: event.id },
          'a delivery was not made; it is made again when its lease ends',
        )
      // Where the store is away, the lease does it.
      else await store.webhooks.giveBack(delivery).catch(() => {})
    }
  }

  async function settle(
    webhook: WebhookRow,
    delivery: TakenDelivery,
    result: AttemptResult,
  ): Promise<void> {
    const { status, error } = result
    const attempt = delivery.attempts + 1
    if (isTaken(status)) {
      ailing.delete(webhook.id)
      await store.webhooks.finish(delivery, { state: 'delivered', delayMs: 0, status, error })
      ports.observe('delivered')
      return
    }
    ailing.add(webhook.id)
    const wait = status === GONE ? null : waitAfter(attempt, result, clock.random())
    const state = wait === null ? 'failed' : 'pending'
    await store.webhooks.finish(delivery, { state, delayMs: wait ?? 0, status, error })
    if (status === GONE) await switchOff(webhook)
    ports.observe(status === GONE ? 'gone' : wait === null ? 'failed' : 'retry')
    if (wait === null)
      log.warn(
        {
          webhook_id: webhook.id,
          organization_id: webhook.organizationId,
          event_id: delivery.event.id,
          attempts: attempt,
          status,
          code: error,
        },
        status === GONE ? 'a webhook is gone and was switched off' : 'an event was not delivered',
      )
  }

  async function switchOff({ organizationId, id }: WebhookRow): Promise<void> {
    await store.webhooks.switchOff(
      { organizationId, webhookId: id },
      {
        organizationId,
        instanceId: null,
        requestId: null,
        actor: 'receiver',
        action: 'webhook.gone',
        target: id,
        outcome: 'done',
        members: ['enabled'],
      },
    )
  }

  return {
    async round() {
      if (running.size >= AT_ONCE || stopped.signal.aborted) return 0
      const full = [...byWebhook.keys()].filter((id) => roomAt(id) <= 0)
      let started = 0
      for (const place of await store.webhooks.due(AT_ONCE - running.size, full)) {
        const room = roomAt(place.webhookId)
        if (room <= 0 || stopped.signal.aborted) continue
        const taken = await store.webhooks.take(place, room, LEASE_MS)
        const webhook = taken.length === 0 ? null : await store.webhooks.get(place)
        if (webhook === null || webhook.disabledAt !== null) continue
        for (const delivery of taken) launch(webhook, delivery)
        started += taken.length
      }
      // It is only about what is under way, and who is forgotten is believed to be well.
      if (ailing.size > MAX_AILING) ailing.clear()
      return started
    },

    async settled() {
      await Promise.all(running)
    },

    async close() {
      stopped.abort()
      const leave = new AbortController()
      const patience = clock.sleep(CLOSE_MS, leave.signal).catch(() => {})
      await Promise.race([Promise.all(running), patience])
      leave.abort()
      cut.abort()
      await Promise.all(running)
    },
  }
}

const MAX_AILING = 10_000
