// Places in the events of an organisation. They never end: a reader keeps its place for as long as it is away.
import { type ConnectorError, problemError } from '../../errors.ts'
import type { Cursors } from '../cursors.ts'
import type { Principal } from '../tokens/principal.ts'

/** What cursors of events are sealed for; those of deliveries name their webhook as well. */
const EVENTS = 'events'
/** As earlier versions wrote places of events. It tells a number only, and opens nothing that the token does not. */
const EARLIER_FORM = /^e1\.(\d{1,15})$/
const NUMBER = /^\d{1,15}$/

export class EventCursors {
  readonly #cursors: Cursors

  constructor(cursors: Cursors) {
    this.#cursors = cursors
  }

  event(principal: Principal, seq: number): Promise<string> {
    return this.#cursors.seal(principal, String(seq), EVENTS, { lifeMs: null })
  }

  /** The number of the event that a cursor is behind. Throws `cursor_invalid`. */
  async seqOfEvent(principal: Principal, cursor: string): Promise<number> {
    const earlier = EARLIER_FORM.exec(Buffer.from(cursor, 'base64url').toString())?.[1]
    return earlier === undefined ? await this.#seqOf(principal, cursor, EVENTS) : Number(earlier)
  }

  /** The place before a delivery, in a listing whose newest is first. */
  delivery(principal: Principal, webhookId: string, seq: number): Promise<string> {
    return this.#cursors.seal(principal, String(seq), deliveriesOf(webhookId))
  }

  /** The number of the event of that delivery. Throws `cursor_invalid`. */
  seqOfDelivery(principal: Principal, webhookId: string, cursor: string): Promise<number> {
    return this.#seqOf(principal, cursor, deliveriesOf(webhookId))
  }

  async #seqOf(principal: Principal, cursor: string, purpose: string): Promise<number> {
    const place = await this.#cursors.open(principal, cursor, purpose)
    if (!NUMBER.test(place)) throw cursorRefused('the cursor is none of these events')
    return Number(place)
  }
}

function deliveriesOf(webhookId: string): string {
  return `deliveries of ${webhookId}`
}

export function cursorRefused(message: string): ConnectorError {
  const detail = 'is not a cursor of these events'
  return problemError('cursor_invalid', { pointer: '/cursor', code: 'cursor', detail }, message)
}
