// One sealed value as bytes. What it belongs to is authenticated with it, so it opens at its own place only.
//
//   1 byte    version of this format
//   4 bytes   number of the data key, big-endian
//   12 bytes  IV, random
//   n bytes   ciphertext (AES-256-GCM)
//   16 bytes  tag
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

/** Where a sealed value is kept. A copy of it at another place, or of another time, does not open. */
export interface Place {
  /** The id of an instance, or `org:<organization id>`. */
  readonly owner: string
  /** What is kept there, for example `credential`. */
  readonly column: string
  /** Counts the values that were kept there. */
  readonly generation: number
}

const VERSION = 1
const IV_AT = 5
const TEXT_AT = 17
export const TAG_BYTES = 16

/** Seals a value for its place. `keyVersion` says which data key of the owner `key` is. */
export function sealEnvelope(
  key: KeyObject,
  keyVersion: number,
  place: Place,
  value: Uint8Array,
): Uint8Array {
  const head = Buffer.alloc(TEXT_AT)
  head.writeUInt8(VERSION, 0)
  head.writeUInt32BE(keyVersion, 1)
  randomBytes(TEXT_AT - IV_AT).copy(head, IV_AT)
  const data = associatedData(head, place)
  return Buffer.concat([head, ...encrypt(key, head.subarray(IV_AT), data, value)])
}

/** The number of the data key that a value was sealed under; null: these bytes are no sealed value. */
export function keyVersionOf(sealed: Uint8Array): number | null {
  const bytes = bufferOf(sealed)
  if (bytes.length < TEXT_AT + TAG_BYTES || bytes.readUInt8(0) !== VERSION) return null
  return bytes.readUInt32BE(1)
}

/** The value; null when it was altered, sealed under another key, or belongs to another place. */
export function openEnvelope(key: KeyObject, place: Place, sealed: Uint8Array): Uint8Array | null {
  const bytes = bufferOf(sealed)
  const [iv, text] = [bytes.subarray(IV_AT, TEXT_AT), bytes.subarray(TEXT_AT)]
  return decrypt(key, iv, associatedData(bytes, place), text)
}

/** Ciphertext and tag of AES-256-GCM. `data` is authenticated with them. */
export function encrypt(
  key: KeyObject,
  iv: Uint8Array,
  data: Buffer,
  value: Uint8Array,
): readonly Uint8Array[] {
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(data)
  return [cipher.update(value), cipher.final(), cipher.getAuthTag()]
}

/** What ciphertext and tag hold; null: they were altered, or made with another key or other data. */
export function decrypt(
  key: KeyObject,
  iv: Uint8Array,
  data: Buffer,
  sealed: Uint8Array,
): Uint8Array | null {
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    .setAAD(data)
    .setAuthTag(sealed.subarray(-TAG_BYTES))
  const text = decipher.update(sealed.subarray(0, -TAG_BYTES))
  try {
    return Buffer.concat([text, decipher.final()])
  } catch {
    // A failed tag has one meaning only, and it is the answer.
    return null
  }
}

/** JSON keeps the members apart, whatever stands in them. */
function associatedData(head: Buffer, { owner, column, generation }: Place): Buffer {
  return Buffer.from(
    JSON.stringify([head.readUInt8(0), head.readUInt32BE(1), owner, column, generation]),
  )
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
