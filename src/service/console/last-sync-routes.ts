// /last-syncs: how far the copies of many instances are, a line for each, as the list of instances shows it; and
// /failing-syncs: those that fail, by instance and by cause.
import { HELD_BACK } from '../../copy/sync/run-record.ts'
import type { SyncState } from '../../copy/sync/status.ts'
import { type Ill, illInTwoWays, illTogether, type InTwoWays } from '../../display/ill-together.ts'
import { nextSentMs } from '../../display/sync-times.ts'
import {
  firstCause,
  groupedFailures,
  presentFailure,
  type PresentFailure,
} from '../../display/sync-failures.ts'
import { isConnectorError, isNodeAway } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { timeOrNull, timeText } from '../store/instance-view.ts'
import type { Rows } from '../instances/rows.ts'
import { type Handler, json, type Route, routes } from '../route.ts'
import * as s from '../routes/schemas.ts'
import { type InstanceRow, STANDING_STILL } from '../store/instances.ts'
import type { Store } from '../store/store.ts'
import type { SyncFailureRow } from '../store/sync-failures.ts'
import type { EntityReport, Syncs } from '../sync/syncs.ts'
import { isLate } from '../sync/lateness.ts'
import { showFailure } from '../sync/shown-failure.ts'
import { ownerOf } from '../tokens/principal.ts'

export interface LastSyncPorts {
  readonly rows: Rows
  readonly syncs: Pick<Syncs, 'status' | 'waitingBelow'>
  readonly store: Pick<Store, 'instances' | 'syncFailures'>
}

/** As many as one page of the list has at most. */
const MAX_IDS = 200
const UUID_LENGTH = 36

/** Why there is no line for one instance, while there is one for each of the others. */
const UNTOLD = ['instance_unknown', 'connector_version_unavailable', 'connector_unknown'] as const

/** What somebody who looks at a list has to know first. */
const WORST_FIRST: readonly SyncState[] = [
  'suspicious',
  'error',
  'waiting',
  'initial',
  'ready',
  'paused',
]

const LAST_SYNC = s.open({
  connector_id: { type: 'string' },
  account_state: { ...s.STATE, description: 'That of the instance when its copies were read.' },
  state: {
    enum: [...WORST_FIRST, null],
    description: 'The worst of its entities; null: it has none.',
  },
  running: { type: 'boolean' },
  last_synced_at: { type: ['string', 'null'] },
  copies: { type: 'integer', description: 'That are or were kept.' },
  paused: {
    type: 'integer',
    description: 'Of these, so many are paused by somebody; 0 where the instance stands still.',
  },
  failing: {
    type: 'array',
    description: 'Copies that fail; what is paused is not among them.',
    items: s.open({
      entity: { type: 'string' },
      code: { type: 'string', description: 'What it fails with now.' },
      last_synced_at: {
        ...s.TIME_OR_NULL,
        description: 'As of when it was last read well; null: it never was.',
      },
      next_attempt_at: {
        ...s.TIME_OR_NULL,
        description:
          'When it is tried again, and something is sent for it; null: it is being tried.',
      },
    }),
  },
  limited: {
    type: 'array',
    description:
      'Copies that neither fail nor wait for one that does, and for which nothing is sent before that moment, as the third party limits how often it is asked.',
    items: s.open({ entity: { type: 'string' }, until: s.TIME }),
  },
  furthest_behind: {
    ...s.orNull(
      s.open({
        entity: { type: 'string' },
        synced_at: s.TIME_OR_NULL,
        late: {
          type: 'boolean',
          description:
            'It fails, waits for one that fails, or was to be read more than one interval ago.',
        },
        interval_seconds: { type: 'integer', description: 'Between two runs of it.' },
      }),
    ),
    description:
      'The oldest of the copies that are late, else of all; one that was never read as a whole is older than any. null: none is kept up.',
  },
})

const WAITING = {
  type: 'array',
  description: 'Entities that are read below one of these, and wait for it.',
  items: { type: 'string' },
} as const

const COPIES = {
  type: 'array',
  description: 'The oldest failure first.',
  items: s.open({
    entity: { type: 'string' },
    ...s.each(['code', 'detail'], { type: 'string', description: 'What it fails with now.' }),
    since: s.TIME,
    held: {
      type: 'boolean',
      description: 'Nothing was sent for it: another call has failed with that.',
    },
    failures: { type: 'integer' },
    failed_at: s.TIME,
  }),
} as const

