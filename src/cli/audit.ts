// `tenon audit verify`: whether the audit log is as it was written.
import type { CommandContext, CommandModule } from './command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { withStore } from './open-store.ts'
import type { SettingsFlags } from './service-settings.ts'

export const configure: CommandModule['configure'] = (command, context, done) => {
  command
    .command('verify')
    .description(
      'check the chain of hashes; exit code 1 names the first event that is not as it was written',
    )
    .copyInheritedSettings(command)
    .option('--data <folder>', 'folder of the embedded store')
    .option('--config <file>', 'YAML file with settings')
    .action(async (flags: SettingsFlags) => done(await verify(flags, context)))
}

async function verify(flags: SettingsFlags, context: CommandContext): Promise<ExitCode> {
  return await withStore(context, flags, async (store) => {
    const broken = await store.audit.verify()
    context.terminal.out.write(
      broken === null
        ? 'every chain is whole\n'
        : `event ${broken.seq} of ${broken.chain} is ${broken.problem}\n`,
    )
    return broken === null ? EXIT.done : EXIT.failed
  })
}
