// Where the settings say that the data lies.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { STATE_FILE, type StoreLocation } from '../adapters/store/open-store.ts'
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
