// The master keys of a service: given, or in a file of its own beside the embedded store.
import { environmentKeys } from '../service/vault/keys/local-keys.ts'
import { fileKeys } from '../service/vault/keys/file-keys.ts'
import { ConnectorError } from '../errors.ts'
import { type KeyProvider, MasterKeyError } from '../service/vault/key-provider.ts'
import type { ServiceSettings } from '../service/settings.ts'
import { folderError } from './folder-error.ts'

/** Opens them. An embedded store without keys gets a key file, made at the first start with mode 0600. */
export async function openKeys(
  settings: Pick<ServiceSettings, 'masterKeys' | 'databaseUrl' | 'data'>,
): Promise<KeyProvider> {
  try {
    if (settings.masterKeys !== null) return environmentKeys(settings.masterKeys.join(','))
    if (settings.databaseUrl === null) return await fileKeys(settings.data)
  } catch (error) {
    if (!(error instanceof MasterKeyError)) throw folderError(settings.data, error)
    throw new ConnectorError('config_invalid', error.message, { cause: error })
  }
  throw new ConnectorError(
    'config_invalid',
    'a PostgreSQL store needs TENON_MASTER_KEYS; tenon keys generate makes a key',
  )
}
