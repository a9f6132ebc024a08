// `tenon webhooks`: where a service delivers events, over HTTP.
import type { Webhook, WebhookChange, WebhookWithSecret } from '../client/service-bodies.ts'
import type { ServiceClient } from '../client/service-client.ts'
import type { JsonObject } from '../language/json/json.ts'
import type { CommandContext, CommandModule } from './command.ts'
import { eventTypesIn } from './event-types.ts'
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts'
import { DEFAULT_URL, type ServiceFlags, withService } from './running-service.ts'
import { formatTable } from './table.ts'

interface ShapeFlags extends ServiceFlags {
  readonly address?: string
  readonly description?: string
  readonly types?: string
  readonly enable?: boolean
  readonly disable?: boolean
}

interface DeleteFlags extends ServiceFlags {
  readonly yes?: boolean
}

interface RotateFlags extends ServiceFlags {
  readonly keep?: string
}

interface DeliveryFlags extends ServiceFlags {
  readonly limit: string
}

interface RedeliverFlags extends ServiceFlags {
  readonly webhook?: string
}

type Run<F> = (
  service: ServiceClient,
  argument: string,
  flags: F,
  context: CommandContext,
) => Promise<ExitCode>

export const notes = `Credentials come from the environment: TENON_TOKEN, or TENON_CLIENT_ID and TENON_CLIENT_SECRET of an application.`

export const examples: CommandModule['examples'] = [
  'tenon webhooks create https://app.example.com/hooks --types connector.auth_error,sync.failed',
  'tenon webhooks test 0199f3a1-…',
  'tenon webhooks deliveries 0199f3a1-… --limit 20',
  'tenon webhooks rotate-secret 0199f3a1-… --keep 3600',
  'tenon webhooks redeliver 0199f3b7-… --webhook 0199f3a1-…',
  'tenon webhooks list',
  'tenon webhooks show 0199f3a1-… --json',
  'tenon webhooks update 0199f3a1-… --types all --disable',
  'tenon webhooks delete 0199f3a1-… --yes',
]

export const configure: CommandModule['configure'] = (command, context, done) => {
  const add = <F extends ServiceFlags>(name: string, summary: string, run: Run<F>) =>
    command
      .command(name)
      .description(summary)
      .copyInheritedSettings(command)
      .option('--url <address>', `of the service; default: TENON_URL, or ${DEFAULT_URL}`)
      .option('--json', 'print JSON')
      .action(async (...given: readonly unknown[]) => {
        // Commander hands over the arguments, then the flags, then the command.
        const flags = given.at(-2) as F
        const argument = typeof given[0] === 'string' ? given[0] : ''
        done(await withService(flags, context, (service) => run(service, argument, flags, context)))
      })
  const ofOne = <F extends ServiceFlags>(name: string, summary: string, run: Run<F>) =>
    add(name, summary, run).argument('<id>', 'of the webhook')

  add('list', 'show all webhooks', list)
  ofOne('show', 'show one webhook, without its secret', show)
  add('create', 'have events delivered to an address; the secret is shown once', create)
    .argument('<address>', 'public https, for example https://app.example.com/hooks')
    .option('--types <names>', 'these only: sync.failed,connector.auth_error; default: all')
    .option('--description <text>', 'what people know it by')
  ofOne('update', 'change a webhook, or switch it on or off', update)
    .option('--address <address>', 'where it is')
    .option('--types <names>', 'these only; all: every type')
    .option('--description <text>', 'what people know it by')
    .option('--enable', 'deliver again what happens from now on')
    .option('--disable', 'deliver nothing; what waits is cancelled')
  ofOne('delete', 'delete a webhook with all that waits for it', remove).option(
    '--yes',
    'do it: there is no way back',
  )
  ofOne('rotate-secret', 'give it another secret; both sign for a while', rotate).option(
    '--keep <seconds>',
    'how long both sign: a day by default, 0 where the old one has leaked',
  )
  ofOne('test', 'send webhook.test at once; exit code 1 when it is not taken', test)
  ofOne(
    'deliveries',
    'show what was delivered and what waits, the newest first',
    deliveries,
  ).option('--limit <n>', 'at most so many', '50')
  add('redeliver', 'deliver an event once more', redeliver)
    .argument('<event>', 'id of the event')
    .option('--webhook <id>', 'to this one only; default: all that want its type')
}

const list: Run<ServiceFlags> = async (service, _, flags, context) => {
  const { data } = await service.webhooks.list()
  return print(context, flags, data, data.map(row))
}

const show: Run<ServiceFlags> = async (service, id, flags, context) =>
  printOne(context, flags, await service.webhooks.get(id))

const create: Run<ShapeFlags> = async (service, url, flags, context) => {
  const { description } = flags
  const made = await service.webhooks.create({
    url,
    ...(flags.types === undefined ? {} : { event_types: eventTypesIn(flags.types) }),
    ...(description === undefined ? {} : { description }),
  })
  return printOne(context, flags, made, SHOWN_ONCE)
}

