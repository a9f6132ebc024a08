// /logs: what happened to instances, the newest first, as figures, and one entry in detail.
import { ConnectorError, problemError } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import { mayCall } from '../console/rights.ts'
import type { Cursors } from '../cursors.ts'
import type { Logs } from '../logs/logs.ts'
import { bucketFor, countLogs, MAX_BUCKETS } from '../logs/count-logs.ts'
import { openContent } from '../logs/log-content.ts'
import { detailOf, entryOf } from '../logs/log-view.ts'
import { maySee, searchLogs, timeOfLogId } from '../logs/search-logs.ts'
import { fileReply, ROW_FORMS, type RowForm, rowsAsText } from '../rows-as-text.ts'
import { json, type Handler, type Route, routes, type ServiceRequest } from '../route.ts'
import { firstLogId, LOG_KINDS, type LogFilter } from '../store/logs.ts'
import { logWordsIn } from '../store/log-words.ts'
import { timeText } from '../store/instance-view.ts'
import type { Store } from '../store/store.ts'
import { isUuid } from '../store/uuid.ts'
import { ownerOf, type Principal } from '../tokens/principal.ts'
import type { Vault } from '../vault/vault.ts'
import { limitIn } from './pages.ts'
import * as s from './schemas.ts'

export interface LogRoutePorts {
  readonly store: Pick<Store, 'logs' | 'isShared' | 'applications'>
  readonly logs: Pick<Logs, 'flush' | 'isOn' | 'days' | 'keepsContent'>
  readonly vault: Vault
  readonly clock: Clock
  readonly cursors: Cursors
}

/** Another process may have entries of this age that it is writing. */
const SETTLED_MS = 2000
const MAX_EXPORTED = 100_000
const EXPORTED_AT_ONCE = 500
const DAY_MS = 86_400_000
const PURPOSE = 'logs'

const FILTER: s.Members = {
  text: {
    type: 'string',
    maxLength: 200,
    description:
      'Words that all occur in the texts of the entry, in upper or lower case: the kind, what was called, the code and the words of a failure, connector, user, ids.',
  },
  kind: { enum: LOG_KINDS, description: 'What happened.' },
  connector_id: { ...s.TEXT, description: 'Of this instance.' },
  external_user_id: { ...s.TEXT, description: 'Of the instances of this user.' },
  connector_type: { ...s.TEXT, description: 'Of the instances of this connector, such as `gong`.' },
  entity: { ...s.TEXT, description: 'Of operations and syncs on this entity, such as `calls`.' },
  action: { ...s.TEXT, description: 'Of operations with this action, such as `list`.' },
  status: { enum: ['ok', 'failed'], description: 'How it ended.' },
  code: { ...s.TEXT, description: 'The error code.' },
  upstream_status: {
    type: 'integer',
    minimum: 100,
    maximum: 599,
    description: 'The last status from the third party, or from the receiver of a webhook.',
  },
  request_id: {
    ...s.TEXT,
    description: 'Of one request to this service, by the X-Request-Id of its response.',
  },
  from: { ...s.TIME, description: 'Only what ended at this time or later.' },
  to: { ...s.TIME, description: 'Only what ended before this time.' },
  min_ms: { type: 'integer', minimum: 0, description: 'Only what took at least this long.' },
}

const TEXT_OR_NULL = { type: ['string', 'null'] } as const
const NUMBER_OR_NULL = { type: ['integer', 'null'] } as const

const ENTRY_MEMBERS: s.Members = {
  id: { type: 'string', format: 'uuid' },
  kind: { enum: LOG_KINDS },
  at: { ...s.TIME, description: 'When it ended.' },
  ...s.each(['connector_id', 'connector_type', 'external_user_id', 'client_id'], TEXT_OR_NULL),
  ...s.each(['entity', 'action', 'request_id'], TEXT_OR_NULL),
  code: { type: ['string', 'null'], description: 'The error code; null: it succeeded.' },
  status: { type: ['integer', 'null'], description: 'The status that the caller got.' },
  upstream_status: NUMBER_OR_NULL,
  took_ms: { type: 'number' },
  upstream_requests: { type: 'integer' },
  first_code: {
    ...TEXT_OR_NULL,
    description:
      'For a sync that fails repeatedly: the code that it failed with first. null: it does not.',
  },
}

