// The synchronized copies of one instance: how they are, and runs on demand.
import { SEARCH } from '../../language/manifest/actions.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { JsonSchema } from '../../language/manifest/manifest.ts'
import { timeOrNull, timeText } from '../store/instance-view.ts'
import type { LeftOut, RunRecord, SyncFailure } from '../../copy/sync/run-record.ts'
import { bodyText } from '../body-text.ts'
import type { RunProgress, WaitsFor } from '../../copy/sync/status.ts'
import type { Rows } from '../instances/rows.ts'
import { type Handler, instanceIdIn, json, type Route, routes } from '../route.ts'
import { isLate } from '../sync/lateness.ts'
import { showFailure } from '../sync/shown-failure.ts'
import { type EntityReport, isOver, type Syncs } from '../sync/syncs.ts'
import { auditOf } from '../audit.ts'
import type { Store } from '../store/store.ts'
import { mayRun, requireAction, requireWhole } from '../tokens/principal.ts'
import { ONE } from './instance-routes.ts'
import * as s from './schemas.ts'

export interface SyncRoutePorts {
  readonly rows: Rows
  readonly syncs: Syncs
  readonly store: Pick<Store, 'audit'>
}

const COUNT = { type: 'integer', minimum: 0 } as const

const WORDS = s.each(['code', 'detail'], { type: 'string' })
const ERROR = s.open({
  ...WORDS,
  at: s.TIME,
  suspended_until: {
    ...s.TIME_OR_NULL,
    description: 'Until when nothing is sent, because of failures before.',
  },
  cause: {
    ...s.orNull(s.open(WORDS)),
    description: 'The failure that it only follows from.',
  },
})
const BOUND = {
  bound: {
    type: ['string', 'null'],
    enum: ['pages', 'records', 'bytes', 'pages_without_new', null],
  },
  limit: { type: ['integer', 'null'] },
}
const LEFT_OUT = s.orNull(
  s.open({
    records: COUNT,
    reasons: {
      type: 'object',
      description: 'How many, by reason.',
      additionalProperties: COUNT,
    },
    examples: {
      type: 'array',
      description: 'Where the first ones are; page is null for one that was asked for alone.',
      items: s.open({
        page: { type: ['integer', 'null'] },
        index: COUNT,
        ...s.each(['path', 'reason'], { type: 'string' }),
      }),
    },
  }),
)
const RUN = {
  ...s.each(['run_id', 'kind'], { type: 'string' }),
  started_at: s.TIME,
  ...s.each(['pages', 'read', 'changed', 'unchanged', 'removed'], COUNT),
  left_out: LEFT_OUT,
} as const satisfies Record<string, JsonSchema>

