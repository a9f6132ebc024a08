// The port to master keys. A master key never leaves its provider: it wraps data keys, and data keys seal values.
import { ConnectorError } from '../../errors.ts'

/**
 * Wraps and unwraps data keys under master keys.
 *
 * Both functions reject when the provider cannot be asked, and `unwrap` also when the bytes were not wrapped under that
 * key: the vault answers either with `store_unavailable` and asks again at the next use.
 */
export interface KeyProvider {
  /** The master key that wraps. An id is a name and no secret. */
  readonly currentKeyId: string
  /** All master keys that unwrap, the current one included. */
  readonly keyIds: readonly string[]
  wrap(dataKey: Uint8Array): Promise<WrappedKey>
  unwrap(keyId: string, wrapped: Uint8Array): Promise<Uint8Array>
}

export interface WrappedKey {
  readonly keyId: string
  readonly wrapped: Uint8Array
}

/** Of master keys that cannot be used as they are set up. The message says what to change and never holds key text. */
export function keysInvalid(message: string): ConnectorError {
  return new ConnectorError('config_invalid', message)
}
