// `tenon sync`: how far copies are, runs on demand, and the operator's word on removals.
import { setTimeout } from 'node:timers/promises'
import type { ConnectorInstance, SyncStatus } from '../client/service-bodies.ts'
import type { ServiceClient } from '../client/service-client.ts'
import { STATES } from '../display/account-states.ts'
import { openCopies } from '../hosting/copies-place.ts'
import type { AuditAction } from '../display/audit-actions.ts'
import { plainLine } from '../display/plain-text.ts'
import { asOf, spanOf } from '../display/relative-time.ts'
import { runInWords } from '../display/run-kinds.ts'
import { type Ill, illOfVendor, illTogether } from '../display/ill-together.ts'
import {
  byBeginning,
  failsSince,
  firstCause,
  presentFailure,
  sharedFailures,
  timesInWords,
  waitedFor,
  wordsOfAll,
} from '../display/sync-failures.ts'
import { gapWords } from '../display/sync-gaps.ts'
import { leftAloneUntil, nextSentAt, waitsForTurn } from '../display/sync-times.ts'
import { whoActs } from '../display/who-acts.ts'
import { isConnectorError } from '../errors.ts'
import type { JsonObject } from '../language/json/json.ts'
import type { SearchIndex } from '../copy/search/search-index.ts'
import { auditOf, COMMAND_LINE } from '../service/audit.ts'
import type { MetBound } from '../copy/sync/bounds.ts'
import { confirmListing, undoRemovals } from '../copy/sync/operator-word.ts'
import { type CommandContext, type Configure, family, jsonLines, wholeNumber } from './command.ts'
import { EXIT, UsageError } from './exit-codes.ts'
import { instancesBeginning } from './instance-ids.ts'
import { type Moments, momentsFor } from './moments.ts'
import { type OpenedStore, workOnStore } from './service-settings.ts'
import { askService } from './running-service.ts'
import { textInPlace } from './progress.ts'
import { tableFor } from './table.ts'
import { type Channel, type Result, type Terminal, writeLines } from './terminal.ts'
import { wholeIdOf, wholeInstanceId } from './whole-ids.ts'
import { wrapText } from './wrap.ts'

export const docs = 'search'
export const notes = `status and run ask a service: TENON_TOKEN, or TENON_CLIENT_ID and TENON_CLIENT_SECRET of an application.
undo-deletes and confirm work on its store, while services run.`

export const examples: readonly string[] = [
  'tenon sync status   # what fails, of all',
  'tenon sync status 0199f3a1-… --watch',
  'tenon sync run 0199f3a1-… issues --full --wait',
  'tenon sync undo-deletes 0199f3a1-… 0199f3b7-…',
  'tenon sync confirm 0199f3a1-… issues',
]

const INSTANCE = { '<instance>': 'id of the connector instance, or a beginning of it' }

const WATCH_EVERY_MS = 1_000

/** Accounts of which it is told at most what fails, where no other limit is given. */
const TOLD = 20

const status = askService({
  arguments: {
    '[instance]':
      'id of the connector instance, or a beginning of it; default: what fails of all, exit code 1 where anything does',
  },
  options: {
    '--watch': 'show it again every second, until nothing runs any more; of one instance',
    '--limit <n>': {
      text: `without an instance: of at most so many, those that changed last first; default: ${TOLD}`,
      parse: wholeNumber,
    },
    ...jsonLines('copy'),
  },
  async run(service, { instance, watch, limit, json }, context) {
    if (instance === undefined) {
      if (watch === true) throw new UsageError('--watch goes with the id of an instance')
      return await allFailing(service, limit ?? TOLD, context.terminal)
    }
    if (limit !== undefined)
      throw new UsageError('--limit goes without an instance: of one all copies are shown')
    const { sync, instances } = service
    const { out, err } = context.terminal
    const id = await wholeInstanceId(instances, instance)
    const ask = async (): Promise<Statuses> => (await sync.status(id)).data
    const isOver = (data: Statuses): boolean =>
      data.every(({ run, state }) => run === null && state !== 'initial')
    const data =
      watch === true ? await watched(ask, { isOver, ...drawing(out, json) }, context) : await ask()
    const moments = momentsFor(err, Date.now())
    err.write(wrapText(standsStill(await instances.get(id), moments), err))
    const note = [
      failingOf(data.filter(isTried), moments),
      waitingOf(data, moments),
      limitedOf(data, moments),
      lateOf(data, moments),
      ...data.map((each) => suspicionOf(id, each) + leftOutOf(each) + gapsOf(each)),
    ].join('')
    return { value: data, shown: data.map(row), note }
  },
})