const STATUS_MEMBERS: Readonly<Record<string, JsonSchema>> = {
  entity: { type: 'string' },
  state: {
    enum: ['initial', 'ready', 'error', 'waiting', 'suspicious', 'paused'],
    description:
      'waiting: it is read below another entity that fails or is paused, so that it is not known to be up to date. paused: it stands still, because somebody paused it or the account is not synchronized.',
  },
  enabled: {
    type: 'boolean',
    description: 'Whether nobody has paused it, by the settings of the entity or of the account.',
  },
  waits_for: {
    ...s.orNull(
      s.open({
        entity: { type: 'string' },
        state: { enum: ['error', 'paused'] },
        since: {
          ...s.TIME_OR_NULL,
          description: 'Since when that entity has been failing; null: it is paused.',
        },
        code: { type: ['string', 'null'] },
      }),
    ),
    description:
      'The entity above it that keeps it from being brought up to date; null: none does.',
  },
  complete: { type: 'boolean' },
  gaps: {
    type: 'array',
    description: 'Why a copy that was read as a whole is not known to have everything.',
    items: { type: 'string' },
  },
  records: COUNT,
  last_synced_at: s.TIME_OR_NULL,
  lag_seconds: { type: ['integer', 'null'] },
  next_run_at: {
    ...s.TIME_OR_NULL,
    description:
      'Of a copy that waits for another entity: when that one is tried again. Of one that was never read and is read below another entity: when that one is read. null: it is under way, or follows what is under way, or nothing is planned.',
  },
  late: {
    type: 'boolean',
    description:
      'It fails, waits for one that fails, or was to be read more than one interval ago and is not being read; false: of a copy that stands still, too.',
  },
  limited_until: {
    ...s.TIME_OR_NULL,
    description:
      'Until when nothing is sent for it, because the third party limits how often it is asked (Retry-After of a 429, or what a rate leaves to syncs). null: something is.',
  },
  interval_seconds: { ...COUNT, description: 'Between two runs, plus or minus a tenth.' },
  interval_from: {
    enum: ['entity', 'account', 'connector', 'service'],
    description:
      'Where the interval comes from: the settings of the entity, those of the account, the connector, or the service.',
  },
  proposed_interval_seconds: {
    ...COUNT,
    description: 'What the connector proposes, else the service: what holds where nothing is set.',
  },
  reads: {
    enum: ['changes', 'everything', 'below_parents', 'below_changed'],
    description:
      'What these runs read: changes, everything, or what is below the records of another entity, all of them or those that changed.',
  },
  full_interval_seconds: {
    type: ['integer', 'null'],
    description:
      'How often everything is read, where the others read changes; null: never for the time alone.',
  },
  keys_interval_seconds: {
    type: ['integer', 'null'],
    description: 'How often all keys are read, to find what is gone; null: they are not.',
  },
  parent: { type: ['string', 'null'], description: 'The entity below whose records it is read.' },
  missing: { type: ['integer', 'null'] },
  reason: { type: ['string', 'null'], enum: ['missing_records', 'unsaid_end', 'bound_met', null] },
  ...BOUND,
  left_out: LEFT_OUT,
  run: s.orNull(
    s.open({
      ...RUN,
      phase: { type: 'string' },
      ...s.each(['slices_done', 'waited_ms'], COUNT),
      ...s.each(['slices', 'expected_total'], { type: ['integer', 'null'] }),
      ...s.each(['percent', 'rows_per_second', 'eta_seconds'], { type: ['number', 'null'] }),
      estimated_percent: {
        type: ['number', 'null'],
        description:
          'Where the third party counts nothing: how far it is if there are as many records as in the copy now.',
      },
      resumed: { type: 'boolean' },
      attempt: { ...COUNT, description: 'The turn that works on it, or will next, from 1.' },
    }),
  ),
  last_error: s.orNull(ERROR),
  first_error: {
    ...s.orNull(ERROR),
    description:
      'The error with which the ongoing failures began; never one that merely follows from another failure, where known.',
  },
  failures: { ...COUNT, description: 'In a row.' },
}

const STATUS = s.open(
  {
    ...STATUS_MEMBERS,
    runs: {
      type: 'array',
      description:
        'The last runs that ended and, of those that go on, the turns that failed, where they are asked for.',
      items: s.open({
        ...RUN,
        finished_at: s.TIME_OR_NULL,
        ...BOUND,
        error: s.orNull(ERROR),
        attempt: {
          type: ['integer', 'null'],
          description: 'The turn of the run that ended then, from 1; null: not known.',
        },
        goes_on: {
          type: 'boolean',
          description:
            'That turn failed, and the next one goes on with the run. Counts are of the turn.',
        },
      }),
    },
  },
  Object.keys(STATUS_MEMBERS),
)

const STARTED = s.open({
  entity: { type: 'string' },
  run_id: { type: ['string', 'null'] },
  state: { enum: ['queued', 'running', 'done', 'failed'] },
})

