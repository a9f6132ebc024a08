// `tenon sync`: how far copies are, runs on demand, and the operator's word on removals.
import { setTimeout } from 'node:timers/promises'
import type { ServiceClient } from '../client/service-client.ts'
import { openCopies } from '../hosting/copies-place.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import type { SearchIndex } from '../copy/search/search-index.ts'
import { auditOf, COMMAND_LINE } from '../service/audit.ts'
import type { Store } from '../service/store/store.ts'
import type { MetBound } from '../copy/sync/bounds.ts'
import { readFacts } from '../copy/sync/run-record.ts'
import { type CommandContext, type Configure, family, type FlagsOf, leaf } from './command.ts'
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts'
import { type SettingsFlags, STORE_OPTIONS, withStore } from './service-settings.ts'
import { openService, SERVICE_OPTIONS } from './running-service.ts'
import { tableFor } from './table.ts'
import { type Channel, print } from './terminal.ts'

export const notes = `status and run ask a service: TENON_TOKEN, or TENON_CLIENT_ID and TENON_CLIENT_SECRET of an application.
undo-deletes and confirm work on its store, while services run.`

export const examples: readonly string[] = [
  'tenon sync status 0199f3a1-… --watch',
  'tenon sync run 0199f3a1-… issues --full --wait',
  'tenon sync undo-deletes 0199f3a1-… 0199f3b7-…',
  'tenon sync confirm 0199f3a1-… issues',
]

const INSTANCE = { '<instance>': 'id of the connector instance' }

const RUN_OPTIONS = {
  ...SERVICE_OPTIONS,
  '--full': 'read everything again, and find what is gone',
  '--wait': 'show how far the runs are, until they have ended; a failure is exit code 1',
} as const

const WATCH_EVERY_MS = 1_000

const status = leaf({
  arguments: INSTANCE,
  options: {
    ...SERVICE_OPTIONS,
    '--watch': 'show it again every second, until nothing runs any more',
  },
  async run({ instance, watch, json, ...given }, context) {
    const { out, err } = context.terminal
    await using open = openService(given, context)
    for (;;) {
      const data = await statusesOf(open.service, instance, {})
      if (json === true) out.write(`${JSON.stringify(data)}\n`)
      else {
        drawTable(out, data.map(row), watch === true)
        err.write(data.map((each) => suspicionOf(instance, each)).join(''))
      }
      const isOver = data.every(({ run, state }) => run === null && state !== 'initial')
      if (watch !== true || isOver || context.signal.aborted) return EXIT.done
      await setTimeout(WATCH_EVERY_MS)
    }
  },
})

const run = leaf({
  arguments: { ...INSTANCE, '[entities...]': 'default: all' },
  options: RUN_OPTIONS,
  async run(given, context) {
    const { instance, entities, full, wait, json } = given
    const { out } = context.terminal
    await using open = openService(given, context)
    const before = wait === true ? await lastRuns(open.service, instance) : new Map()
    const { data } = await open.service.sync.trigger(instance, {
      ...(entities.length === 0 ? {} : { entities }),
      ...(full === true ? { mode: 'full' } : {}),
    })
    const begun = data as readonly object[] as readonly JsonObject[]
    if (wait === true) {
      const wanted = begun.map(({ entity }) => entity ?? null)
      return await follow({ service: open.service, wanted, before, ...given }, context)
    }
    print(context.terminal, json, begun, tableFor(out, begun))
    return EXIT.done
  },
})

const undoDeletes = leaf({
  arguments: { ...INSTANCE, '<run>': 'id of the run' },
  options: STORE_OPTIONS,
  async run({ instance, run, json, ...flags }, context) {
    const restored = await onCopies(context, flags, instance, async (index, store) => {
      let count = 0
      // A record and what hung on it were removed under one run.
      for (const copy of await index.copies({ instanceId: instance }))
        count += await index.restore(copy, run)
      if (count > 0) await tellAudit(store, instance, 'sync.undo_deletes', run)
      return count
    })
    print(context.terminal, json, { restored }, `${restored} records are back\n`)
    return restored === 0 ? EXIT.failed : EXIT.done
  },
})