/** What fails of all accounts, those that changed last first; what is late otherwise, or stands still until its user connects again, is counted. */
async function allFailing(
  { instances, sync }: Pick<ServiceClient, 'instances' | 'sync'>,
  limit: number,
  { out }: Terminal,
): Promise<Result> {
  const [page, behind, refused] = await Promise.all([
    instances.list({ sync: 'failing', sort: '-updated_at', counts: true }),
    instances.list({ sync: 'late', counts: true, limit: 1 }),
    instances.list({ state: 'auth_error', counts: true, limit: 1 }),
  ])
  const accounts = await page.toArray({ limit })
  const found = await Promise.all(
    accounts.map(async (account) => ({ account, ...(await failingCopies(sync, account.id)) })),
  )
  const failing = found.filter(({ data, problem }) => data.length > 0 || problem !== null)
  const moments = momentsFor(out, Date.now())
  const more = (page.meta.total ?? accounts.length) - accounts.length
  const totalOf = async (type: string): Promise<number> => {
    const { meta } = await instances.list({ connector_type: type, counts: true, limit: 1 })
    return meta.total ?? Infinity
  }
  const groups = illTogether(failing, illOf)
  const texts = await Promise.all(
    groups.map(async (group) => {
      if (group.kind !== 'vendor')
        return group.those.map((each) => accountText(each, moments, null)).join('\n')
      const told = { isWhole: more <= 0, total: await totalOf(group.type) }
      return togetherText(group.those, told, moments)
    }),
  )
  const waiting = refused.meta.total ?? 0
  // What fails is late, too.
  const late = (behind.meta.total ?? 0) - (page.meta.total ?? 0)
  const note = [
    ...(more > 0
      ? [`and ${more.toLocaleString('en')} more: tenon instances list --sync failing\n`]
      : []),
    ...(late > 0
      ? [
          `${late === 1 ? 'one account does not fail and has' : `${late.toLocaleString('en')} accounts do not fail and have`} a copy that was not read in time: tenon instances list --sync late\n`,
        ]
      : []),
    ...(waiting > 0
      ? [
          `${waiting === 1 ? 'one account stands' : `${waiting.toLocaleString('en')} accounts stand`} still and ${waiting === 1 ? 'needs' : 'need'} re-authentication: tenon instances list --state auth_error\n`,
        ]
      : []),
    ...[page.meta, behind.meta, refused.meta]
      .flatMap(({ incomplete }) => incomplete ?? [])
      .slice(0, 1)
      .map((each) => `${each}\n`),
  ].join('')
  const value = failing.flatMap(({ account, data }) =>
    data.map((each) => ({ connector_id: account.id, name: account.name, ...each })),
  )
  const shown = failing.length === 0 ? 'no sync fails\n' : wrapText(texts.join('\n'), out)
  return { value, shown, note, code: failing.length === 0 ? EXIT.done : EXIT.failed }
}

interface FailingAccount {
  readonly account: ConnectorInstance
  readonly data: Statuses
  readonly limited: Statuses
  readonly problem: string | null
}

function illOf({ account, data }: FailingAccount): Ill {
  const { external_user_id: user, connector_type: type } = account
  // Of what is not known nothing is alike.
  return { user, type, code: firstCause(sharedFailures(data))?.cause.code ?? account.id }
}

