// The settings of the service, and the store that they name, for commands that work on it.
import { SettingsError, settingsFromEnvironment } from '../service/environment.ts'
import type { ServiceSettings } from '../service/settings.ts'
import { openStore } from '../service/store/open/open-store.ts'
import type { Store } from '../service/store/store.ts'
import { hasEmbeddedStore, placeOf } from '../hosting/data-place.ts'
import type { CommandContext } from './command.ts'
import { FailedError, UsageError } from './exit-codes.ts'

export interface SettingsFlags {
  readonly config?: string
  readonly data?: string
}

/** Options of every command that works on a store. */
export const STORE_OPTIONS = {
  '--data <folder>': 'folder of the embedded store',
  '--config <file>': 'YAML file with settings',
  '--json': 'print JSON',
} as const

/** Options of the commands that serve. */
export const SERVING_OPTIONS = {
  '--config <file>': 'YAML file with the same names as the environment, which wins',
  '--data <folder>': 'folder of the embedded store; default: ./tenon-data',
} as const

/** Reads them from environment and file; flags win. Throws UsageError with all mistakes. */
export function readSettings(
  context: CommandContext,
  flags: SettingsFlags,
  overrides: Readonly<Record<string, string>> = {},
): ServiceSettings {
  try {
    return settingsFromEnvironment(
      {
        ...context.env,
        ...(flags.data === undefined ? {} : { TENON_DATA: flags.data }),
        ...overrides,
      },
      flags.config === undefined ? {} : { configFile: flags.config },
    )
  } catch (error) {
    if (error instanceof SettingsError) throw new UsageError(error.message)
    throw error
  }
}

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
