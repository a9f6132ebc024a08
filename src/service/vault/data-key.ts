// A data key in the clear: what a master key wraps, and what seals values.
import { createHash, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'

const KEY_BYTES = 32
const CHECK_BYTES = 8

export function newDataKey(): Uint8Array {
  const key = randomBytes(KEY_BYTES)
  return Buffer.concat([key, checkOf(key)])
}

/** Reads unwrapped bytes; null when they are no data key: they were unwrapped under another master key. */
export function readDataKey(bytes: Uint8Array): KeyObject | null {
  if (bytes.length !== KEY_BYTES + CHECK_BYTES) return null
  const key = bytes.subarray(0, KEY_BYTES)
  return checkOf(key).equals(bytes.subarray(KEY_BYTES)) ? createSecretKey(key) : null
}

/** Bytes for one purpose that tell nothing about the data key (HKDF, RFC 5869). */
export function derivedFrom(key: KeyObject, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', `tenon ${purpose}`, KEY_BYTES))
}

/** Tells a wrong master key from an altered value: the first heals with the settings, the second never. */
function checkOf(key: Uint8Array): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, CHECK_BYTES)
}