/** An account with what fails of it. `toldCode`: told above, with what is the same for others. */
function accountText(
  { account, data, limited, problem }: FailingAccount,
  moments: Moments,
  toldCode: string | null,
): string {
  const { id, name, connector_type: type, external_user_id: user } = account
  const told = failingOf(data, moments, toldCode) + limitedOf(limited, moments)
  const lines = told + (problem === null ? '' : `${problem}\n`)
  return `${plainLine(`${name} (${type}, user ${user})`)}: ${id}\n${indented(lines)}`
}

/** Accounts of one connector and several users that fail with one code, which is told once. */
function togetherText(
  those: readonly FailingAccount[],
  of: { readonly isWhole: boolean; readonly total: number },
  moments: Moments,
): string {
  const [first] = those
  if (first === undefined) return ''
  const { type, code } = illOf(first)
  const accounts = those.length
  const users = new Set(those.map((each) => illOf(each).user)).size
  const ill = illOfVendor({ code, accounts, users, failing: accounts, ...of })
  const acts = whoActs(code)
  const details = those.flatMap(({ data }) =>
    sharedFailures(data).flatMap(({ cause }) => (cause.code === code ? [cause.detail] : [])),
  )
  const some = `${of.isWhole ? '' : 'at least '}${accounts.toLocaleString('en')}`
  const total = Number.isFinite(of.total) ? ` of ${of.total.toLocaleString('en')}` : ''
  const facts = [
    `${some}${total} accounts of ${type}: ${wordsOfAll(details)} (${code})`,
    ...(acts === null ? [] : [`who acts: ${acts}`]),
    ...(ill === null ? [] : ['looks like the third party']),
  ]
  const each = those.map((one) => accountText(one, moments, code)).join('')
  return `${facts.join('; ')}\n${indented(each)}`
}

function indented(lines: string): string {
  return lines.replaceAll(/^(?=.)/gm, '  ')
}

/** Of an account that fails; none where it is well again or gone meanwhile. `problem`: why it is not known. */
async function failingCopies(
  sync: ServiceClient['sync'],
  id: string,
): Promise<{
  readonly data: Statuses
  /** Those that do not fail, but that nothing is sent for at present. */
  readonly limited: Statuses
  readonly problem: string | null
}> {
  try {
    const { data } = await sync.status(id)
    return {
      data: data.filter((each) => isTried(each) && each.failures > 0),
      limited: data.filter((each) => isTried(each) && each.failures === 0),
      problem: null,
    }
  } catch (error) {
    if (isConnectorError(error, 'instance_unknown')) return { data: [], limited: [], problem: null }
    // Of one whose connector the service has not loaded; the others are told all the same.
    if (
      isConnectorError(error, 'connector_unknown') ||
      isConnectorError(error, 'connector_version_unavailable')
    )
      return { data: [], limited: [], problem: error.message }
    throw error
  }
}

/** What stands still is not tried, whatever it met last. */
function isTried({ state }: SyncStatus): boolean {
  return state !== 'paused'
}

/** Why nothing of an account is synchronized, and who acts; '' where it is. */
function standsStill(
  { state, state_reason: reason }: ConnectorInstance,
  { clock }: Moments,
): string {
  const { label, words, isSynchronized } = STATES[state]
  if (isSynchronized) return ''
  const since = reason === null ? '' : ` (${reason.code}, since ${clock(reason.since)})`
  return `${label}${since}: ${words}\n`
}

type Statuses = readonly SyncStatus[]

interface Watch {
  readonly isOver: (statuses: Statuses) => boolean
  readonly draw: (statuses: Statuses) => void
  /** Before what it ends with is shown. */
  readonly clear: () => void
}

/** Asks every second until it is over, and draws what it hears meanwhile. */
async function watched(
  ask: () => Promise<Statuses>,
  { isOver, draw, clear }: Watch,
  { signal }: CommandContext,
): Promise<Statuses> {
  try {
    for (;;) {
      const statuses = await ask()
      if (isOver(statuses) || signal.aborted) return statuses
      draw(statuses)
      await setTimeout(WATCH_EVERY_MS)
    }
  } finally {
    clear()
  }
}

