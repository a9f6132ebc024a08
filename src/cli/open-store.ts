// The store that the settings name, for commands that work on it beside running services.
import { openStore } from '../adapters/store/open-store.ts'
import type { ServiceSettings } from '../service/settings.ts'
import type { Store } from '../store/store.ts'
import type { CommandContext } from './command.ts'
import { readSettings, type SettingsFlags } from './service-settings.ts'
import { placeOf } from '../hosting/store-place.ts'

/** Opens it with its schema up to date, runs, and closes it whatever happens. */
export async function withStore<T>(
  context: CommandContext,
  flags: SettingsFlags,
  run: (store: Store, settings: ServiceSettings) => Promise<T>,
): Promise<T> {
  const settings = readSettings(context, flags)
  const store = await openSettingsStore(settings)
  try {
    if (settings.migrate) await store.migrations.run()
    return await run(store, settings)
  } finally {
    await store.close()
  }
}

/** Opens it and leaves its schema alone. */
export function openSettingsStore(settings: ServiceSettings): Promise<Store> {
  return openStore(placeOf(settings), { migrate: false })
}