/** An account that is told, with what fails of it. */
const TOLD_ACCOUNT = {
  ...s.each(['connector_id', 'connector_type', 'name'], { type: 'string' }),
  created_at: s.TIME,
  copies: COPIES,
  waiting: WAITING,
} as const

const FAILING = s.open({
  ...TOLD_ACCOUNT,
  external_user_id: { type: 'string' },
  state: s.STATE,
})

const CAUSE = s.open({
  ...s.each(['connector_type', 'code'], { type: 'string' }),
  accounts: {
    type: 'integer',
    description:
      'Of which it is the oldest failure of a call of its own, or what all are held back for.',
  },
  users: { type: 'integer', description: 'Of so many users.' },
  last_at: { ...s.TIME, description: 'When one of them failed last.' },
  first: {
    type: 'array',
    description: 'Those that have failed longest, at most 5.',
    items: s.open(TOLD_ACCOUNT),
  },
})

const OF_USER = s.open({
  external_user_id: { type: 'string' },
  accounts: { type: 'integer' },
  last_at: { ...s.TIME, description: 'When one of them failed last.' },
  first: {
    type: 'array',
    description: 'Those that have failed longest, at most 5.',
    items: s.open(TOLD_ACCOUNT),
  },
})

const IN_TWO_WAYS = s.open({
  external_user_id: { type: ['string', 'null'], description: 'null: of one connector.' },
  connector_type: { type: ['string', 'null'], description: 'null: of one user.' },
  failing: { type: 'integer' },
  needs_reauthentication: { type: 'integer' },
  first: {
    type: 'array',
    description: 'At most 5, of both.',
    items: s.open({
      ...s.each(['connector_id', 'connector_type', 'name'], { type: 'string' }),
      state: s.STATE,
    }),
  },
})

export function lastSyncRoutes(ports: LastSyncPorts): readonly Route[] {
  return routes('application', [
    {
      name: 'consoleLastSyncs',
      at: 'GET /last-syncs',
      summary: 'When instances were synchronized last, and the worst state of their copies',
      query: s.closed(
        {
          connector_ids: {
            type: 'string',
            maxLength: MAX_IDS * (UUID_LENGTH + 1),
            description: 'Ids with commas between.',
          },
        },
        ['connector_ids'],
      ),
      success: s.answersWith(200, 'One per instance that is there.', { data: s.listOf(LAST_SYNC) }),
      handle: (request) => lastSyncs(ports, request),
    },
    {
      name: 'consoleFailingSyncs',
      at: 'GET /failing-syncs',
      summary: 'Which copies fail, by instance and by cause',
      success: s.answersWith(
        200,
        'The instances whose copies began to fail last, at most 20, and 5 with one cause.',
        {
          data: s.listOf(FAILING),
          causes: { ...s.listOf(CAUSE), description: 'Of most accounts first.' },
          users: {
            ...s.listOf(OF_USER),
            description:
              'Users of whom several accounts fail, at most 20, of most accounts first; without those that fail as those of other users do.',
          },
          in_two_ways: {
            ...s.listOf(IN_TWO_WAYS),
            description:
              'Users and connectors of whom some accounts fail and others need re-authentication, users first, at most 20.',
          },
          whole: {
            type: 'boolean',
            description: 'false: not all that fail or need re-authentication were looked at.',
          },
          counted: {
            type: 'integer',
            description: 'Instances that were looked at, those that changed last, at most 200.',
          },
        },
      ),
      handle: (request) => failingSyncs(ports, request),
    },
  ])
}

const lastSyncs: Handler<LastSyncPorts> = async ({ rows, syncs }, { principal, query }) => {
  const ids = (query['connector_ids'] ?? '').split(',').filter((id) => id !== '')
  const found = await Promise.all(
    ids.map(async (id) => {
      try {
        const row = await rows.get(principal, id)
        return summary(row, await syncs.status(row))
      } catch (error) {
        // Deleted since the list was made, of a connector that is not loaded here, or on a node of the database that is away.
        if (UNTOLD.some((code) => isConnectorError(error, code)) || isNodeAway(error)) return null
        throw error
      }
    }),
  )
  return json(200, { data: found.filter((each) => each !== null) })
}

