// The settings of the service, for every command that works on its store.
import { SettingsError, settingsFromEnvironment } from '../service/environment.ts'
import type { ServiceSettings } from '../service/settings.ts'
import type { CommandContext } from './command.ts'
import { UsageError } from './exit-codes.ts'

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
