// `tenon webhooks`: where a service delivers events, over HTTP.
import type { WebhookChange } from '../client/service-bodies.ts'
import { type Configure, family, jsonLines, wholeNumber } from './command.ts'
import { eventTypesIn } from './events.ts'
import { EXIT, UsageError } from './exit-codes.ts'
import { askService, deleting } from './running-service.ts'

export const docs = 'events'
export { SERVICE_NOTES as notes } from './running-service.ts'

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

const list = askService({
  options: jsonLines('webhook'),
  async run({ webhooks }) {
    const { data } = await webhooks.list()
    const shown = data.map((webhook) => ({
      id: webhook.id,
      enabled: webhook.enabled,
      url: webhook.url,
      types: webhook.event_types?.join(',') ?? 'all',
      description: webhook.description,
      off_because: webhook.disabled_reason,
    }))
    return { value: data, shown, none: 'there are no webhooks; tenon webhooks create makes one\n' }
  },
})

const show = askService({
  arguments: ID,
  run: async ({ webhooks }, { id }) => ({ value: await webhooks.get(id) }),
})

const create = askService({
  arguments: { '<address>': 'public https, for example https://app.example.com/hooks' },
  options: {
    '--types <names>': 'these only: sync.failed,connector.auth_error; default: all',
    '--description <text>': 'a label for people',
  },
  async run({ webhooks }, { address, types, description }) {
    const value = await webhooks.create({
      url: address,
      ...(types === undefined ? {} : { event_types: eventTypesIn(types) }),
      ...(description === undefined ? {} : { description }),
    })
    return { value, note: SHOWN_ONCE }
  },
})

const SHOWN_ONCE = 'The secret is shown only now.\n'

const update = askService({
  arguments: ID,
  options: {
    '--address <address>': 'where it is',
    '--types <names>': 'these only; all: every type',
    '--description <text>': 'a label for people',
    '--enable': 'deliver again what happens from now on',
    '--disable': 'deliver nothing; what waits is cancelled',
  },
  async run({ webhooks }, { id, address, types, description, enable, disable }) {
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
    return { value: await webhooks.update(id, change) }
  },
})

const remove = deleting(ID, 'deletes the webhook and what waits for it', ({ webhooks }, id) =>
  webhooks.delete(id),
)

const rotate = askService({
  arguments: ID,
  options: {
    '--keep <seconds>': 'how long both sign: a day by default, 0 where the old one has leaked',
  },
  async run({ webhooks }, { id, keep }) {
    if (keep !== undefined && !/^\d{1,6}$/.test(keep))
      throw new UsageError('--keep must be a whole number of seconds')
    const options = keep === undefined ? {} : { keep_seconds: Number(keep) }
    return { value: await webhooks.rotateSecret(id, options), note: SHOWN_ONCE }
  },
})

const test = askService({
  arguments: ID,
  async run({ webhooks }, { id }) {
    const value = await webhooks.test(id)
    const { delivered, status, error, took_ms: tookMs } = value
    const result = delivered ? 'delivered' : 'not delivered'
    const shown = `${result}: ${status ?? error ?? 'no answer'}, ${tookMs} ms\n`
    return { value, shown, code: delivered ? EXIT.done : EXIT.failed }
  },
})

const MAX_PAGE = 200

const deliveries = askService({
  arguments: ID,
  options: {
    '--limit <n>': { text: 'at most this many', default: 50, parse: wholeNumber },
    ...jsonLines('delivery'),
  },
  async run({ webhooks }, { id, limit }) {
    const page = { limit: Math.min(limit, MAX_PAGE) }
    const value = await webhooks.deliveries(id, page).toArray({ limit })
    const shown = value.map((each) => ({
      event: each.event_id,
      type: each.type,
      state: each.state,
      attempts: each.attempts,
      answer: each.last_status ?? each.last_error,
      last: each.last_attempt_at,
      next: each.next_attempt_at,
    }))
    return { value, shown, none: 'nothing was delivered yet; tenon webhooks test sends an event\n' }
  },
})

const redeliver = askService({
  arguments: { '<event>': 'id of the event' },
  options: { '--webhook <id>': 'to this one only; default: all that want its type' },
  async run({ events }, { event, webhook }) {
    const value = await events.redeliver(
      event,
      webhook === undefined ? {} : { webhook_id: webhook },
    )
    const { webhooks: count } = value
    const shown = `queued for ${count} webhook${count === 1 ? '' : 's'}\n`
    return { value, shown, code: count === 0 ? EXIT.failed : EXIT.done }
  },
})

export const configure: Configure = family({
  list: ['show all webhooks', list],
  show: ['show one webhook, without its secret', show],
  create: ['have events delivered to an address; the secret is shown once', create],
  update: ['change a webhook, or switch it on or off', update],
  delete: ['delete a webhook with all that waits for it', remove],
  'rotate-secret': ['give it another secret; both sign for a while', rotate],
  test: ['send webhook.test at once; exit code 1 when it is not accepted', test],
  deliveries: ['show what was delivered and what waits, the newest first', deliveries],
  redeliver: ['deliver an event once more', redeliver],
})
