// Events as receivers and readers get them.
import type { JsonObject } from '../../language/json/json.ts'
import type { EventRow } from '../store/events.ts'
import { timeText } from '../store/instance-view.ts'

/** A member of `GET /events`. */
export function showEvent(row: EventRow): JsonObject {
  return { id: row.id, ...payloadOf(row.type, row.at, row.data) }
}

/** The body of a delivery. The same bytes in every attempt: its id is in a header, and signed. */
export function eventBody(row: Pick<EventRow, 'type' | 'at' | 'data'>): string {
  return JSON.stringify(payloadOf(row.type, row.at, row.data))
}

/** The members that Standard Webhooks names. */
export function payloadOf(type: string, at: number, data: JsonObject): JsonObject {
  return { type, timestamp: timeText(at), data }
}
