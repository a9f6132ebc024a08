// `tenon events`: what happened to the instances of a service, over HTTP.
import type { EventPage, ServiceClient } from '../client/service-client.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import type { WebhookEvent } from '../client/webhooks/event.ts'
import type { CommandContext, CommandModule } from './command.ts'
import { eventTypesIn } from './event-types.ts'
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts'
import { DEFAULT_URL, type ServiceFlags, withService } from './running-service.ts'
import { formatTable } from './table.ts'

interface EventFlags extends ServiceFlags {
  readonly cursor?: string
  readonly limit?: string
  readonly types?: string
  readonly follow?: boolean
}

export const notes = `The oldest first. Where it ended stands on standard error, for --cursor. Credentials come from the environment:
TENON_TOKEN, or TENON_CLIENT_ID and TENON_CLIENT_SECRET of an application.`

export const examples: CommandModule['examples'] = [
  'tenon events --types connector.auth_error,sync.failed',
  'tenon events --follow --json',
  'tenon events --cursor ZTEuMTI',
]

export const configure: CommandModule['configure'] = (command, context, done) => {
  command
    .option('--follow', 'go on with what comes, until Ctrl+C')
    .option('--cursor <place>', 'from the place where an earlier call ended')
    .option('--limit <n>', 'at most so many; default: 100, with --follow no limit')
    .option('--types <names>', 'these only: sync.failed,connector.auth_error')
    .option('--url <address>', `of the service; default: TENON_URL, or ${DEFAULT_URL}`)
    .option('--json', 'one line of JSON per event')
    .action(async (flags: EventFlags) =>
      done(await withService(flags, context, (service) => events(service, flags, context))),
    )
}

const PAGE = 200
const DEFAULT_LIMIT = 100

async function events(
  service: ServiceClient,
  flags: EventFlags,
  { terminal: { out, err }, signal }: CommandContext,
): Promise<ExitCode> {
  const most = limitOf(flags)
  const wanted = flags.types === undefined ? null : new Set<string>(eventTypesIn(flags.types))
  const width = out.isTerminal ? out.columns : null
  let left = most
  let place: string | null = null
  for await (const page of pagesOf(service, flags, signal)) {
    const shown = page.records.filter(({ type }) => wanted === null || wanted.has(type))
    const part = shown.slice(0, left)
    left -= part.length
    if (flags.json === true) for (const event of part) out.write(`${JSON.stringify(event)}\n`)
    else if (part.length > 0) out.write(formatTable(part.map(row), { width }))
    // In the middle of a page there is no place to go on from.
    if (part.length < shown.length) break
    place = page.meta.next_cursor
    if (left === 0) break
  }
  if (place !== null) err.write(`to go on: --cursor ${place}\n`)
  return EXIT.done
}

function pagesOf(
  service: ServiceClient,
  { follow, cursor, limit, types }: EventFlags,
  signal: AbortSignal,
): AsyncIterable<EventPage> {
  // Without a filter a page holds no more than is asked for.
  const size = types === undefined && follow !== true ? Number(limit ?? DEFAULT_LIMIT) : PAGE
  const from = {
    ...(cursor === undefined ? {} : { cursor }),
    limit: Math.min(PAGE, size),
  }
  return follow === true
    ? service.events.follow({ ...from, signal })
    : service.events.list(from).pages()
}

function limitOf({ limit, follow }: EventFlags): number {
  if (limit === undefined) return follow === true ? Number.POSITIVE_INFINITY : DEFAULT_LIMIT
  if (!/^[1-9]\d{0,8}$/.test(limit)) throw new UsageError('--limit must be a whole number from 1')
  return Number(limit)
}

function row({ id, type, timestamp, data }: WebhookEvent): JsonObject {
  const told = data as JsonObject
  return {
    time: timestamp,
    type,
    instance: told['connector_id'] ?? null,
    connector: told['connector_type'] ?? null,
    user: told['external_user_id'] ?? null,
    what: whatOf(told),
    id,
  }
}

/** The few members that tell one event from another of its type. */
function whatOf(data: JsonObject): Json {
  const { entity, state, changed, percent, missing, code } = data
  const parts: readonly (readonly [Json | undefined, string])[] = [
    [entity, ''],
    [state, ''],
    [code, ''],
    [changed, ' changed'],
    [percent, ' %'],
    [missing, ' missing'],
  ]
  return parts
    .flatMap(([value, unit]) =>
      typeof value === 'string' || typeof value === 'number' ? [`${value}${unit}`] : [],
    )
    .join(', ')
}
