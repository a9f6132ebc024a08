// The store that the settings name, for commands that work on it beside running services.
import { openStore } from '../service/store/open/open-store.ts'
import { hasEmbeddedStore, placeOf } from '../hosting/store-place.ts'
import type { ServiceSettings } from '../service/settings.ts'
import type { Store } from '../service/store/store.ts'
import type { CommandContext } from './command.ts'
import { FailedError } from './exit-codes.ts'
import { readSettings, type SettingsFlags } from './service-settings.ts'

/**
 * Opens it with its schema up to date, runs, and closes it whatever happens.
 *
 * Throws FailedError where there is no store, unless the command `makes` one.
 */
export async function withStore<T>(
  context: CommandContext,
  flags: SettingsFlags,
  run: (store: Store, settings: ServiceSettings) => Promise<T>,
  { makes = false }: { readonly makes?: boolean } = {},
): Promise<T> {
  const settings = readSettings(context, flags)
  if (!makes) requireStore(settings)
  const store = await openSettingsStore(settings)
  try {
    if (settings.migrate) await store.migrations.run()
    return await run(store, settings)
  } finally {
    await store.close()
  }
}

/**
 * Refuses settings whose embedded store does not exist: opening it would make an empty one, and a misspelt folder would
 * look like a service that holds nothing.
 *
 * Throws FailedError.
 */
export function requireStore({
  databaseUrl,
  data,
}: Pick<ServiceSettings, 'databaseUrl' | 'data'>): void {
  if (databaseUrl === null && !hasEmbeddedStore(data))
    throw new FailedError(`there is no store in ${data}; --data names its folder`)
}

/** Opens it and leaves its schema alone. */
export function openSettingsStore(settings: ServiceSettings): Promise<Store> {
  return openStore(placeOf(settings), { migrate: false })
}
