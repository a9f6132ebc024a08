// `tenon migrate`: the schema of the store, apart from starting a service.
import type { CommandContext, CommandModule } from './command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { openSettingsStore, requireStore } from './open-store.ts'
import { readSettings, type SettingsFlags } from './service-settings.ts'

interface MigrateFlags extends SettingsFlags {
  readonly check?: boolean
  readonly json?: boolean
}

export const examples: CommandModule['examples'] = [
  'tenon migrate --check',
  'DATABASE_URL=postgres://… TENON_MASTER_KEYS=k1:… tenon migrate',
]

export const configure: CommandModule['configure'] = (command, context, done) => {
  command
    .option('--check', 'only say whether steps are missing; exit code 1 when they are')
    .option('--data <folder>', 'folder of the embedded store')
    .option('--config <file>', 'YAML file with settings')
    .option('--json', 'print JSON')
    .action(async (flags: MigrateFlags) => done(await migrate(flags, context)))
}

async function migrate(flags: MigrateFlags, context: CommandContext): Promise<ExitCode> {
  const settings = readSettings(context, flags)
  if (flags.check === true) requireStore(settings)
  const store = await openSettingsStore(settings)
  const { out } = context.terminal
  try {
    if (flags.check === true) {
      const pending = await store.migrations.pending()
      if (flags.json === true) out.write(`${JSON.stringify({ pending })}\n`)
      else out.write(pending === 0 ? 'up to date\n' : `${pending} steps behind\n`)
      return pending === 0 ? EXIT.done : EXIT.failed
    }
    const steps = await store.migrations.run()
    if (flags.json === true) out.write(`${JSON.stringify({ steps })}\n`)
    else out.write(steps.length === 0 ? 'up to date\n' : `${steps.join('\n')}\n`)
    return EXIT.done
  } finally {
    await store.close()
  }
}
