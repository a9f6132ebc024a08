// Ids that grow with time (RFC 9562, version 7), so that rows made together lie together.
import { randomFillSync } from 'node:crypto'

/** Asking the system for random bytes costs more than all the rest, so it is asked for many ids at once. */
const RANDOM_BYTES = 10
const pool = Buffer.alloc(RANDOM_BYTES * 400)
let used = pool.length

/** A lower-case UUIDv7. */
export function uuidv7(now: number): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const bytes = pool.subarray(used, used + RANDOM_BYTES)
  used += RANDOM_BYTES
  bytes[0] = 0x70 | ((bytes[0] ?? 0) & 0x0f)
  bytes[2] = 0x80 | ((bytes[2] ?? 0) & 0x3f)
  const hex = now.toString(16).padStart(12, '0') + bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Whether a text is a lower-case UUID. A path with anything else names nothing. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text)
}
