// `tenon instances`: the connector instances of a service, over HTTP.
import type { ConnectorInstance } from '../client/service-bodies.ts'
import type { ServiceClient } from '../client/service-client.ts'
import type { JsonObject } from '../language/json/json.ts'
import type { CommandContext, CommandModule } from './command.ts'
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts'
import { DEFAULT_URL, type ServiceFlags, withService } from './running-service.ts'
import { formatTable } from './table.ts'

interface ListFlags extends ServiceFlags {
  readonly user?: string
  readonly type?: string
  readonly state?: string
  readonly name?: string
  readonly limit: string
}

interface DeleteFlags extends ServiceFlags {
  readonly yes?: boolean
}

export const notes = `Credentials come from the environment: TENON_TOKEN, or TENON_CLIENT_ID and TENON_CLIENT_SECRET of an application.`

export const examples: CommandModule['examples'] = [
  'tenon instances list --state auth_error',
  'tenon instances check 0199f3a1-… --url https://tenon.example.com',
  'tenon instances delete 0199f3a1-… --yes',
  'tenon instances show 0199f3a1-… --json',
]

export const configure: CommandModule['configure'] = (command, context, done) => {
  const add = (name: string, summary: string) =>
    command
      .command(name)
      .description(summary)
      .copyInheritedSettings(command)
      .option('--url <address>', `of the service; default: TENON_URL, or ${DEFAULT_URL}`)
      .option('--json', 'print JSON')
  add('list', 'show instances, one per line')
    .option('--user <id>', 'of one external user')
    .option('--type <type>', 'of one connector')
    .option('--state <state>', STATES.join(', '))
    .option('--name <text>', 'of one name')
    .option('--limit <n>', 'at most so many', '100')
    .action(async (flags: ListFlags) => done(await list(flags, context)))
  add('show', 'show one instance; credentials are never shown')
    .argument('<id>', 'of the instance')
    .action(async (id: string, flags: ServiceFlags) =>
      done(await withService(flags, context, (service) => show(service, id, flags, context))),
    )
  add('check', 'try the credentials of an instance; exit code 3 when they are refused')
    .argument('<id>', 'of the instance')
    .action(async (id: string, flags: ServiceFlags) =>
      done(await withService(flags, context, (service) => check(service, id, flags, context))),
    )
  add('delete', 'erase an instance with its credentials and its copy')
    .argument('<id>', 'of the instance')
    .option('--yes', 'do it: there is no way back')
    .action(async (id: string, flags: DeleteFlags) => done(await remove(id, flags, context)))
}

const STATES: readonly ConnectorInstance['state'][] = [
  'pending',
  'active',
  'refresh_unknown',
  'auth_error',
  'disabled',
]

async function list(flags: ListFlags, context: CommandContext): Promise<ExitCode> {
  const limit = Number(flags.limit)
  if (!Number.isInteger(limit) || limit < 1)
    throw new UsageError('--limit must be a whole number from 1')
  const state = STATES.find((each) => each === flags.state)
  if (flags.state !== undefined && state === undefined)
    throw new UsageError(`--state must be one of ${STATES.join(', ')}`)
  const { out } = context.terminal
  const found = await withService(flags, context, (service) =>
    service.instances
      .list({
        ...(flags.user === undefined ? {} : { external_user_id: flags.user }),
        ...(flags.type === undefined ? {} : { connector_type: flags.type }),
        ...(flags.name === undefined ? {} : { name: flags.name }),
        ...(state === undefined ? {} : { state }),
      })
      .toArray({ limit }),
  )
  if (flags.json === true) out.write(`${JSON.stringify(found)}\n`)
  else out.write(formatTable(found.map(row), { width: out.isTerminal ? out.columns : null }))
  return EXIT.done
}

function row(instance: ConnectorInstance): JsonObject {
  return {
    id: instance.id,
    state: instance.state,
    connector: `${instance.connector_type} ${instance.connector_version}`,
    user: instance.external_user_id,
    name: instance.name,
    reason: instance.state_reason?.code ?? null,
    checked: instance.last_checked_at,
    updated: instance.updated_at,
  }
}

async function show(
  service: ServiceClient,
  id: string,
  { json }: ServiceFlags,
  { terminal: { out } }: CommandContext,
): Promise<ExitCode> {
  const instance = await service.instances.get(id)
  if (json === true) {
    out.write(`${JSON.stringify(instance)}\n`)
    return EXIT.done
  }
  for (const [name, value] of Object.entries(instance)) {
    const text: string =
      value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
    out.write(`${`${name.padEnd(20)}${text}`.trimEnd()}\n`)
  }
  return EXIT.done
}

const CHECKED: Readonly<Record<'ok' | 'refused' | 'inconclusive', ExitCode>> = {
  ok: EXIT.done,
  refused: EXIT.credentials,
  inconclusive: EXIT.upstream,
}

async function check(
  service: ServiceClient,
  id: string,
  { json }: ServiceFlags,
  { terminal: { out } }: CommandContext,
): Promise<ExitCode> {
  const checked = await service.instances.check(id)
  if (json === true) out.write(`${JSON.stringify(checked)}\n`)
  else out.write(`${checked.result}, the state is ${checked.state}\n`)
  return CHECKED[checked.result]
}

async function remove(id: string, flags: DeleteFlags, context: CommandContext): Promise<ExitCode> {
  if (flags.yes !== true)
    throw new UsageError(
      `this erases the instance with its credentials and its copy, and cannot be undone: say --yes`,
    )
  await withService(flags, context, (service) => service.instances.delete(id))
  const { out } = context.terminal
  out.write(flags.json === true ? `${JSON.stringify({ id, deleted: true })}\n` : `deleted ${id}\n`)
  return EXIT.done
}
