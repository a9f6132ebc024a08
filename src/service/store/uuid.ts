// Ids that grow with time (RFC 9562, version 7), so that rows made together lie together.
import { randomBytes } from 'node:crypto'

const RANDOM_BYTES = 10
const RANDOM_DIGITS = 2 * RANDOM_BYTES

/** What ids have behind their time. Made for many at once: to ask the system for random bytes costs more than all else. */
let pool = ''
let used = 0
let time = { ms: -1, text: '' }

/** A lower-case UUIDv7. */
export function uuidv7(now: number): string {
  if (used === pool.length) {
    pool = randomDigits(400)
    used = 0
  }
  if (time.ms !== now) time = { ms: now, text: timeText(now) }
  const start = used
  used += RANDOM_DIGITS
  return `${time.text}-${pool.slice(start, start + 4)}-${pool.slice(start + 4, start + 8)}-${pool.slice(start + 8, used)}`
}

/** Random digits for so many ids, with version and variant where these belong. */
function randomDigits(ids: number): string {
  const bytes = randomBytes(ids * RANDOM_BYTES)
  for (let start = 0; start < bytes.length; start += RANDOM_BYTES) {
    bytes[start] = 0x70 | ((bytes[start] ?? 0) & 0x0f)
    bytes[start + 2] = 0x80 | ((bytes[start + 2] ?? 0) & 0x3f)
  }
  return bytes.toString('hex')
}

function timeText(now: number): string {
  const hex = now.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

/** Whether a text is a lower-case UUID. A path with anything else names nothing. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text)
}