const ENTRY = s.open({
  ...ENTRY_MEMBERS,
  detail: { type: ['string', 'null'], description: 'The message of a failure.' },
})

const STEP = s.open(
  {
    method: { type: 'string' },
    host: { type: 'string' },
    path: { type: ['string', 'null'], description: 'As in the manifest: {} for parameters.' },
    attempt: { type: 'integer', description: '2 or more: it was repeated.' },
    began_ms: { type: 'number', description: 'After the beginning of the operation.' },
    took_ms: { type: ['number', 'null'] },
    status: NUMBER_OR_NULL,
    code: TEXT_OR_NULL,
    wait_ms: { type: 'integer', description: 'Before it was repeated.' },
  },
  ['method', 'host', 'path', 'attempt', 'began_ms', 'took_ms', 'status', 'code'],
)

const DETAIL = s.open({
  ...ENTRY_MEMBERS,
  detail: TEXT_OR_NULL,
  client_name: {
    ...TEXT_OR_NULL,
    description:
      'Of the calling application; null: there was none, it was deleted, or the token is for an end user.',
  },
  outcome: { type: ['string', 'null'], description: 'What is known about the effect of a write.' },
  steps: s.listOf(STEP),
  facts: { ...s.FREE, description: 'Counts and names; which ones depends on the kind.' },
  said: {
    ...s.orNull(
      s.open({
        params: { ...s.FREE_OR_NULL, description: 'null: they were too long.' },
        answer: { type: ['string', 'null'], description: 'JSON as text, possibly truncated.' },
        cut: { type: 'boolean' },
      }),
    ),
    description:
      'Parameters and answer, where the operator keeps them (TENON_LOGS_CONTENT) and the token is of an application; credentials are masked.',
  },
})

const COUNTED: s.Members = {
  kind: { enum: LOG_KINDS },
  ...s.each(['connector_type', 'entity', 'action'], TEXT_OR_NULL),
  ...s.each(['calls', 'failures'], { type: 'integer' }),
}

export function logRoutes(ports: LogRoutePorts): readonly Route[] {
  return routes('any', [
    {
      name: 'listLogs',
      at: 'GET /logs',
      queryExample: { status: 'ok', limit: '20' },
      summary: 'List log entries, newest first, or those added since an earlier read',
      query: s.closed({
        ...FILTER,
        cursor: {
          ...s.TEXT,
          description:
            'next_cursor of the previous page; if that was requested with `after`, pass it as `after`.',
        },
        after: {
          ...s.TEXT,
          description:
            'tail_cursor of an earlier response: only entries added since, oldest first.',
        },
        limit: s.LIMIT,
      }),
      success: s.answersPage(
        'A page of entries. For rare entries it may be short, or empty, with more to follow.',
        ENTRY,
        undefined,
        {
          tail_cursor: {
            type: 'string',
            description: 'Pass it as `after` to get what is added from here on.',
          },
          searched_to: {
            ...s.TIME_OR_NULL,
            description:
              'How far back the search went, if the page is not full and more may follow.',
          },
          kept: {
            ...s.open({ days: { type: 'integer' }, contents: { type: 'boolean' } }),
            description:
              'For how many days entries are kept (TENON_LOGS_DAYS; 0: none are), and whether parameters and answers of new ones are (TENON_LOGS_CONTENT).',
          },
        },
      ),
      errors: ['cursor_invalid'],
      handle: (request) => list(ports, request),
    },
    {
      name: 'logSummary',
      at: 'GET /logs/summary',
      summary: 'Summarize log entries over time: calls, failures, slowest and failing operations',
      query: s.closed({
        ...FILTER,
        from: { ...s.TIME, description: 'By default a day before the end.' },
        to: { ...s.TIME, description: 'By default now.' },
        buckets: {
          type: 'integer',
          minimum: 1,
          maximum: MAX_BUCKETS,
          description: `The maximum number, of a minute or more each; default: ${MAX_BUCKETS}, of five minutes or more.`,
        },
      }),
      success: s.answersWith(200, 'The figures.', {
        ...s.each(['from', 'to'], s.TIME),
        bucket_seconds: { type: 'integer' },
        counted_from: {
          ...s.TIME_OR_NULL,
          description:
            'From when entries were counted, if there are too many for the whole period.',
        },
        buckets: s.listOf(
          s.open({
            at: s.TIME,
            ...s.each(['operations', 'failures'], { type: 'integer' }),
            entries: {
              type: 'integer',
              description: 'Operations, and entries of all other kinds.',
            },
            failed_entries: { type: 'integer' },
          }),
        ),
        kinds: s.listOf(
          s.open({
            kind: { enum: LOG_KINDS },
            ...s.each(['calls', 'failures'], { type: 'integer' }),
          }),
        ),
        slowest: s.listOf(
          s.open({ ...COUNTED, ...s.each(['mean_ms', 'max_ms'], { type: 'number' }) }),
        ),
        failing: s.listOf(
          s.open({
            ...COUNTED,
            first_at: { ...s.TIME, description: 'When it first failed, to within five minutes.' },
            last_at: { ...s.TIME, description: 'When it last failed, to within five minutes.' },
            codes: s.listOf(s.open({ code: { type: 'string' }, calls: { type: 'integer' } })),
          }),
        ),
      }),
      handle: (request) => summarize(ports, request),
    },
    {
      name: 'exportLogs',
      at: 'GET /logs/export',
      queryExample: { form: 'csv' },
      summary: `Download log entries, up to the newest ${MAX_EXPORTED.toLocaleString('en')}`,
      query: s.closed({
        ...FILTER,
        form: { enum: ROW_FORMS, default: 'ndjson', description: 'One entry per line.' },
      }),
      success: s.answers(200, 'The entries.', 'bytes', ['content-disposition']),
      handle: (request) => exported(ports, request),
    },
    {
      name: 'getLog',
      at: 'GET /logs/{log_id}',
      summary: 'Get a log entry with its steps',
      success: s.answers(200, 'The entry.', DETAIL),
      errors: ['log_entry_unknown'],
      handle: (request) => get(ports, request),
    },
  ])
}