export function syncRoutes(ports: SyncRoutePorts): readonly Route[] {
  return routes('any', [
    {
      name: 'getSync',
      at: `GET ${ONE}/sync`,
      queryExample: { entity: 'calls', history: 'true' },
      summary: 'Get the sync status of an instance',
      query: s.closed({
        entity: s.TEXT,
        history: { ...s.YES_NO, description: 'true: include the last runs of each entity.' },
      }),
      success: s.answersWith(200, 'One element per synchronized entity.', {
        data: s.listOf(STATUS),
      }),
      errors: ['instance_unknown'],
      handle: (request) => show(ports, request),
    },
    {
      name: 'startSync',
      at: `POST ${ONE}/sync`,
      manage: true,
      summary: 'Start a sync; if one is running, another follows it',
      body: s.optionalBody({
        entities: { type: 'array', items: s.TEXT, minItems: 1, maxItems: 100 },
        mode: { enum: ['incremental', 'full'] },
      }),
      headers: ['prefer'],
      success: [
        ...s.answersWith(202, 'The runs have been queued.', {
          data: s.listOf(STARTED),
        }),
        ...s.answersWith(200, 'With Prefer: wait, once the runs have ended.', {
          data: s.listOf(STARTED),
        }),
      ],
      errors: ['instance_unknown', 'instance_disabled', 'reauthorization_required', 'scope_denied'],
      example: { entities: ['calls'], mode: 'incremental' },
      handle: (request) => start(ports, request),
    },
    {
      name: 'confirmSync',
      at: `POST ${ONE}/sync/confirm`,
      manage: true,
      summary: 'Confirm a suspicious listing, so that missing records are removed',
      body: s.requiredBody(['entity'], { entity: s.TEXT }),
      success: s.answersWith(200, 'Whether there was something to confirm.', {
        entity: { type: 'string' },
        confirmed: { type: 'boolean' },
        missing: {
          type: ['integer', 'null'],
          description: 'Records that go when the next complete listing lacks them as well.',
        },
      }),
      errors: ['instance_unknown', 'scope_denied'],
      example: { entity: 'calls' },
      handle: (request) => confirm(ports, request),
    },
    {
      name: 'undoSync',
      at: `POST ${ONE}/sync/undo`,
      manage: true,
      summary: 'Restore the records that a run removed, within 7 days',
      body: s.requiredBody(['run_id'], { run_id: s.TEXT }),
      success: s.answersWith(200, 'How many records were restored.', {
        run_id: { type: 'string' },
        restored: COUNT,
      }),
      errors: ['instance_unknown', 'scope_denied'],
      example: { run_id: '0199f3b7-0c5e-7a31-9a57-2f4f5d1f9a10' },
      handle: (request) => undo(ports, request),
    },
  ])
}

const show: Handler<SyncRoutePorts> = async ({ rows, syncs }, request) => {
  const { principal, query } = request
  const row = await rows.get(principal, instanceIdIn(request))
  const { entity: only, history } = query
  const known = (await syncs.status(row, only)).filter(({ entity }) =>
    mayRun(principal, entity, SEARCH),
  )
  const data: JsonObject[] = []
  for (const status of known) {
    const shown = showStatus(status)
    if (history !== 'true') data.push(shown)
    else {
      const runs = await syncs.history(row, status.entity)
      data.push({ ...shown, runs: runs.map(showRecord) })
    }
  }
  return json(200, { data })
}

const start: Handler<SyncRoutePorts> = async ({ rows, syncs, store }, request) => {
  const { principal, body, signal, timeoutMs, requestId } = request
  const row = await rows.get(principal, instanceIdIn(request))
  const { entities, mode } = body
  // Both were checked by the route's schema.
  const wanted = entities as readonly string[] | undefined
  for (const entity of wanted ?? []) requireAction(principal, entity, SEARCH)
  const isWaiting = /\bwait\b/i.test(request.header('prefer') ?? '')
  const triggered = await syncs.trigger(row, {
    entities: wanted ?? null,
    isMeant: (entity) => mayRun(principal, entity, SEARCH),
    ...(mode === 'full' || mode === 'incremental' ? { mode } : {}),
    waitMs: isWaiting ? timeoutMs : 0,
    signal,
    queued: async () => {
      const members = [...(mode === 'full' ? ['full'] : []), ...(wanted ?? [])]
      const about = { instanceId: row.id, target: row.id, members }
      await store.audit.append(auditOf(principal, requestId, 'sync.start', about))
    },
  })
  return json(isWaiting && triggered.every(isOver) ? 200 : 202, {
    data: triggered.map(({ entity, runId, state }) => ({ entity, run_id: runId, state })),
  })
}

const confirm: Handler<SyncRoutePorts> = async (ports, request) => {
  const { principal, body, requestId } = request
  const { rows, syncs, store } = ports
  const row = await rows.get(principal, instanceIdIn(request))
  const entity = bodyText(body, 'entity')
  requireAction(principal, entity, SEARCH)
  const missing = await syncs.confirm(row, entity)
  if (missing !== null)
    await store.audit.append(
      auditOf(principal, requestId, 'sync.confirm', { instanceId: row.id, target: entity }),
    )
  return json(200, { entity, confirmed: missing !== null, missing })
}

