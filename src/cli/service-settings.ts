// The settings of the service, for every command that works on its store.
import { SettingsError, settingsFromEnvironment } from '../service/environment.ts'
import type { ServiceSettings } from '../service/settings.ts'
import type { CommandContext } from './command.ts'
import { UsageError } from './exit-codes.ts'

export interface SettingsFlags {
  readonly config?: string
  readonly data?: string
}

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
