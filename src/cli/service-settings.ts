// The settings of the service, and the store that they name, for commands that work on it.
import { SettingsError, settingsFromEnvironment } from '../service/environment.ts'
import type { ServiceSettings } from '../service/settings.ts'
import { openStore } from '../service/store/open/open-store.ts'
import type { Store } from '../service/store/store.ts'
import { hasEmbeddedStore, placeOf } from '../hosting/data-place.ts'
import { type CommandContext, JSON_OPTION, type LeafOver, leafOver } from './command.ts'
import { FailedError, UsageError } from './exit-codes.ts'
import type { Result } from './terminal.ts'

export interface SettingsFlags {
  readonly config?: string
  readonly data?: string
}

/** Options of every command that works on a store. */
export const STORE_OPTIONS = {
  '--data <folder>': 'folder of the embedded store',
  '--config <file>': 'YAML file with settings',
  '--json': JSON_OPTION['--json'] as (typeof JSON_OPTION)['--json'],
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

/** A store, and the settings that name it. */
export interface OpenedStore {
  readonly store: Store
  readonly settings: ServiceSettings
}

/**
 * A command that works on a store: opened with its schema up to date, and closed whatever happens. Throws FailedError
 * where there is no store.
 */
export const workOnStore: LeafOver<OpenedStore> = leafOver(STORE_OPTIONS, onStore(requireStore))

/** The same, but makes the store where there is none. */
export const workOnNewStore: LeafOver<OpenedStore> = leafOver(
  STORE_OPTIONS,
  onStore(() => {}),
)

function onStore(check: (settings: ServiceSettings) => void) {
  return async (
    flags: SettingsFlags,
    context: CommandContext,
    run: (opened: OpenedStore) => Promise<Result>,
  ): Promise<Result> => {
    const settings = readSettings(context, flags)
    check(settings)
    await using store = await openSettingsStore(settings)
    if (settings.migrate) await store.migrations.run()
    return await run({ store, settings })
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
    throw new FailedError(
      `there is no store in ${data}; --data names its folder, DATABASE_URL a PostgreSQL, and tenon serve makes one`,
    )
}

/** Opens it and leaves its schema alone. */
export async function openSettingsStore(
  settings: ServiceSettings,
): Promise<Store & AsyncDisposable> {
  const store = await openStore(placeOf(settings), { migrate: false })
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() })
}
