// Master keys in the memory of this process.
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { decrypt, encrypt, TAG_BYTES } from '../envelope.ts'
import { type KeyProvider, keysInvalid } from '../../vault/key-provider.ts'

const KEY_BYTES = 32
const IV_BYTES = 12
const ID = /^[A-Za-z0-9_.-]{1,64}$/

/**
 * Reads master keys: `id:base64` with 32 bytes each, separated by commas or lines; the first one wraps, all unwrap.
 *
 * `from` names the setting or file for messages. Throws `config_invalid` for no key at all, an id that is none or occurs
 * twice, text that is no base64, a wrong length, and one key under two ids. No message holds text of a key.
 */
export function readMasterKeys(text: string, from = 'TENON_MASTER_KEYS'): KeyProvider {
  const entries = text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const keys = new Map<string, KeyObject>()
  for (const [index, entry] of entries.entries()) {
    const colon = entry.indexOf(':')
    // Without a colon the whole entry may be the key: say its place and not its text.
    const id = colon === -1 ? '' : entry.slice(0, colon).trim()
    const place = `${from}: key ${index + 1}`
    if (!ID.test(id))
      throw keysInvalid(`${place} must be written id:base64, the id of letters, digits, . _ -`)
    const key = createSecretKey(keyBytes(entry.slice(colon + 1).trim(), `${place} ("${id}")`))
    if (keys.has(id)) throw keysInvalid(`${place}: the id "${id}" occurs twice`)
    for (const [other, known] of keys)
      if (known.equals(key)) throw keysInvalid(`${place}: "${other}" and "${id}" are the same key`)
    keys.set(id, key)
  }
  const [currentKeyId] = keys.keys()
  if (currentKeyId === undefined)
    throw keysInvalid(`${from} holds no key; make one with: openssl rand -base64 ${KEY_BYTES}`)
  return localKeys(keys, currentKeyId)
}

function localKeys(keys: ReadonlyMap<string, KeyObject>, currentKeyId: string): KeyProvider {
  const keyOf = (id: string): KeyObject => {
    const key = keys.get(id)
    if (key === undefined) throw keysInvalid(`there is no master key "${id}"`)
    return key
  }
  return {
    currentKeyId,
    keyIds: [...keys.keys()],
    async wrap(dataKey) {
      return { keyId: currentKeyId, wrapped: wrapUnder(keyOf(currentKeyId), currentKeyId, dataKey) }
    },
    async unwrap(keyId, wrapped) {
      return unwrapUnder(keyOf(keyId), keyId, wrapped)
    },
  }
}

function wrapUnder(key: KeyObject, keyId: string, dataKey: Uint8Array): Uint8Array {
  const iv = randomBytes(IV_BYTES)
  return Buffer.concat([iv, ...encrypt(key, iv, Buffer.from(keyId), dataKey)])
}

function unwrapUnder(key: KeyObject, keyId: string, wrapped: Uint8Array): Uint8Array {
  if (wrapped.length < IV_BYTES + TAG_BYTES)
    throw keysInvalid(`what is to be unwrapped under "${keyId}" is no wrapped key`)
  const [iv, text] = [wrapped.subarray(0, IV_BYTES), wrapped.subarray(IV_BYTES)]
  const dataKey = decrypt(key, iv, Buffer.from(keyId), text)
  if (dataKey !== null) return dataKey
  throw keysInvalid(`the data key was not wrapped under this master key "${keyId}"`)
}

/** Strict base64, padded or not: what decodes by chance is not what somebody meant. */
function keyBytes(text: string, place: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64').replace(/=+$/, '') !== text.replace(/={1,2}$/, ''))
    throw keysInvalid(`${place} is not base64`)
  if (bytes.length !== KEY_BYTES)
    throw keysInvalid(`${place} must be ${KEY_BYTES} bytes, it has ${bytes.length}`)
  return bytes
}