const list: Handler<LogRoutePorts> = async (ports, { principal, query }) => {
  const { cursors, logs, store, clock } = ports
  const filter = filterIn(query)
  const limit = limitIn(query['limit'])
  const place = async (name: 'cursor' | 'after'): Promise<string | undefined> => {
    const text = query[name]
    if (text === undefined) return undefined
    return await cursors.open(principal, text, `${PURPOSE} ${name}`, `/${name}`)
  }
  const [beforeId, afterId] = [await place('cursor'), await place('after')]
  if (beforeId !== undefined && afterId !== undefined)
    throw problemError('request_malformed', {
      pointer: '/after',
      code: 'exclusive',
      detail: 'cursor and after exclude each other: one goes back, the other forward',
    })
  const kept = { days: logs.days, contents: logs.keepsContent }
  await logs.flush()
  // What other processes are writing just now comes with the next question.
  const settled = firstLogId(clock.now() - (store.isShared ? SETTLED_MS : -1))
  const sealTail = (id: string): Promise<string> =>
    cursors.seal(principal, id, `${PURPOSE} after`, { lifeMs: null })
  if (afterId !== undefined) {
    const found = await searchLogs(ports, principal, filter, { afterId, beforeId: settled, limit })
    const end = found.more ?? (afterId > settled ? afterId : settled)
    const tail = await sealTail(end)
    return json(200, {
      data: found.rows.map(entryOf),
      meta: {
        has_more: found.more !== null,
        next_cursor: tail,
        tail_cursor: tail,
        searched_to: null,
        kept,
      },
    })
  }
  const found = await searchLogs(ports, principal, filter, {
    ...(beforeId !== undefined && { beforeId }),
    limit,
  })
  const { more } = found
  return json(200, {
    data: found.rows.map(entryOf),
    meta: {
      has_more: more !== null,
      next_cursor: more && (await cursors.seal(principal, more, `${PURPOSE} cursor`)),
      tail_cursor: await sealTail(settled),
      searched_to: more !== null && found.rows.length < limit ? timeText(timeOfLogId(more)) : null,
      kept,
    },
  })
}

