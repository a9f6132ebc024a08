// Master keys from a setting.
import type { KeyProvider } from '../../vault/key-provider.ts'
import { readMasterKeys } from './local-keys.ts'

/** The name of the setting that holds the master keys. */
export const MASTER_KEYS = 'TENON_MASTER_KEYS'

/** Reads the value of `TENON_MASTER_KEYS`: `id:base64,id:base64`. Throws MasterKeyError like `readMasterKeys`. */
export function environmentKeys(value: string): KeyProvider {
  return readMasterKeys(value, MASTER_KEYS)
}
