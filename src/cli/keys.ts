// `tenon keys`: the master keys under which credentials are sealed.
import { randomBytes } from 'node:crypto'
import { openKeys } from '../hosting/keys.ts'
import { rotateKeys } from '../vault/rotate-keys.ts'
import type { CommandContext, CommandModule } from './command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { withStore } from './open-store.ts'
import type { SettingsFlags } from './service-settings.ts'

interface KeyFlags extends SettingsFlags {
  readonly json?: boolean
  readonly id?: string
}

export const configure: CommandModule['configure'] = (command, context, done) => {
  command
    .command('generate')
    .description('print a new master key, to stand first in TENON_MASTER_KEYS')
    .copyInheritedSettings(command)
    .option('--id <name>', 'its id; default: from the date')
    .action((flags: KeyFlags) => done(generate(flags, context)))
  const onStore = (
    name: string,
    summary: string,
    run: (flags: KeyFlags, context: CommandContext) => Promise<ExitCode>,
  ): void => {
    command
      .command(name)
      .description(summary)
      .copyInheritedSettings(command)
      .option('--data <folder>', 'folder of the embedded store')
      .option('--config <file>', 'YAML file with settings')
      .option('--json', 'print JSON')
      .action(async (flags: KeyFlags) => done(await run(flags, context)))
  }
  onStore('list', 'show how many data keys each master key wraps', list)
  onStore(
    'rotate',
    'wrap every data key under the first master key, beside running services',
    rotate,
  )
}

function generate({ id }: KeyFlags, { terminal }: CommandContext): ExitCode {
  const name = id ?? `k${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`
  terminal.out.write(`${name}:${randomBytes(32).toString('base64')}\n`)
  return EXIT.done
}

async function list(flags: KeyFlags, context: CommandContext): Promise<ExitCode> {
  return await withStore(context, flags, async (store, settings) => {
    const keys = await openKeys(settings)
    const counts = await store.dataKeys.countByKey()
    const rows = [...new Set([...keys.keyIds, ...Object.keys(counts)])].map((id) => ({
      id,
      current: id === keys.currentKeyId,
      given: keys.keyIds.includes(id),
      data_keys: counts[id] ?? 0,
    }))
    const { out } = context.terminal
    if (flags.json === true) out.write(`${JSON.stringify(rows)}\n`)
    else {
      for (const { id, current, given, data_keys: count } of rows)
        out.write(
          `${id}  ${count} data keys${current ? '  current' : ''}${given ? '' : '  NOT GIVEN'}\n`,
        )
    }
    return rows.every(({ given, data_keys: count }) => given || count === 0)
      ? EXIT.done
      : EXIT.failed
  })
}

async function rotate(flags: KeyFlags, context: CommandContext): Promise<ExitCode> {
  return await withStore(context, flags, async (store, settings) => {
    const { out, err } = context.terminal
    const { rewrapped, left } = await rotateKeys(store.dataKeys, await openKeys(settings), {
      onProgress: (count) => {
        if (err.isTerminal) err.write(`\r${count} data keys`)
      },
    })
    if (err.isTerminal) err.write('\r\u001b[K')
    if (flags.json === true) out.write(`${JSON.stringify({ rewrapped, left })}\n`)
    else {
      out.write(`${rewrapped} data keys wrapped anew\n`)
      for (const [id, count] of Object.entries(left)) out.write(`${count} left on "${id}"\n`)
      if (Object.keys(left).length === 0) out.write('the other master keys can be dropped\n')
    }
    return Object.keys(left).length === 0 ? EXIT.done : EXIT.failed
  })
}