/** Instances that are looked at for the ones that began to fail last, and how many are told: in all, and with one cause. */
const LOOKED_AT = 200
const TOLD = 20
const TOLD_ALIKE = 5
/** Instances that a cause is told with. */
const NAMED = 5

const failingSyncs: Handler<LastSyncPorts> = async ({ store, syncs }, { principal }) => {
  const waitingOf = ({ row, copies }: Failing): readonly string[] => {
    try {
      return syncs.waitingBelow(row, new Set(copies.map(({ entity }) => entity)))
    } catch (error) {
      // Of a connector that is not loaded here it is only known what fails.
      if (UNTOLD.some((code) => isConnectorError(error, code))) return []
      throw error
    }
  }
  const owner = ownerOf(principal)
  const latest = {
    order: { by: 'updatedAt', isDescending: true },
    limit: LOOKED_AT,
  } as const
  const [{ rows }, refused] = await Promise.all([
    store.instances.list(owner, { sync: 'failing', ...latest }),
    store.instances.list(owner, { state: 'auth_error', ...latest }),
  ])
  const failures = await store.syncFailures.of(rows.map(({ id }) => id))
  const byInstance = Map.groupBy(failures, ({ instanceId }) => instanceId)
  const failing = rows
    .flatMap((row): readonly Failing[] => {
      const copies = byInstance.get(row.id) ?? []
      const first = firstOf(copies)
      return first === null ? [] : [{ row, copies, first }]
    })
    .toSorted((a, b) => b.first.since - a.first.since)
  const alike = [...Map.groupBy(failing, causeOf).values()]
  const told = new Set(alike.flatMap((each) => each.slice(0, TOLD_ALIKE)))
  return json(200, {
    data: failing
      .filter((each) => told.has(each))
      .slice(0, TOLD)
      .map((each) => ({
        ...shownAccount(each, waitingOf),
        external_user_id: each.row.externalUserId,
        state: each.row.state,
      })),
    causes: alike
      .flatMap((those) => shownCause(those, waitingOf))
      .toSorted((a, b) => b.accounts - a.accounts),
    users: illTogether(failing, illOf)
      .flatMap((each) =>
        each.kind === 'user' ? [shownUser(each.user, each.those, waitingOf)] : [],
      )
      .slice(0, TOLD),
    in_two_ways: illInTwoWays(
      failing.map(({ row }) => row),
      refused.rows,
      ({ externalUserId: user, connectorType: type }) => ({ user, type }),
    )
      .slice(0, TOLD)
      .map(shownInTwoWays),
    whole: rows.length < LOOKED_AT && refused.rows.length < LOOKED_AT,
    counted: rows.length,
  })
}

/** An instance with its copies that fail, the oldest failure first. */
interface Failing {
  readonly row: InstanceRow
  readonly copies: readonly SyncFailureRow[]
  /** What is told of it where it has one line. */
  readonly first: Pick<SyncFailureRow, 'since' | 'code'>
}

/** Null: none fails. */
function firstOf(copies: readonly SyncFailureRow[]): Failing['first'] | null {
  const group = firstCause(groupedFailures(copies, presentOf))
  if (group === undefined) return null
  return { since: Date.parse(group.since), code: group.cause.code }
}

function presentOf({ code, detail, since }: SyncFailureRow): PresentFailure {
  const isHeld = detail.startsWith(HELD_BACK)
  const words = isHeld ? detail.slice(HELD_BACK.length) : detail
  return { code, detail: words, since: timeText(since), suspendedUntil: null, isHeld }
}

function causeOf({ row, first }: Failing): string {
  return `${row.connectorType} ${first.code}`
}

function illOf({ row, first }: Failing): Ill {
  return { user: row.externalUserId, type: row.connectorType, code: first.code }
}

/** `those`: the last to begin first. */
function shownUser(
  user: string,
  those: readonly Failing[],
  waitingOf: (each: Failing) => readonly string[],
): JsonObject {
  return {
    external_user_id: user,
    accounts: those.length,
    last_at: timeText(lastOf(those)),
    first: firstFew(those).map((each) => shownAccount(each, waitingOf)),
  }
}

/** Those that have failed longest. */
function firstFew(those: readonly Failing[]): readonly Failing[] {
  return those.slice(-NAMED).toReversed()
}