const get: Handler<LogRoutePorts> = async (ports, { principal, path }) => {
  const { store, logs, vault } = ports
  const logId = path['log_id'] ?? ''
  await logs.flush()
  const row = isUuid(logId) ? await store.logs.find(ownerOf(principal), logId) : null
  if (row === null || !maySee(principal, row))
    throw new ConnectorError(
      'log_entry_unknown',
      `there is no such log entry, or it was removed: entries are kept for ${logs.days} days`,
    )
  const { instanceId } = row
  const sealed =
    instanceId === null || !mayRead(principal) ? null : await store.logs.content(instanceId, logId)
  const said =
    sealed === null || instanceId === null
      ? null
      : await openContent(vault, { instanceId, logId, sealed })
  const isOfUser = principal.externalUserId !== undefined
  const asker =
    row.clientId === null || isOfUser ? null : await store.applications.byClientId(row.clientId)
  const isOwn = asker?.organizationId === principal.organizationId
  return json(200, detailOf(row, said, isOwn ? asker.name : null))
}

const summarize: Handler<LogRoutePorts> = async (ports, { principal, query }) => {
  const toMs = query['to'] === undefined ? ports.clock.now() + 1 : Date.parse(query['to'])
  const fromMs = query['from'] === undefined ? toMs - DAY_MS : Date.parse(query['from'])
  if (fromMs >= toMs)
    throw problemError('request_malformed', {
      pointer: '/from',
      code: 'range',
      detail: 'must be before the end, which is "to", or now',
    })
  await ports.logs.flush()
  const bucketMs = bucketFor(
    toMs - fromMs,
    query['buckets'] === undefined ? {} : { buckets: Number(query['buckets']), fine: true },
  )
  const span = { fromMs: fromMs - (fromMs % bucketMs), toMs, bucketMs }
  return json(200, await countLogs(ports, principal, filterIn(query), span))
}

const exported: Handler<LogRoutePorts> = async (ports, { principal, query }) => {
  await ports.logs.flush()
  // The schema of the route lets nothing else pass.
  const form = (query['form'] ?? 'ndjson') as RowForm
  const filter = filterIn(query)
  async function* pages(): AsyncGenerator<readonly JsonObject[]> {
    let beforeId: string | undefined
    for (let count = 0; count < MAX_EXPORTED;) {
      const place = { limit: EXPORTED_AT_ONCE, ...(beforeId !== undefined && { beforeId }) }
      const { rows, more } = await searchLogs(ports, principal, filter, place)
      yield rows.map(entryOf)
      count += rows.length
      if (more === null) return
      beforeId = more
    }
  }
  const columns = [...Object.keys(ENTRY_MEMBERS), 'detail']
  return fileReply('tenon-logs', form, rowsAsText(form, columns, pages()))
}

/** Parameters and answers: for applications, and for people who may run operations themselves. */
function mayRead({ kind, person }: Principal): boolean {
  return kind === 'application' && (person === undefined || mayCall(person.role, 'execute'))
}

/** Members of a filter by the names of the query, where they are texts. */
const TEXTS = {
  kind: 'kind',
  connector_id: 'instanceId',
  external_user_id: 'externalUserId',
  connector_type: 'connectorType',
  entity: 'entity',
  action: 'action',
  code: 'code',
  request_id: 'requestId',
} as const satisfies Readonly<Record<string, keyof LogFilter>>

function filterIn(query: ServiceRequest['query']): LogFilter {
  const { status, upstream_status: upstream, from, to, min_ms: minMs } = query
  const words = logWordsIn(query['text'] ?? '')
  const texts = Object.entries(TEXTS).flatMap(([name, member]) =>
    query[name] === undefined ? [] : [[member, query[name]]],
  )
  return {
    // The schema of the route has checked the kind.
    ...(Object.fromEntries(texts) as LogFilter),
    ...(words.length > 0 && { words }),
    ...(status !== undefined && { failed: status === 'failed' }),
    ...(upstream !== undefined && { upstreamStatus: Number(upstream) }),
    ...(from !== undefined && { fromMs: Date.parse(from) }),
    ...(to !== undefined && { toMs: Date.parse(to) }),
    // Nothing takes longer than a database counts.
    ...(minMs !== undefined && { minUs: Math.min(Number(minMs) * 1000, Number.MAX_SAFE_INTEGER) }),
  }
}