const confirm = leaf({
  arguments: { ...INSTANCE, '<entity>': 'of which the listing is' },
  options: STORE_OPTIONS,
  async run({ instance, entity, json, ...flags }, context) {
    const missing = await onCopies(context, flags, instance, async (index, store) => {
      const copy = (await index.copies({ instanceId: instance, entity })).at(-1)
      const facts = readFacts(copy?.facts ?? '')
      if (copy === undefined || facts.suspicious === null) return null
      if (facts.suspicious.bound !== undefined)
        throw new UsageError(
          `the listing of ${entity} was not read to its end, so that it is unknown what it lacks: there is nothing to confirm`,
        )
      const confirmed = JSON.stringify({ ...facts, confirmed: facts.suspicious.runId })
      await index.write({ copy, fence: null, observedAtMs: Date.now(), facts: confirmed })
      await store.jobs.put({ instanceId: instance, kind: 'sync', key: entity, detail: 'full' })
      await tellAudit(store, instance, 'sync.confirm', entity)
      return facts.suspicious.missing
    })
    const text =
      missing === null
        ? `${entity} is not suspicious: there is nothing to confirm\n`
        : `${missing} records go when the next complete listing lacks them as well\n`
    print(context.terminal, json, { confirmed: missing !== null, missing }, text)
    return missing === null ? EXIT.failed : EXIT.done
  },
})

export const configure: Configure = family({
  status: ['show every copy of an instance', status],
  run: ['synchronize now', run],
  'undo-deletes': ['bring back what a run removed, within 7 days', undoDeletes],
  confirm: ['let a suspicious listing remove what it lacks', confirm],
})

/** What an operator does about a listing that lacks too much; '' where none does. */
function suspicionOf(
  id: string,
  { entity, state, missing, reason, bound, limit }: JsonObject,
): string {
  const name = textOf(entity)
  if (state !== 'suspicious' || name === null) return ''
  if (reason === 'bound_met') {
    const [word, setting] = BOUNDS[textOf(bound) as MetBound['name']]
    return `${name}: a run read ${Number(limit).toLocaleString('en')} ${word}, which is as much as it may, before its listing ended. What it read is kept, and nothing was removed. If the third party has so much, raise sync.bounds of the manifest or ${setting}; otherwise it does not end its listing\n`
  }
  if (typeof missing !== 'number') return ''
  if (reason === 'unsaid_end')
    return `${name}: the last listing ended with its first page, and nothing in the answer said that there are no more; ${missing.toLocaleString('en')} records that it lacks are kept. If the third party ends its listings so, state it in the manifest (silent_end); if the records are gone on purpose: tenon sync confirm ${id} ${name}\n`
  return `${name}: the last listing lacks ${missing.toLocaleString('en')} records, too many to be removed at once; they are kept. If they are gone on purpose: tenon sync confirm ${id} ${name}\n`
}

/** Bounds in words, and the settings of an operator who raises them. */
const BOUNDS: Readonly<Record<MetBound['name'], readonly [word: string, setting: string]>> = {
  pages: ['pages', 'TENON_SYNC_MAX_PAGES'],
  records: ['records', 'TENON_SYNC_MAX_RECORDS'],
  bytes: ['bytes of documents', 'TENON_SYNC_MAX_BYTES'],
  pages_without_new: ['pages in a row without a new record', 'TENON_SYNC_MAX_PAGES_WITHOUT_NEW'],
}

/** As the service sends them. */
async function statusesOf(
  service: ServiceClient,
  id: string,
  options: { readonly history?: boolean },
): Promise<readonly JsonObject[]> {
  return (await service.sync.status(id, options)).data as readonly object[] as readonly JsonObject[]
}

/** Watching a terminal, the table stands where it stood. */
function drawTable(out: Channel, rows: readonly JsonObject[], isWatching: boolean): void {
  if (isWatching && out.isTerminal) out.write('\u001B[2J\u001B[H')
  out.write(tableFor(out, rows))
}