const SHOWN_ONCE = 'The secret is shown only now.\n'

const update: Run<ShapeFlags> = async (service, id, flags, context) => {
  const { address, description, types, enable, disable } = flags
  if (enable === true && disable === true)
    throw new UsageError('--enable and --disable exclude each other')
  const change: WebhookChange = {
    ...(address === undefined ? {} : { url: address }),
    ...(description === undefined ? {} : { description }),
    ...(types === undefined ? {} : { event_types: types === 'all' ? null : eventTypesIn(types) }),
    ...(enable === true ? { enabled: true } : {}),
    ...(disable === true ? { enabled: false } : {}),
  }
  if (Object.keys(change).length === 0)
    throw new UsageError(
      'nothing to change: give --address, --types, --description, --enable or --disable',
    )
  return printOne(context, flags, await service.webhooks.update(id, change))
}

const remove: Run<DeleteFlags> = async (service, id, flags, { terminal: { out } }) => {
  if (flags.yes !== true)
    throw new UsageError('this deletes the webhook and what waits for it: say --yes')
  await service.webhooks.delete(id)
  out.write(flags.json === true ? `${JSON.stringify({ id, deleted: true })}\n` : `deleted ${id}\n`)
  return EXIT.done
}

const rotate: Run<RotateFlags> = async (service, id, flags, context) => {
  const { keep } = flags
  if (keep !== undefined && !/^\d{1,6}$/.test(keep))
    throw new UsageError('--keep must be a whole number of seconds')
  const rotated = await service.webhooks.rotateSecret(
    id,
    keep === undefined ? {} : { keep_seconds: Number(keep) },
  )
  return printOne(context, flags, rotated, SHOWN_ONCE)
}

const test: Run<ServiceFlags> = async (service, id, flags, { terminal: { out } }) => {
  const tested = await service.webhooks.test(id)
  const { delivered, status, error, took_ms: tookMs } = tested
  if (flags.json === true) out.write(`${JSON.stringify(tested)}\n`)
  else
    out.write(
      `${delivered ? 'delivered' : 'not delivered'}: ${status ?? error ?? 'no answer'}, ${tookMs} ms\n`,
    )
  return delivered ? EXIT.done : EXIT.failed
}

const deliveries: Run<DeliveryFlags> = async (service, id, flags, context) => {
  const limit = Number(flags.limit)
  if (!Number.isInteger(limit) || limit < 1)
    throw new UsageError('--limit must be a whole number from 1')
  const found = await service.webhooks
    .deliveries(id, { limit: Math.min(limit, 200) })
    .toArray({ limit })
  return print(
    context,
    flags,
    found,
    found.map((each) => ({
      event: each.event_id,
      type: each.type,
      state: each.state,
      attempts: each.attempts,
      answer: each.last_status ?? each.last_error,
      last: each.last_attempt_at,
      next: each.next_attempt_at,
    })),
  )
}

const redeliver: Run<RedeliverFlags> = async (service, event, flags, { terminal: { out } }) => {
  const queued = await service.events.redeliver(
    event,
    flags.webhook === undefined ? {} : { webhook_id: flags.webhook },
  )
  out.write(
    flags.json === true
      ? `${JSON.stringify(queued)}\n`
      : `queued for ${queued.webhooks} webhook${queued.webhooks === 1 ? '' : 's'}\n`,
  )
  return queued.webhooks === 0 ? EXIT.failed : EXIT.done
}

function row(webhook: Webhook): JsonObject {
  return {
    id: webhook.id,
    enabled: webhook.enabled,
    url: webhook.url,
    types: webhook.event_types === null ? 'all' : webhook.event_types.join(','),
    description: webhook.description,
    off_because: webhook.disabled_reason,
  }
}

function print(
  { terminal: { out } }: CommandContext,
  { json }: ServiceFlags,
  data: unknown,
  rows: readonly JsonObject[],
): ExitCode {
  if (json === true) out.write(`${JSON.stringify(data)}\n`)
  else out.write(formatTable(rows, { width: out.isTerminal ? out.columns : null }))
  return EXIT.done
}

function printOne(
  { terminal: { out, err } }: CommandContext,
  { json }: ServiceFlags,
  webhook: Webhook | WebhookWithSecret,
  note = '',
): ExitCode {
  if (json === true) {
    out.write(`${JSON.stringify(webhook)}\n`)
    return EXIT.done
  }
  for (const [name, value] of Object.entries(webhook)) {
    const text = value === null ? '' : Array.isArray(value) ? value.join(',') : String(value)
    out.write(`${`${name.padEnd(26)}${text}`.trimEnd()}\n`)
  }
  err.write(note)
  return EXIT.done
}