/** How a person, a program and a file see what is heard meanwhile: in a terminal the table stands where it stood. */
function drawing(out: Channel, json: boolean | undefined): Pick<Watch, 'draw' | 'clear'> {
  const table = (statuses: Statuses): string => tableFor(out, statuses.map(row))
  if (json === true) return { draw: (statuses) => writeLines(out, statuses), clear: () => {} }
  if (!out.isTerminal) return { draw: (statuses) => out.write(table(statuses)), clear: () => {} }
  const place = textInPlace(out)
  return { draw: (statuses) => place.draw(table(statuses)), clear: () => place.clear() }
}

const run = askService({
  arguments: { ...INSTANCE, '[entities...]': 'default: all' },
  options: {
    '--full': 'read everything again, and find what is gone',
    '--wait': 'show how far the runs are, until they have ended; a failure is exit code 1',
    ...jsonLines('copy'),
  },
  async run({ sync, instances }, { instance: named, entities, full, wait, json }, context) {
    const instance = await wholeInstanceId(instances, named)
    const ask = async (): Promise<Statuses> => (await sync.status(instance, { history: true })).data
    const before = wait === true ? await ask() : []
    const { data } = await sync.trigger(instance, {
      ...(entities.length === 0 ? {} : { entities }),
      ...(full === true ? { mode: 'full' } : {}),
    })
    if (wait !== true) return { value: data }
    const wanted = new Set(data.map(({ entity }) => entity))
    const { out } = context.terminal
    const found = await watched(
      async () => (await ask()).filter(({ entity }) => wanted.has(entity)),
      {
        isOver: (statuses) => !statuses.some((status) => isWaiting(status, before)),
        // Programs and files get what the runs ended with.
        ...(out.isTerminal && json !== true
          ? drawing(out, json)
          : { draw: () => {}, clear: () => {} }),
      },
      context,
    )
    const hasFailed = found.some((status) => status.last_error !== null)
    return {
      value: found.map(ended),
      shown: found.map(endedInWords),
      code: hasFailed ? EXIT.failed : EXIT.done,
    }
  },
})

const undoDeletes = workOnStore({
  arguments: { ...INSTANCE, '<run>': 'id of the run' },
  run: (opened, { instance: named, run }) =>
    onCopies(opened, named, async (index, tellAudit, instance) => {
      const restored = await undoRemovals(index, instance, run)
      if (restored > 0) await tellAudit('sync.undo_deletes', run)
      const code = restored === 0 ? EXIT.failed : EXIT.done
      return { value: { restored }, shown: `${restored} records are back\n`, code }
    }),
})

const confirm = workOnStore({
  arguments: { ...INSTANCE, '<entity>': 'of which the listing is' },
  run: (opened, { instance: named, entity }) =>
    onCopies(opened, named, async (index, tellAudit, instance) => {
      const found = await confirmListing(index, { instanceId: instance, entity }, Date.now())
      if (found.kind === 'nothing') {
        const shown = `${entity} is not suspicious: there is nothing to confirm\n`
        return { value: { confirmed: false, missing: null }, shown, code: EXIT.failed }
      }
      if (found.kind === 'unread')
        throw new UsageError(
          `the listing of ${entity} was not read to its end, so that it is unknown what it lacks: there is nothing to confirm`,
        )
      const { missing } = found
      const job = { instanceId: instance, kind: 'sync', key: entity, detail: 'full' } as const
      await opened.store.jobs.put(job)
      await tellAudit('sync.confirm', entity)
      const shown = `${missing} records go when the next complete listing lacks them as well\n`
      return { value: { confirmed: true, missing }, shown }
    }),
})

