// `tenon webhooks`: where a service delivers events, over HTTP.
import type { Webhook, WebhookChange } from '../client/service-bodies.ts'
import type { JsonObject } from '../language/json/json.ts'
import { type CommandContext, type Configure, family, leaf, wholeNumber } from './command.ts'
import { eventTypesIn } from './events.ts'
import { EXIT, UsageError } from './exit-codes.ts'
import { openService, SERVICE_OPTIONS } from './running-service.ts'
import { formatRecord, tableFor } from './table.ts'
import { print } from './terminal.ts'

export const notes = `Credentials come from the environment: TENON_TOKEN, or TENON_CLIENT_ID and TENON_CLIENT_SECRET of an application.`

export const examples: readonly string[] = [
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

const ID = { '<id>': 'of the webhook' }

const list = leaf({
  options: SERVICE_OPTIONS,
  async run(given, context) {
    await using open = openService(given, context)
    const { data } = await open.service.webhooks.list()
    const rows = data.map((webhook): JsonObject => ({
      id: webhook.id,
      enabled: webhook.enabled,
      url: webhook.url,
      types: webhook.event_types?.join(',') ?? 'all',
      description: webhook.description,
      off_because: webhook.disabled_reason,
    }))
    print(context.terminal, given.json, data, tableFor(context.terminal.out, rows))
    return EXIT.done
  },
})

const show = leaf({
  arguments: ID,
  options: SERVICE_OPTIONS,
  async run(given, context) {
    await using open = openService(given, context)
    return printOne(context, given.json, await open.service.webhooks.get(given.id))
  },
})

const create = leaf({
  arguments: { '<address>': 'public https, for example https://app.example.com/hooks' },
  options: {
    ...SERVICE_OPTIONS,
    '--types <names>': 'these only: sync.failed,connector.auth_error; default: all',
    '--description <text>': 'what people know it by',
  },
  async run({ address, types, description, json, ...given }, context) {
    await using open = openService(given, context)
    const made = await open.service.webhooks.create({
      url: address,
      ...(types === undefined ? {} : { event_types: eventTypesIn(types) }),
      ...(description === undefined ? {} : { description }),
    })
    return printOne(context, json, made, SHOWN_ONCE)
  },
})

const SHOWN_ONCE = 'The secret is shown only now.\n'

const update = leaf({
  arguments: ID,
  options: {
    ...SERVICE_OPTIONS,
    '--address <address>': 'where it is',
    '--types <names>': 'these only; all: every type',
    '--description <text>': 'what people know it by',
    '--enable': 'deliver again what happens from now on',
    '--disable': 'deliver nothing; what waits is cancelled',
  },
  async run({ id, address, types, description, enable, disable, json, ...given }, context) {
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
    await using open = openService(given, context)
    return printOne(context, json, await open.service.webhooks.update(id, change))
  },
})

const remove = leaf({
  arguments: ID,
  options: { ...SERVICE_OPTIONS, '--yes': 'do it: there is no way back' },
  async run({ id, yes, json, ...given }, context) {
    if (yes !== true)
      throw new UsageError('this deletes the webhook and what waits for it: say --yes')
    await using open = openService(given, context)
    await open.service.webhooks.delete(id)
    print(context.terminal, json, { id, deleted: true }, `deleted ${id}\n`)
    return EXIT.done
  },
})

const rotate = leaf({
  arguments: ID,
  options: {
    ...SERVICE_OPTIONS,
    '--keep <seconds>': 'how long both sign: a day by default, 0 where the old one has leaked',
  },
  async run({ id, keep, json, ...given }, context) {
    if (keep !== undefined && !/^\d{1,6}$/.test(keep))
      throw new UsageError('--keep must be a whole number of seconds')
    await using open = openService(given, context)
    const options = keep === undefined ? {} : { keep_seconds: Number(keep) }
    return printOne(
      context,
      json,
      await open.service.webhooks.rotateSecret(id, options),
      SHOWN_ONCE,
    )
  },
})

const test = leaf({
  arguments: ID,
  options: SERVICE_OPTIONS,
  async run({ id, json, ...given }, context) {
    await using open = openService(given, context)
    const tested = await open.service.webhooks.test(id)
    const { delivered, status, error, took_ms: tookMs } = tested
    const result = delivered ? 'delivered' : 'not delivered'
    const text = `${result}: ${status ?? error ?? 'no answer'}, ${tookMs} ms\n`
    print(context.terminal, json, tested, text)
    return delivered ? EXIT.done : EXIT.failed
  },
})

const MAX_PAGE = 200

const deliveries = leaf({
  arguments: ID,
  options: {
    ...SERVICE_OPTIONS,
    '--limit <n>': { text: 'at most so many', default: 50, parse: wholeNumber },
  },
  async run({ id, limit, json, ...given }, context) {
    await using open = openService(given, context)
    const page = { limit: Math.min(limit, MAX_PAGE) }
    const found = await open.service.webhooks.deliveries(id, page).toArray({ limit })
    const rows = found.map((each) => ({
      event: each.event_id,
      type: each.type,
      state: each.state,
      attempts: each.attempts,
      answer: each.last_status ?? each.last_error,
      last: each.last_attempt_at,
      next: each.next_attempt_at,
    }))
    print(context.terminal, json, found, tableFor(context.terminal.out, rows))
    return EXIT.done
  },
})

const redeliver = leaf({
  arguments: { '<event>': 'id of the event' },
  options: {
    ...SERVICE_OPTIONS,
    '--webhook <id>': 'to this one only; default: all that want its type',
  },
  async run({ event, webhook, json, ...given }, context) {
    await using open = openService(given, context)
    const only = webhook === undefined ? {} : { webhook_id: webhook }
    const queued = await open.service.events.redeliver(event, only)
    const text = `queued for ${queued.webhooks} webhook${queued.webhooks === 1 ? '' : 's'}\n`
    print(context.terminal, json, queued, text)
    return queued.webhooks === 0 ? EXIT.failed : EXIT.done
  },
})

export const configure: Configure = family({
  list: ['show all webhooks', list],
  show: ['show one webhook, without its secret', show],
  create: ['have events delivered to an address; the secret is shown once', create],
  update: ['change a webhook, or switch it on or off', update],
  delete: ['delete a webhook with all that waits for it', remove],
  'rotate-secret': ['give it another secret; both sign for a while', rotate],
  test: ['send webhook.test at once; exit code 1 when it is not taken', test],
  deliveries: ['show what was delivered and what waits, the newest first', deliveries],
  redeliver: ['deliver an event once more', redeliver],
})

function printOne(
  { terminal }: CommandContext,
  json: boolean | undefined,
  webhook: Webhook,
  note = '',
): typeof EXIT.done {
  print(terminal, json, webhook, formatRecord(webhook))
  if (json !== true) terminal.err.write(note)
  return EXIT.done
}
