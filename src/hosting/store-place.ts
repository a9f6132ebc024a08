// Where the settings say that the data lies.
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { STATE_FILE, type StoreLocation } from '../service/store/open/open-store.ts'
import { ConnectorError } from '../errors.ts'
import type { ServiceSettings } from '../service/settings.ts'

/** The embedded folder, or the database. */
export function placeOf({
  databaseUrl,
  databasePool,
  data,
}: Pick<ServiceSettings, 'databaseUrl' | 'databasePool' | 'data'>): StoreLocation {
  return databaseUrl === null ? { folder: data } : { url: databaseUrl, poolSize: databasePool }
}

/** Whether there is an embedded store in a folder: opening one that is not there would make it. */
export function hasEmbeddedStore(folder: string): boolean {
  return existsSync(join(folder, STATE_FILE))
}

/** The folder of the copies in a data folder. Every service makes it, once its store is open. */
export const COPIES_FOLDER = 'copies'

/**
 * Refuses a folder that had a store: a new, empty one in its place would look as if every connection had been deleted.
 *
 * Throws `config_invalid`.
 */
export function requireStoreOfBefore(folder: string): void {
  if (!existsSync(join(folder, COPIES_FOLDER))) return
  const path = join(folder, STATE_FILE)
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size !== undefined && size > 0) return
  throw new ConnectorError(
    'config_invalid',
    `${path} is ${size === undefined ? 'gone' : 'empty'}, and a service has worked with this folder: put the file back, or restore a backup (tenon restore). To begin anew without its instances, delete ${join(folder, COPIES_FOLDER)} as well`,
  )
}