export const configure: Configure = family({
  status: ['show every copy of an instance, or what fails of all', status],
  run: ['synchronize now', run],
  'undo-deletes': ['bring back what a run removed, within 7 days', undoDeletes],
  confirm: ['let a suspicious listing remove what it lacks', confirm],
})

/** What copies fail with: each cause once, with all that fail for it, who acts, and what comes of it. `toldCode`: who acts on it, and its words, stand above. */
function failingOf(statuses: Statuses, moments: Moments, toldCode: string | null = null): string {
  const lines = sharedFailures(statuses).map(
    ({ cause, suspendedUntil: until, all, failing, held, isHeld }) => {
      const isTold = cause.code === toldCode
      const acts = isTold ? null : whoActs(cause.code)
      const what = isTold ? '' : `${cause.detail} (${cause.code}), `
      const tried = all.filter(({ run, next_run_at: at }) => run !== null && at === null)
      const facts = [
        `${isHeld ? 'held back, as another call failed: ' : ''}${what}${sinceOf(all, moments)}`,
        ...(acts === null ? [] : [`who acts: ${acts}`]),
        ...(until === null
          ? []
          : [`${leftAloneUntil(moments.nowMs, until)} ${moments.clock(until)}`]),
        ...(tried.length === 0 ? [] : [`being tried now: ${namesOf(tried)}`]),
        ...nextOf(all, until, moments),
        ...(held.length === 0 ? [] : [`held back for the same reason: ${namesOf(held)}`]),
      ]
      return `${namesOf(failing)}: ${facts.join('; ')}\n`
    },
  )
  return lines.join('')
}