function row({ run, ...shown }: JsonObject): JsonObject {
  const progress = (run ?? {}) as JsonObject
  const percent = progress['percent'] ?? null
  return {
    ...picked(shown, ['entity', 'state', 'records', 'missing']),
    lag_s: shown['lag_seconds'] ?? null,
    run: run === null ? null : kindOf(progress),
    read: progress['read'] ?? null,
    removed: progress['removed'] === 0 ? null : (progress['removed'] ?? null),
    done: percent === null ? null : `${textOf(percent)} %`,
    per_s: progress['rows_per_second'] ?? null,
    rest_s: progress['eta_seconds'] ?? null,
    next: shown['next_run_at'] ?? null,
    error: errorOf(shown),
  }
}

function picked(from: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? null]))
}

/** What kind of run it is, and that it has come to its last part. */
function kindOf({ kind, phase }: JsonObject): string | null {
  const name = textOf(kind)
  return name === null || phase !== 'removing' ? name : `${name}, removing`
}

function errorOf({ last_error: error }: JsonObject): string | null {
  return textOf(((error ?? {}) as JsonObject)['code'])
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

interface Followed extends Pick<FlagsOf<typeof RUN_OPTIONS>, 'json'> {
  readonly service: ServiceClient
  readonly instance: string
  /** The entities that are synchronized. */
  readonly wanted: readonly Json[]
  readonly before: ReadonlyMap<Json, LastRun>
}

/** Shows how far runs are until each has ended, or cannot end by waiting. */
async function follow(
  { service, instance, wanted, before, json }: Followed,
  { terminal, signal }: CommandContext,
): Promise<ExitCode> {
  const { out } = terminal
  for (;;) {
    const after = await lastRuns(service, instance)
    const runs = wanted.flatMap((entity) => after.get(entity) ?? [])
    const isWaiting = runs.some(({ status, run }) => {
      const isNew = run?.['run_id'] !== before.get(status['entity'] ?? null)?.run?.['run_id']
      if (status['state'] === 'paused' || status['last_error'] !== null) return false
      return status['run'] !== null || !isNew
    })
    if (!isWaiting || signal.aborted) {
      if (json === true) out.write(`${JSON.stringify(runs.map(ended))}\n`)
      else drawTable(out, runs.map(ended), true)
      return runs.every(({ status }) => status['last_error'] === null) ? EXIT.done : EXIT.failed
    }
    const shown = runs.map(({ status }) => row(status))
    if (out.isTerminal && json !== true) drawTable(out, shown, true)
    await setTimeout(WATCH_EVERY_MS)
  }
}

/** How an entity is, and the last of its runs that has ended. */
interface LastRun {
  readonly status: JsonObject
  readonly run: JsonObject | undefined
}

async function lastRuns(service: ServiceClient, id: string): Promise<ReadonlyMap<Json, LastRun>> {
  const all = await statusesOf(service, id, { history: true })
  return new Map(
    all.map(({ runs, ...status }) => [
      status['entity'] ?? null,
      { status, run: (runs as readonly JsonObject[])[0] },
    ]),
  )
}

function ended({ status, run = {} }: LastRun): JsonObject {
  return {
    ...picked(status, ['entity', 'state', 'records']),
    run: run['kind'] ?? null,
    ...picked(run, ['read', 'changed', 'removed', 'run_id']),
    error: errorOf(status),
  }
}

async function onCopies<T>(
  context: CommandContext,
  flags: SettingsFlags,
  id: string,
  work: (index: SearchIndex, store: Store) => Promise<T>,
): Promise<T> {
  return await withStore(context, flags, async (store, settings) => {
    // Opening the copies of an id that names nothing would make a file for it.
    if ((await store.instances.find(id)) === null)
      throw new UsageError(`there is no connector instance ${id}`)
    const index = await openCopies(settings)
    try {
      return await work(index, store)
    } finally {
      await index.close()
    }
  })
}

async function tellAudit(
  store: Store,
  instanceId: string,
  action: string,
  target: string,
): Promise<void> {
  const row = await store.instances.find(instanceId)
  if (row === null) return
  const { organizationId } = row
  await store.audit.append(
    auditOf({ organizationId, clientId: COMMAND_LINE }, null, action, { instanceId, target }),
  )
}
