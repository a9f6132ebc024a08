// Places in the events of an organisation. They never end: a reader keeps its place for as long as it is away.
import { ConnectorError } from '../../errors.ts'
import type { Cursors } from '../cursors.ts'
import type { Principal } from '../tokens/principal.ts'

/** What cursors of events are sealed for; those of deliveries name their webhook as well. */
const EVENTS = 'events'
/** As earlier versions wrote places of events. It tells a number only, and opens nothing that the token does not. */
const EARLIER_FORM = /^e1\.(\d{1,15})$/
const NUMBER = /^\d{1,15}$/

/** Cursors of events, and of the deliveries of a webhook. */
export interface EventCursors {
  /** The place after an event. */
  event(principal: Principal, seq: number): Promise<string>
  /** The number of the event that a cursor is behind. Throws `cursor_invalid`. */
  seqOfEvent(principal: Principal, cursor: string): Promise<number>
  /** The place before a delivery, in a listing whose newest is first. */
  delivery(principal: Principal, webhookId: string, seq: number): Promise<string>
  /** The number of the event of that delivery. Throws `cursor_invalid`. */
  seqOfDelivery(principal: Principal, webhookId: string, cursor: string): Promise<number>
}

export function createEventCursors(cursors: Cursors): EventCursors {
  async function seqOf(principal: Principal, cursor: string, purpose: string): Promise<number> {
    const place = await cursors.open(principal, cursor, purpose)
    if (!NUMBER.test(place)) throw cursorRefused('the cursor is none of these events')
    return Number(place)
  }

  return {
    event: (principal, seq) => cursors.seal(principal, String(seq), EVENTS, { lifeMs: null }),
    async seqOfEvent(principal, cursor) {
      const earlier = EARLIER_FORM.exec(Buffer.from(cursor, 'base64url').toString())?.[1]
      return earlier === undefined ? await seqOf(principal, cursor, EVENTS) : Number(earlier)
    },
    delivery: (principal, webhookId, seq) =>
      cursors.seal(principal, String(seq), deliveriesOf(webhookId)),
    seqOfDelivery: (principal, webhookId, cursor) =>
      seqOf(principal, cursor, deliveriesOf(webhookId)),
  }
}

function deliveriesOf(webhookId: string): string {
  return `deliveries of ${webhookId}`
}

export function cursorRefused(message: string): ConnectorError {
  return new ConnectorError('cursor_invalid', message, {
    errors: [{ pointer: '/cursor', code: 'cursor', detail: 'is not a cursor of these events' }],
  })
}
