// `tenon logs`: what happened in a service, as it happens, over HTTP.
import type { LogDetail, LogEntry, LogFigures } from '../client/service-bodies.ts'
import type { LogFilter, ServiceClient } from '../client/service-client.ts'
import { failureInWords } from '../display/answered.ts'
import { isShortOf, momentsOf, readShortId, shortLogId } from '../display/short-ids.ts'
import { inWords } from '../display/names-in-words.ts'
import { runInWords, runsInWords } from '../display/run-kinds.ts'
import { nextAttemptAt } from '../display/sync-times.ts'
import type { JsonObject } from '../language/json/json.ts'
import { createAccountNames, type NameAccount } from './account-names.ts'
import { type Configure, type FlagsOf, leaf, wholeNumber } from './command.ts'
import { EXIT, UsageError } from './exit-codes.ts'
import { openService, SERVICE_OPTIONS } from './running-service.ts'
import { severalText, wholeInstanceId } from './whole-ids.ts'
import { OUT_OPTION, writeOut } from './write-out.ts'
import { type ColumnForms, formatRecord, tableFor } from './table.ts'
import { type Channel, writeLines } from './terminal.ts'

export const docs = 'logs'
export const notes = `The newest first; with --follow the oldest first. Credentials come from the environment:
TENON_TOKEN, or TENON_CLIENT_ID and TENON_CLIENT_SECRET of an application.`

export const examples: readonly string[] = [
  'tenon logs --follow',
  'tenon logs --failed --since 1h --instance 0199f3a1-…',
  'tenon logs --text "not found" --since 3d',
  'tenon logs --figures --since 1h --failed',
  'tenon logs --export csv --since 1d --out logs.csv',
  'tenon logs --kind sync --code upstream_rate_limited --json',
  'tenon logs 0199f3b7-4c1e-7003…02   # one entry, with its requests, by its id as a narrow line has it',
]

/** A record, so that the compiler names a kind that is missing. */
const KINDS = Object.keys({
  operation: true,
  request: true,
  mcp_call: true,
  draft: true,
  refresh: true,
  consent: true,
  sync: true,
  delivery: true,
  vendor_webhook: true,
  check: true,
} satisfies Record<LogEntry['kind'], true>) as readonly LogEntry['kind'][]

const OPTIONS = {
  '--follow': 'go on with what comes, until Ctrl+C',
  '--figures': 'how many there were, and how many failed, over a day or from --since to --until',
  '--export <form>': {
    text: 'write all that the filters find, the newest 100,000 at most: a table for spreadsheets, or lines of JSON',
    choices: ['csv', 'ndjson'],
  },
  ...OUT_OPTION,
  '--limit <n>': {
    text: 'at most this many; default: 50, with --follow no limit',
    parse: wholeNumber,
  },
  '--text <words>':
    'with these words in what was called, in the code or words of a failure, or in an id',
  '--kind <kind>': { text: 'of one kind', choices: KINDS },
  '--failed': 'what failed only',
  '--ok': 'what succeeded only',
  '--instance <id>': 'of one instance',
  '--user <id>': 'of one external user',
  '--type <type>': 'of one connector',
  '--entity <name>': 'of one entity',
  '--action <name>': 'of one action',
  '--code <code>': 'with this error code',
  '--upstream-status <n>': { text: 'that the third party answered so', parse: wholeNumber },
  '--request <id>': 'with this request id',
  '--min-ms <n>': { text: 'that took so many milliseconds, or longer', parse: wholeNumber },
  '--since <time>': 'that ended then or later: 15m, 2h, 3d, or 2026-11-28T09:00:00Z',
  '--until <time>': 'that ended before',
  ...SERVICE_OPTIONS,
  '--json': 'print one line of JSON per entry; of one entry, and of figures, one JSON document',
} as const

const DEFAULT_LIMIT = 50
const MAX_PAGE = 200
const MAX_FIGURES = 24

