// Ids that grow with time (RFC 9562, version 7), so that rows made together lie together.
import { randomUUID } from 'node:crypto'

/** A lower-case UUIDv7. */
export function uuidv7(now: number): string {
  const time = now.toString(16).padStart(12, '0')
  // Version 4 has the variant and the random digits at the same places.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** Whether a text is a lower-case UUID. A path with anything else names nothing. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text)
}
