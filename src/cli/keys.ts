// `tenon keys`: the master keys under which credentials are sealed.
import { randomBytes } from 'node:crypto'
import { timeOf } from '../service/store/open/open-store.ts'
import { createSystemClock } from '../engine/adapters/system-clock.ts'
import { ConnectorError } from '../errors.ts'
import { openKeys } from '../hosting/keys.ts'
import { renewDataKeys, type RenewResult } from '../service/credentials/renew-data-keys.ts'
import { createVault } from '../service/vault/vault.ts'
import { rotateKeys } from '../service/vault/rotate-keys.ts'
import type { CommandContext, CommandModule } from './command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { withStore } from './open-store.ts'
import { auditOf, COMMAND_LINE, OPERATOR } from '../service/audit.ts'
import { createProgress } from './progress.ts'
import type { SettingsFlags } from './service-settings.ts'

interface RotateFlags extends KeyFlags {
  readonly dataKeys?: boolean
  readonly before?: string
}

interface KeyFlags extends SettingsFlags {
  readonly json?: boolean
  readonly id?: string
}

export const notes = `rotate can be killed and run again. With --data-keys, give --before the time that the first run printed: then it goes on
where it was. Data keys before stay a day for cursors and answers that are sealed under them, and are removed by the
background jobs of a service.`

export const examples: CommandModule['examples'] = [
  'tenon keys generate --id k2',
  'tenon keys list',
  'TENON_MASTER_KEYS=k2:…,k1:… tenon keys rotate',
  'tenon keys rotate --data-keys',
  'tenon keys rotate --data-keys --before 2026-11-21T10:00:00Z',
]

export const configure: CommandModule['configure'] = (command, context, done) => {
  command
    .command('generate')
    .description('print a new master key, to stand first in TENON_MASTER_KEYS')
    .copyInheritedSettings(command)
    .option('--id <name>', 'its id; default: from the date')
    .option('--json', 'print JSON')
    .action((flags: KeyFlags) => done(generate(flags, context)))
  const onStore = (name: string, summary: string): typeof command =>
    command
      .command(name)
      .description(summary)
      .copyInheritedSettings(command)
      .option('--data <folder>', 'folder of the embedded store')
      .option('--config <file>', 'YAML file with settings')
      .option('--json', 'print JSON')
  onStore('list', 'show how many data keys each master key wraps').action(async (flags: KeyFlags) =>
    done(await list(flags, context)),
  )
  onStore('rotate', 'wrap every data key under the first master key, beside running services')
    .option('--data-keys', 'also make the data keys anew, and seal under them what lives long')
    .option('--before <time>', 'with --data-keys: only data keys made before; default: now')
    .action(async (flags: RotateFlags) => done(await rotate(flags, context)))
}

function generate({ id, json }: KeyFlags, { terminal }: CommandContext): ExitCode {
  const name = id ?? `k${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`
  const key = `${name}:${randomBytes(32).toString('base64')}`
  terminal.out.write(`${json === true ? JSON.stringify({ id: name, key }) : key}\n`)
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

async function rotate(flags: RotateFlags, context: CommandContext): Promise<ExitCode> {
  const before = timeIn(flags)
  return await withStore(context, flags, async (store, settings) => {
    const { out, err } = context.terminal
    const provider = await openKeys(settings)
    const { [provider.currentKeyId]: _current, ...others } = await store.dataKeys.countByKey()
    const total = Object.values(others).reduce((sum, count) => sum + count, 0)
    const progress = createProgress({ label: 'data keys', stream: process.stderr })
    const { rewrapped, left } = await rotateKeys(store.dataKeys, provider, {
      onProgress: (count) => progress.update(count, Math.max(total, count)),
    }).finally(() => progress.end())
    const anew = flags.dataKeys === true ? await renew() : null
    await store.audit.append(
      auditOf({ organizationId: OPERATOR, clientId: COMMAND_LINE }, null, 'keys.rotate', {
        target: provider.currentKeyId,
        outcome: Object.keys(left).length === 0 ? 'done' : 'some left',
        members: flags.dataKeys === true ? ['master_key', 'data_keys'] : ['master_key'],
      }),
    )
    if (flags.json === true) out.write(`${JSON.stringify({ rewrapped, left, ...anew })}\n`)
    else {
      out.write(`${rewrapped} data keys wrapped anew\n`)
      if (anew !== null)
        out.write(`${anew.renewed} data keys made anew, ${anew.resealed} values sealed anew\n`)
      for (const [id, count] of Object.entries(left)) out.write(`${count} left on "${id}"\n`)
      if (Object.keys(left).length === 0) out.write('the other master keys can be dropped\n')
    }
    return Object.keys(left).length === 0 ? EXIT.done : EXIT.failed

    async function renew(): Promise<RenewResult & { readonly before: string }> {
      const clock = createSystemClock()
      const vault = createVault({ provider, dataKeys: store.dataKeys, clock })
      // Keys made by services from now on are new already.
      const beforeMs = before ?? (await timeOf(store))
      const time = new Date(beforeMs).toISOString()
      if (before === null) err.write(`go on after an end with: --before ${time}\n`)
      const made = createProgress({ label: 'data keys made', stream: process.stderr })
      const onProgress = (count: number): void => made.update(count, null)
      const result = await renewDataKeys(
        { store, provider, vault },
        { beforeMs, onProgress },
      ).finally(() => made.end())
      return { ...result, before: time }
    }
  })
}

/** Throws `config_invalid`. */
function timeIn({ before, dataKeys }: RotateFlags): number | null {
  if (before === undefined) return null
  const time = Date.parse(before)
  if (dataKeys === true && /^\d{4}-\d\d-\d\dT/.test(before) && !Number.isNaN(time)) return time
  throw new ConnectorError(
    'config_invalid',
    dataKeys === true
      ? '--before takes a time such as 2026-11-21T10:00:00Z'
      : '--before means something with --data-keys only',
  )
}