export const configure: Configure = leaf({
  arguments: { '[id]': 'one entry in detail; also as a narrow line has it' },
  options: OPTIONS,
  async run(given, context) {
    const { out, err } = context.terminal
    const { id, follow, json } = given
    await using open = openService(given, context)
    const { logs, instances } = open.service
    const namesOf = createAccountNames(instances)
    const tableOf = async (entries: readonly LogEntry[]): Promise<string> => {
      const name = await namesOf(entries.map((entry) => entry.connector_id))
      return tableFor(
        out,
        entries.map((entry) => row(entry, name)),
        FORMS,
      )
    }
    if (id !== undefined) {
      const entry = await logs.get(await wholeId(logs, id))
      const name = json === true ? () => null : await namesOf([entry.connector_id])
      return { value: entry, shown: detailText(out, entry, name) }
    }
    const { instance } = given
    const filter = filterOf(
      instance === undefined
        ? given
        : { ...given, instance: await wholeInstanceId(instances, instance) },
    )
    if (given.export !== undefined) {
      requireAlone(given)
      await writeOut(await logs.export({ ...filter, form: given.export }), given.out, context)
      if (given.out !== undefined) err.write(`exported to ${given.out}\n`)
      return EXIT.done
    }
    if (given.out !== undefined) throw new UsageError('--out goes with --export')
    if (given.figures === true) {
      const figures = await logs.summary({ ...filter, buckets: MAX_FIGURES })
      return { value: figures, shown: figuresText(out, figures) }
    }
    let left = given.limit ?? (follow === true ? Number.POSITIVE_INFINITY : DEFAULT_LIMIT)
    const write = async (entries: readonly LogEntry[]): Promise<void> => {
      const part = entries.slice(0, left)
      left -= part.length
      if (json === true) writeLines(out, part)
      else if (part.length > 0) out.write(await tableOf(part))
    }
    if (follow === true) {
      for await (const page of logs.follow({ ...filter, signal: context.signal })) {
        await write(page.records)
        if (left === 0) break
      }
      return EXIT.done
    }
    const found: LogEntry[] = []
    for await (const page of logs.list({ ...filter, limit: Math.min(left, MAX_PAGE) }).pages()) {
      // Lines go out as they come; a table is laid out once.
      if (json === true) await write(page.records)
      else found.push(...page.records)
      if (left === 0 || found.length >= left) break
      // Something rare may be far behind.
      const { searched_to: to } = page.meta
      if (to !== null && to !== undefined) err.write(`searched back to ${to} …\n`)
    }
    if (json !== true) {
      if (found.length === 0) out.write('no entry is like this\n')
      else await context.terminal.showLong(await tableOf(found.slice(0, left)))
    }
    return EXIT.done
  },
})

/** In a narrow terminal it is told what was called and of which account; figures go first, then what a result is called by programs. */
const FORMS: ColumnForms = {
  id: { short: shortLogId },
  what: { short: (cell) => cell.replace(/^(sync \S+): .+$/, '$1'), least: 26 },
  result: { least: 14 },
  account: { least: 12, keepsEnd: true },
}
/** An entry is written so much later than it ended, at most. */
const MAX_BEHIND_MS = 6 * 60_000

/** The id of the entry that a short one stands for; any other text as it is. Throws UsageError where there is none, or several. */
async function wholeId(logs: ServiceClient['logs'], text: string): Promise<string> {
  const short = readShortId(text)
  if (short === null) return text
  const { fromMs, toMs } = momentsOf(short)
  const from = new Date(fromMs - MAX_BEHIND_MS).toISOString()
  const to = new Date(toMs + 1).toISOString()
  const found: string[] = []
  for await (const { id } of logs.list({ from, to, limit: MAX_PAGE })) {
    if (isShortOf(short, id)) found.push(id)
    // The newest are first, in the order of their ids.
    if (id < short.head) break
  }
  const [only] = found
  if (only === undefined) throw new UsageError(`no entry has the id ${text}`)
  if (found.length > 1) throw new UsageError(severalText('entries', text, found))
  return only
}

/** An export has all that the filters find. */
function requireAlone({ follow, figures, limit, json }: FlagsOf<typeof OPTIONS>): void {
  const others = { follow, figures, limit, json }
  const [other] = Object.entries(others).flatMap(([name, value]) =>
    value === undefined ? [] : name,
  )
  if (other !== undefined)
    throw new UsageError(
      `--export and --${other} exclude each other: an export has all that the filters find, in the form that it names`,
    )
}