const undo: Handler<SyncRoutePorts> = async (ports, request) => {
  const { principal, body, requestId } = request
  const { rows, syncs, store } = ports
  const row = await rows.get(principal, instanceIdIn(request))
  // Records of every entity may have gone with one run.
  requireWhole(principal)
  const runId = bodyText(body, 'run_id')
  const restored = await syncs.undo(row, runId)
  if (restored > 0)
    await store.audit.append(
      auditOf(principal, requestId, 'sync.undo_deletes', { instanceId: row.id, target: runId }),
    )
  return json(200, { run_id: runId, restored })
}

function showStatus(status: EntityReport): JsonObject {
  const { entity, state, complete, gaps, records, syncedAtMs, nextRunAtMs } = status
  const { missing, reason, bound } = status
  return {
    entity,
    state,
    enabled: status.setting.isEnabled,
    waits_for: showWaitsFor(status.waitsFor),
    complete,
    gaps,
    records,
    last_synced_at: timeOrNull(syncedAtMs),
    lag_seconds:
      syncedAtMs === null ? null : Math.max(0, Math.floor((status.nowMs - syncedAtMs) / 1000)),
    next_run_at: timeOrNull(nextRunAtMs),
    late: state !== 'paused' && isLate(status),
    limited_until: timeOrNull(status.limitedUntilMs),
    interval_seconds: Math.round(status.setting.intervalMs / 1000),
    interval_from: status.setting.intervalFrom,
    proposed_interval_seconds: Math.round(status.setting.proposedMs / 1000),
    reads: status.reading.what,
    full_interval_seconds: secondsOrNull(status.reading.fullMs),
    keys_interval_seconds: secondsOrNull(status.reading.keysMs),
    parent: status.reading.parent,
    missing,
    reason,
    ...showBound(bound),
    left_out: showLeftOut(status.leftOut),
    run: status.run === null ? null : showProgress(status.run),
    last_error: showError(status.lastError),
    first_error: showError(status.firstError),
    failures: status.failures,
  }
}

function showWaitsFor(waitsFor: WaitsFor | null): JsonObject | null {
  if (waitsFor === null) return null
  const { entity, state, error } = waitsFor
  return { entity, state, since: timeOrNull(error?.atMs ?? null), code: error?.code ?? null }
}

function secondsOrNull(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms / 1000)
}

function showBound(bound: RunRecord['bound'] | null): JsonObject {
  return { bound: bound?.name ?? null, limit: bound?.limit ?? null }
}

function showRun({ runId, kind, startedAtMs, ...counts }: RunProgress | RunRecord): JsonObject {
  const { pages, read, changed, unchanged, removed, leftOut } = counts
  const started_at = timeText(startedAtMs)
  const left_out = showLeftOut(leftOut ?? null)
  return { run_id: runId, kind, started_at, pages, read, changed, unchanged, removed, left_out }
}

function showLeftOut(leftOut: LeftOut | null): JsonObject | null {
  if (leftOut === null) return null
  const { records, reasons, examples } = leftOut
  return { records, reasons: { ...reasons }, examples: examples.map((each) => ({ ...each })) }
}

function showProgress(run: RunProgress): JsonObject {
  return {
    ...showRun(run),
    phase: run.phase,
    slices_done: run.slicesDone,
    slices: run.slices,
    expected_total: run.expectedTotal,
    percent: run.percent,
    estimated_percent: run.estimatedPercent,
    rows_per_second: run.rowsPerSecond,
    eta_seconds: run.etaSeconds,
    waited_ms: run.waitedMs,
    resumed: run.resumed,
    attempt: (run.failed ?? 0) + 1,
  }
}

function showRecord(run: RunRecord): JsonObject {
  return {
    ...showRun(run),
    finished_at: timeOrNull(run.finishedAtMs),
    ...showBound(run.bound),
    error: showError(run.error),
    attempt: run.attempt ?? null,
    goes_on: run.goesOn ?? false,
  }
}

function showError(error: SyncFailure | null): JsonObject | null {
  return error === null ? null : showFailure(error)
}
