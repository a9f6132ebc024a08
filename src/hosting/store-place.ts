// Where the settings say that the data lies.
import type { StoreLocation } from '../adapters/store/open-store.ts'
import type { ServiceSettings } from '../service/settings.ts'

/** The embedded folder, or the database. */
export function placeOf({
  databaseUrl,
  databasePool,
  data,
}: Pick<ServiceSettings, 'databaseUrl' | 'databasePool' | 'data'>): StoreLocation {
  return databaseUrl === null ? { folder: data } : { url: databaseUrl, poolSize: databasePool }
}