/** When something is sent for each of them next: once, where that is one moment. */
function nextOf(
  statuses: Statuses,
  until: string | null,
  { nowMs: now, away, clock }: Moments,
): readonly string[] {
  const planned = statuses.flatMap((status) => {
    const at = nextSentAt(now, status.next_run_at, until)
    return status.next_run_at === null || at === null ? [] : [{ status, at }]
  })
  const moments = [...Map.groupBy(planned, ({ at }) => at)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return moments.map(([at, those]) => {
    const names = moments.length === 1 ? '' : ` of ${namesOf(those.map(({ status }) => status))}`
    const when = Date.parse(at) <= now ? `due since ${clock(at)}` : away(at)
    return `next attempt${names} ${when}`
  })
}

/** Turns of one round begin and end within seconds. */
const AT_ONCE_MS = 5000

function isAtOnce(statuses: Statuses): boolean {
  const moments = statuses.map((status) => Date.parse(failsSince(status)))
  return Math.max(...moments) - Math.min(...moments) < AT_ONCE_MS
}

/** Since when, and how often: for each of them where they did not begin together. */
function sinceOf(statuses: Statuses, { clock }: Moments): string {
  const groups = byBeginning(statuses, failsSince)
  const [first] = groups
  if (first === undefined) return ''
  const times = (those: Statuses): string => `failed ${timesInWords(those)}`
  if (groups.length === 1)
    return `${isAtOnce(first.those) ? '' : 'first '}since ${clock(first.since)}, ${times(statuses)}`
  const each = groups.map(
    ({ since, those }) => `${namesOf(those)} since ${clock(since)}, ${times(those)}`,
  )
  return `first since ${clock(first.since)} (${each.join('; ')})`
}

/** What is not brought up to date because of another entity, told once for each of those. */
function waitingOf(statuses: Statuses, { clock }: Moments): string {
  const waiting = statuses.filter(({ state }) => state === 'waiting')
  const groups = Map.groupBy(waiting, ({ waits_for: on }) => on?.entity ?? '')
  return [...groups.values()]
    .flatMap((those) => {
      const on = those[0]?.waits_for
      if (on == null) return []
      const since = on.since === null ? '' : ` since ${clock(on.since)}`
      return `${namesOf(those)}: ${those.length === 1 ? 'waits' : 'wait'} for ${waitedFor(on)}${since}; not known to be up to date\n`
    })
    .join('')
}

function namesOf(copies: readonly { readonly entity: string }[]): string {
  return copies.map(({ entity }) => entity).join(', ')
}

/** Moments no further apart are told as the last of them: copies that one answer puts off are written one after another. */
const ONE_MOMENT_MS = 1_000

/** What is not sent before a moment, told once for each of those. */
function limitedOf(statuses: Statuses, { clock }: Moments): string {
  const limited = statuses.flatMap(({ entity, limited_until: until }) =>
    until === null ? [] : [{ entity, until }],
  )
  const moments = [...new Set(limited.map(({ until }) => until))].toSorted()
  const lasts = moments.filter((until, at) => {
    const next = moments[at + 1]
    return next === undefined || Date.parse(next) - Date.parse(until) > ONE_MOMENT_MS
  })
  const lastOf = (until: string): string => lasts.find((last) => last >= until) ?? until
  return [...Map.groupBy(limited, ({ until }) => lastOf(until))]
    .map(
      ([last, those]) =>
        `${namesOf(those)}: the third party limits how often it is asked, nothing is sent until ${clock(last)}\n`,
    )
    .join('')
}

/** What is due and is not being read, told once. */
function lateOf(statuses: Statuses, { clock }: Moments): string {
  const late = statuses.filter(waitsForTurn)
  const [first] = late.flatMap(({ next_run_at: at }) => at ?? []).toSorted()
  if (first === undefined) return ''
  const [since, turn] =
    late.length === 1
      ? [clock(first), 'it waits for its turn']
      : [`${clock(first)}, the first of them`, 'they wait for their turns']
  return `${namesOf(late)}: late, due since ${since}, and not read yet: ${turn}\n`
}

/** What an operator does about a listing that lacks too much; '' where none does. */
function suspicionOf(
  id: string,
  { entity, state, missing, reason, bound, limit }: SyncStatus,
): string {
  if (state !== 'suspicious') return ''
  if (reason === 'bound_met' && bound !== null) {
    const [word, setting] = BOUNDS[bound]
    return `${entity}: a run read ${limit?.toLocaleString('en')} ${word}, which is as much as it may, before its listing ended. What it read is kept, and nothing was removed. If the third party has so much, raise sync.bounds of the manifest or ${setting}; otherwise it does not end its listing\n`
  }
  if (missing === null) return ''
  const count = missing.toLocaleString('en')
  if (reason === 'unsaid_end')
    return `${entity}: the last listing ended with its first page, and nothing in the answer said that there are no more; ${count} records that it lacks are kept. If the third party ends its listings so, state it in the manifest (silent_end); if the records are gone on purpose: tenon sync confirm ${id} ${entity}\n`
  return `${entity}: the last listing lacks ${count} records, too many to be removed at once; they are kept. If they are gone on purpose: tenon sync confirm ${id} ${entity}\n`
}

/** Where the records are that a copy lacks; '' where it lacks none. */
function leftOutOf({ entity, left_out }: SyncStatus): string {
  if (left_out === null) return ''
  const { records, reasons, examples } = left_out
  const counts = Object.entries(reasons).map(([reason, count]) => `${count} ${reason}`)
  const places = examples.map(
    ({ page, index, path, reason }) =>
      `  ${page === null ? 'asked for alone' : `page ${page}, record ${index + 1}`}: ${path} ${reason}\n`,
  )
  return `${entity}: ${records.toLocaleString('en')} records have no usable key (${counts.join(', ')}) and are left out, so that the copy is not whole. What a listing lacks is removed only where its own get does not find it. The first of them:\n${places.join('')}`
}

/** Why it is not known that a copy has everything; '' where it is, or was said already. */
function gapsOf({ entity, gaps }: SyncStatus): string {
  const words = gapWords(gaps)
  return words === null ? '' : `${entity}: the copy may lack records: ${words}\n`
}

/** Bounds in words, and the settings of an operator who raises them. */
const BOUNDS: Readonly<Record<MetBound['name'], readonly [word: string, setting: string]>> = {
  pages: ['pages', 'TENON_SYNC_MAX_PAGES'],
  records: ['records', 'TENON_SYNC_MAX_RECORDS'],
  bytes: ['bytes of documents', 'TENON_SYNC_MAX_BYTES'],
  pages_without_new: ['pages in a row without a new record', 'TENON_SYNC_MAX_PAGES_WITHOUT_NEW'],
}

function row(status: SyncStatus): JsonObject {
  const { entity, records, missing, left_out, run } = status
  const words = run === null ? null : runInWords(run.kind)
  return {
    entity,
    state: stateInWords(status),
    records,
    missing,
    'left out': left_out?.records ?? null,
    'as of': asOf(status.lag_seconds),
    run: run?.phase === 'removing' ? `${words}, removing` : words,
    read: run?.read ?? null,
    // Most runs remove nothing.
    removed: run === null || run.removed === 0 ? null : run.removed,
    done: run === null ? null : shareOf(run),
    'a second': run?.rows_per_second ?? null,
    rest: spanOf(run?.eta_seconds ?? null),
    next: status.next_run_at,
    error: presentFailure(status)?.code ?? null,
  }
}

/** Paused is what somebody has paused; else it is the account that stands still. */
function stateInWords(status: SyncStatus): string {
  const { state, enabled, failures, limited_until: until } = status
  if (state === 'paused' && enabled) return 'stands still'
  if (waitsForTurn(status) && (state === 'ready' || state === 'initial')) return 'late'
  return until !== null && failures === 0 ? 'limited' : state
}

/** `40 %` where the third party counts, `about 40 %` where it is an estimate; null: nobody knows. */
function shareOf({
  percent,
  estimated_percent: estimated,
}: NonNullable<SyncStatus['run']>): string | null {
  if (percent !== null) return `${percent} %`
  return estimated === null ? null : `about ${estimated} %`
}

/** Whether the run that was asked for has still to end, and can. */
function isWaiting(
  { entity, state, run, runs, last_error }: SyncStatus,
  before: Statuses,
): boolean {
  if (state === 'paused' || last_error !== null) return false
  const last = before.find((status) => status.entity === entity)?.runs?.[0]
  return run !== null || runs?.[0]?.run_id === last?.run_id
}

function ended(status: SyncStatus): JsonObject {
  const { entity, state, records, runs = [] } = status
  const [last] = runs
  return {
    entity,
    state,
    records,
    run: last?.kind ?? null,
    read: last?.read ?? null,
    changed: last?.changed ?? null,
    removed: last?.removed ?? null,
    left_out: last?.left_out?.records ?? null,
    run_id: last?.run_id ?? null,
    error: presentFailure(status)?.code ?? null,
  }
}

function endedInWords(status: SyncStatus): JsonObject {
  const kind = status.runs?.[0]?.kind
  return {
    ...ended(status),
    state: stateInWords(status),
    run: kind === undefined ? null : runInWords(kind),
  }
}

/** Works on the copies of an instance; `tellAudit` writes down what was done to them. Throws UsageError for an unknown id. */
async function onCopies(
  { store, settings }: OpenedStore,
  named: string,
  work: (
    index: SearchIndex,
    tellAudit: (action: AuditAction, target: string) => Promise<void>,
    instanceId: string,
  ) => Promise<Result>,
): Promise<Result> {
  const instanceId = await wholeIdOf(named, (head) => instancesBeginning(store, head))
  // Opening the copies of an id that names nothing would make a file for it.
  const row = await store.instances.find(instanceId)
  if (row === null) throw new UsageError(`there is no connector instance ${instanceId}`)
  const who = { organizationId: row.organizationId, clientId: COMMAND_LINE }
  const index = await openCopies(settings, { isGuest: true })
  try {
    return await work(
      index,
      (action, target) => store.audit.append(auditOf(who, null, action, { instanceId, target })),
      instanceId,
    )
  } finally {
    await index.close()
  }
}