/** Throws UsageError. */
function filterOf(given: FlagsOf<typeof OPTIONS>): LogFilter {
  if (given.failed === true && given.ok === true)
    throw new UsageError('--failed and --ok exclude each other; without them both are shown')
  const now = Date.now()
  const wanted: { readonly [Member in keyof LogFilter]-?: LogFilter[Member] | undefined } = {
    text: given.text,
    kind: given.kind,
    connector_id: given.instance,
    external_user_id: given.user,
    connector_type: given.type,
    entity: given.entity,
    action: given.action,
    status: given.failed === true ? 'failed' : given.ok === true ? 'ok' : undefined,
    code: given.code,
    upstream_status: given.upstreamStatus,
    request_id: given.request,
    from: given.since === undefined ? undefined : timeIn('--since', given.since, now),
    to: given.until === undefined ? undefined : timeIn('--until', given.until, now),
    min_ms: given.minMs,
  }
  // What is undefined was not given.
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `15m` before now, or a time; as RFC 3339. Throws UsageError. */
function timeIn(flag: string, text: string, now: number): string {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const time = unit === '' ? Date.parse(text) : now - Number(count) * (UNITS[unit] ?? 0)
  if (Number.isNaN(time))
    throw new UsageError(`${flag} ${text} is no time: 15m, 2h, 3d, or 2026-11-28T09:00:00Z`)
  return new Date(time).toISOString()
}

/** The newest first, as entries are listed. */
function figuresText(out: Channel, { buckets, counted_from: from }: LogFigures): string {
  const rows = buckets
    .toReversed()
    .map(({ at, entries, failed_entries: failed }) => ({ at, entries, failed }))
  const note = from === null ? '' : `counted since ${from}: there are too many to count all\n`
  return tableFor(out, rows) + note
}

function row(entry: LogEntry, nameOf: NameAccount): JsonObject {
  return {
    time: entry.at,
    what: whatOf(entry),
    result: resultOf(entry),
    account: nameOf(entry.connector_id) ?? entry.connector_id,
    // Where there is no room for all, one can go on from here to all else.
    id: entry.id,
    ms: entry.took_ms,
    user: entry.external_user_id,
    connector: entry.connector_type,
    request: entry.request_id,
    instance: entry.connector_id,
  }
}

function whatOf({ kind, entity, action }: LogEntry): string {
  if (kind === 'sync' && entity !== null)
    return `sync ${entity}${action === null ? '' : `: ${runInWords(action)}`}`
  const name = [entity, action].filter((part) => part !== null).join('.')
  return kind === 'operation' && name !== '' ? name : `${kind} ${name}`.trim()
}

function resultOf(entry: LogEntry): string {
  const { code, status, upstream_status: upstream } = entry
  return code === null ? `${status ?? upstream ?? 'ok'}` : `${failureInWords(entry)}, ${code}`
}

/** `Jira of ACME (01a227ac-…)`: the name for people, the id to go on with. */
function withName(name: string | null, id: string | null): string | null {
  return name === null || id === null ? id : `${name} (${id})`
}

function detailText(out: Channel, entry: LogDetail, nameOf: NameAccount): string {
  const { steps, facts, said, client_name: client, ...names } = entry
  const { tried_again_in_s: _, ...others } = facts
  const known = Object.entries({
    ...names,
    connector_id: withName(nameOf(entry.connector_id), entry.connector_id),
    client_id: withName(client ?? null, entry.client_id),
    ...others,
    ...(Array.isArray(others.runs) ? { runs: runsInWords(others.runs) } : {}),
    next_attempt: nextAttemptAt(entry),
  }).filter(([, value]) => value !== null)
  const requests = steps.map(
    ({ method, host, path, status, code, began_ms, took_ms, attempt }) => ({
      ...inWords({ began_ms, took_ms }),
      request: `${method} ${host}${path ?? ''}`,
      attempt,
      result: [status, code].filter((part) => part !== null).join(' '),
    }),
  )
  return [
    formatRecord(out, inWords(Object.fromEntries(known))),
    ...(requests.length === 0 ? [] : ['\n', tableFor(out, requests)]),
    ...(said === null ? [] : ['\n', formatRecord(out, said)]),
  ].join('')
}
