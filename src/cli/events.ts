// `tenon events`: what happened to the instances of a service, over HTTP.
import type { EventPage, ServiceClient } from '../client/service-client.ts'
import { EVENT_TYPES, type EventType, type WebhookEvent } from '../client/webhooks/event.ts'
import type { JsonObject } from '../language/json/json.ts'
import { didYouMean } from '../language/manifest/suggest.ts'
import { type Configure, type FlagsOf, jsonLines, leaf, wholeNumber } from './command.ts'
import { EXIT, UsageError } from './exit-codes.ts'
import { openService, SERVICE_OPTIONS } from './running-service.ts'
import { type ColumnForms, tableFor } from './table.ts'
import { growingTable, writeLines } from './terminal.ts'

export const docs = 'events'
export const notes = `The oldest first. Where it ended stands on standard error, for --cursor. Credentials come from the environment:
TENON_TOKEN, or TENON_CLIENT_ID and TENON_CLIENT_SECRET of an application.`

export const examples: readonly string[] = [
  'tenon events --types connector.auth_error,sync.failed',
  'tenon events --follow --json',
  'tenon events --cursor ZTEuMTI',
]

const OPTIONS = {
  '--follow': 'go on with what comes, until Ctrl+C',
  '--cursor <place>': 'from the place where an earlier call ended',
  '--limit <n>': {
    text: 'at most this many; default: 100, with --follow no limit',
    parse: wholeNumber,
  },
  '--types <names>': 'these only: sync.failed,connector.auth_error',
  ...SERVICE_OPTIONS,
  ...jsonLines('event'),
} as const

const MAX_PAGE = 200
const DEFAULT_LIMIT = 100

export const configure: Configure = leaf({
  options: OPTIONS,
  async run(given, context) {
    const { out, err } = context.terminal
    const { follow, types, json } = given
    const wanted = types === undefined ? null : new Set<string>(eventTypesIn(types))
    await using open = openService(given, context)
    let left = given.limit ?? (follow === true ? Number.POSITIVE_INFINITY : DEFAULT_LIMIT)
    let place: string | null = null
    const tableOf = (events: readonly WebhookEvent[]): string =>
      tableFor(out, events.map(row), FORMS)
    const table = growingTable(context.terminal, tableOf, { follows: follow === true })
    try {
      for await (const page of pagesOf(open.service, given, context.signal)) {
        const shown = page.records.filter(({ type }) => wanted === null || wanted.has(type))
        const part = shown.slice(0, left)
        left -= part.length
        if (json === true) writeLines(out, part)
        else await table.add(part)
        // In the middle of a page there is no place to go on from.
        if (part.length < shown.length) break
        place = page.meta.next_cursor
        if (left === 0) break
      }
    } finally {
      await table.end()
      // Also where it fails: what was told before is not to be read again.
      if (place !== null) err.write(`to go on: --cursor ${place}\n`)
    }
    return EXIT.done
  },
})

/** `sync.failed,connector.auth_error`. Throws UsageError for one that is none. */
export function eventTypesIn(text: string): readonly EventType[] {
  const known = Object.keys(EVENT_TYPES)
  return text.split(',').map((part) => {
    const name = part.trim()
    // Its keys are all types.
    if (Object.hasOwn(EVENT_TYPES, name)) return name as EventType
    throw new UsageError(
      `"${name}" is no type of event${didYouMean(name, known)}; there is ${known.join(', ')}`,
    )
  })
}

function pagesOf(
  service: ServiceClient,
  { follow, cursor, limit, types }: FlagsOf<typeof OPTIONS>,
  signal: AbortSignal,
): AsyncIterable<EventPage> {
  // Without a filter a page holds no more than is asked for.
  const size = types === undefined && follow !== true ? (limit ?? DEFAULT_LIMIT) : MAX_PAGE
  const from = { ...(cursor === undefined ? {} : { cursor }), limit: Math.min(MAX_PAGE, size) }
  return follow === true
    ? service.events.follow({ ...from, signal })
    : service.events.list(from).pages()
}

function row({ id, type, timestamp, data }: WebhookEvent): JsonObject {
  const told = data as JsonObject
  return {
    time: timestamp,
    type,
    user: told['external_user_id'] ?? null,
    connector: told['connector_type'] ?? null,
    what: whatOf(told),
    instance: told['connector_id'] ?? null,
    id,
  }
}

/** In a narrow terminal there is room for whose account it was, and for what happened. */
const FORMS: ColumnForms = { type: { least: 24 }, user: { keepsEnd: true } }

/** The few members that tell one event from another of its type. */
function whatOf(data: JsonObject): string {
  return Object.entries(UNITS)
    .flatMap(([name, unit]) => {
      const value = data[name]
      return typeof value === 'string' || typeof value === 'number' ? [`${value}${unit}`] : []
    })
    .join(', ')
}

const UNITS = {
  entity: '',
  state: '',
  code: '',
  changed: ' changed',
  percent: ' %',
  missing: ' missing',
}