function shownInTwoWays({ kind, name, failing, refused }: InTwoWays<InstanceRow>): JsonObject {
  // A few of each: neither kind hides the other.
  const few = failing.slice(0, Math.max(NAMED - refused.length, Math.ceil(NAMED / 2)))
  return {
    external_user_id: kind === 'user' ? name : null,
    connector_type: kind === 'vendor' ? name : null,
    failing: failing.length,
    needs_reauthentication: refused.length,
    first: [...few, ...refused].slice(0, NAMED).map((row) => ({
      connector_id: row.id,
      connector_type: row.connectorType,
      name: row.name,
      state: row.state,
    })),
  }
}

function lastOf(those: readonly Failing[]): number {
  return Math.max(...those.flatMap(({ copies }) => copies.map(({ failedAt }) => failedAt)))
}

function shownAccount(each: Failing, waitingOf: (each: Failing) => readonly string[]): JsonObject {
  const { row, copies } = each
  return {
    connector_id: row.id,
    connector_type: row.connectorType,
    name: row.name,
    created_at: timeText(row.createdAt),
    copies: copies.map((copy) => {
      const { code, detail, since, isHeld: held } = presentOf(copy)
      const { entity, failures, failedAt } = copy
      return { entity, code, detail, since, held, failures, failed_at: timeText(failedAt) }
    }),
    waiting: waitingOf(each),
  }
}

function shownCause(
  those: readonly Failing[],
  waitingOf: (each: Failing) => readonly string[],
): readonly (JsonObject & { accounts: number })[] {
  const first = firstFew(those)
  const [oldest] = first
  if (oldest === undefined) return []
  return [
    {
      connector_type: oldest.row.connectorType,
      code: oldest.first.code,
      accounts: those.length,
      users: new Set(those.map(({ row }) => row.externalUserId)).size,
      last_at: timeText(lastOf(those)),
      first: first.map((each) => shownAccount(each, waitingOf)),
    },
  ]
}

function summary(
  { id, state: account }: InstanceRow,
  entities: readonly EntityReport[],
): JsonObject {
  const times = entities.flatMap(({ syncedAtMs }) => (syncedAtMs === null ? [] : [syncedAtMs]))
  return {
    connector_id: id,
    account_state: account,
    state: WORST_FIRST.find((state) => entities.some((each) => each.state === state)) ?? null,
    // A run that waits to be tried again, or for somebody, is not under way.
    running: entities.some(
      ({ run, nextRunAtMs, state }) => run !== null && nextRunAtMs === null && state !== 'paused',
    ),
    last_synced_at: times.length === 0 ? null : timeText(Math.max(...times)),
    copies: entities.length,
    paused: STANDING_STILL.includes(account)
      ? 0
      : entities.filter(({ state }) => state === 'paused').length,
    failing: entities.flatMap(failingCopy),
    limited: entities.flatMap(({ entity, state, failures, limitedUntilMs: until }) =>
      until === null || failures > 0 || state === 'waiting'
        ? []
        : [{ entity, until: timeText(until) }],
    ),
    furthest_behind: furthestBehind(entities),
  }
}

/** What is due while nothing is sent is tried when that is over. */
function failingCopy(report: EntityReport): readonly JsonObject[] {
  const { entity, failures, state, nextRunAtMs, nowMs, firstError: first, lastError: last } = report
  if (state === 'paused') return []
  const present = presentFailure({
    entity,
    failures,
    first_error: first === null ? null : showFailure(first),
    last_error: last === null ? null : showFailure(last),
  })
  if (present === null) return []
  const until = last?.suspendedUntilMs ?? 0
  const next = nextRunAtMs === null ? null : nextSentMs(nowMs, nextRunAtMs, until)
  return [
    {
      entity,
      code: present.code,
      last_synced_at: timeOrNull(report.syncedAtMs),
      next_attempt_at: timeOrNull(next),
    },
  ]
}

function furthestBehind(entities: readonly EntityReport[]): JsonObject | null {
  const kept = entities.filter(({ state }) => state !== 'paused')
  const late = kept.filter(isLate)
  const those = late.length === 0 ? kept : late
  const [oldest] = those.toSorted((a, b) => (a.syncedAtMs ?? 0) - (b.syncedAtMs ?? 0))
  return oldest === undefined
    ? null
    : {
        entity: oldest.entity,
        synced_at: timeOrNull(oldest.syncedAtMs),
        late: late.length > 0,
        interval_seconds: Math.round(oldest.setting.intervalMs / 1000),
      }
}
