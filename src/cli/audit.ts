// `tenon audit`: who did what, and whether the log of it is as it was written.
import { OPERATOR } from '../service/audit.ts'
import type { AuditEvent, AuditFilter } from '../service/store/audit.ts'
import type { Store } from '../service/store/store.ts'
import type { CommandContext, CommandModule } from './command.ts'
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts'
import { withStore } from './open-store.ts'
import type { SettingsFlags } from './service-settings.ts'
import { formatTable } from './table.ts'

interface ListFlags extends SettingsFlags {
  readonly organization?: string
  readonly instance?: string
  readonly operator?: boolean
  readonly limit: string
  readonly json?: boolean
}

interface VerifyFlags extends SettingsFlags {
  readonly json?: boolean
}

export const examples: CommandModule['examples'] = [
  'tenon audit list --limit 20',
  'tenon audit list --instance 0199f3a1-… --json',
  'tenon audit list --operator',
  'tenon audit verify',
]

export const configure: CommandModule['configure'] = (command, context, done) => {
  command
    .command('verify')
    .description(
      'check the chain of hashes; exit code 1 names the first event that is not as it was written',
    )
    .copyInheritedSettings(command)
    .option('--data <folder>', 'folder of the embedded store')
    .option('--config <file>', 'YAML file with settings')
    .option('--json', 'print JSON')
    .action(async (flags: VerifyFlags) => done(await verify(flags, context)))
  command
    .command('list')
    .description('show who did what, the newest first: names of what changed, never values')
    .copyInheritedSettings(command)
    .option('--organization <id>', 'default: the only one there is')
    .option('--instance <id>', 'the events of one instance; default: those above instances')
    .option('--operator', 'what concerns no organisation: starts, rotated keys, unknown callers')
    .option('--limit <n>', 'at most so many events', '50')
    .option('--data <folder>', 'folder of the embedded store')
    .option('--config <file>', 'YAML file with settings')
    .option('--json', 'print one JSON object per line')
    .action(async (flags: ListFlags) => done(await list(flags, context)))
}

async function list(flags: ListFlags, context: CommandContext): Promise<ExitCode> {
  const limit = Number(flags.limit)
  if (!Number.isInteger(limit) || limit < 1)
    throw new UsageError('--limit must be a whole number from 1')
  const { out } = context.terminal
  const events = await withStore(context, flags, async (store) => {
    const organizations = await organizationsOf(store, flags)
    return await eventsOf(store, organizations, {
      limit,
      ...(flags.instance === undefined ? {} : { instanceId: flags.instance }),
    })
  })
  const shown = events.map(shownEvent)
  if (flags.json === true) for (const event of shown) out.write(`${JSON.stringify(event)}\n`)
  else out.write(formatTable(shown, { width: out.isTerminal ? out.columns : null }))
  return EXIT.done
}

/** Whose log is read. The events of an instance are found by its id, whosever it is. */
async function organizationsOf(
  store: Store,
  { organization, instance, operator }: ListFlags,
): Promise<readonly string[]> {
  if (operator === true) return [OPERATOR]
  if (organization !== undefined) return [organization]
  const applications = await store.applications.list()
  const known = [...new Set(applications.map(({ organizationId }) => organizationId))]
  if (known.length <= 1 || instance !== undefined) return known
  throw new UsageError(`say which one with --organization: ${known.join(', ')}`)
}

async function eventsOf(
  store: Store,
  organizations: readonly string[],
  filter: AuditFilter,
): Promise<readonly AuditEvent[]> {
  for (const organizationId of organizations) {
    const events = await store.audit.list({ organizationId }, filter)
    if (events.length > 0) return events
  }
  return []
}

function shownEvent(event: AuditEvent): {
  readonly [name: string]: string | number | null | readonly string[]
} {
  return {
    at: new Date(event.at).toISOString(),
    actor: event.actor,
    action: event.action,
    target: event.target,
    outcome: event.outcome,
    members: event.members,
    request_id: event.requestId,
    chain: event.chain,
    seq: event.seq,
  }
}

async function verify(flags: VerifyFlags, context: CommandContext): Promise<ExitCode> {
  return await withStore(context, flags, async (store) => {
    const broken = await store.audit.verify()
    const { out } = context.terminal
    if (flags.json === true) out.write(`${JSON.stringify({ whole: broken === null, broken })}\n`)
    else
      out.write(
        broken === null
          ? 'every chain is whole\n'
          : `event ${broken.seq} of ${broken.chain} is ${broken.problem}\n`,
      )
    return broken === null ? EXIT.done : EXIT.failed
  })
}
