// `tenon sync`: how far copies are, runs on demand, and the operator's word on removals.
import type { ServiceClient } from '../client/service-client.ts'
import { openCopies } from '../hosting/copies-place.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import type { SearchIndex } from '../copy/search/search-index.ts'
import { auditOf, COMMAND_LINE } from '../service/audit.ts'
import type { Store } from '../service/store/store.ts'
import type { MetBound } from '../copy/sync/bounds.ts'
import { readFacts } from '../copy/sync/run-record.ts'
import type { CommandContext, CommandModule } from './command.ts'
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts'
import { withStore } from './open-store.ts'
import { DEFAULT_URL, type ServiceFlags, withService } from './running-service.ts'
import type { SettingsFlags } from './service-settings.ts'
import { formatTable } from './table.ts'
import type { Channel } from './terminal.ts'

interface StatusFlags extends ServiceFlags {
  readonly watch?: boolean
}

interface StoreFlags extends SettingsFlags {
  readonly json?: boolean
}

interface RunFlags extends ServiceFlags {
  readonly full?: boolean
  readonly wait?: boolean
}

export const notes = `status and run ask a service: TENON_TOKEN, or TENON_CLIENT_ID and TENON_CLIENT_SECRET of an application.
undo-deletes and confirm work on its store, beside running services.`

export const examples: CommandModule['examples'] = [
  'tenon sync status 0199f3a1-… --watch',
  'tenon sync run 0199f3a1-… issues --full --wait',
  'tenon sync undo-deletes 0199f3a1-… 0199f3b7-…',
  'tenon sync confirm 0199f3a1-… issues',
]

export const configure: CommandModule['configure'] = (command, context, done) => {
  const add = (name: string, summary: string) =>
    command
      .command(name)
      .description(summary)
      .copyInheritedSettings(command)
      .argument('<instance>', 'id of the connector instance')
  const overHttp = (name: string, summary: string) =>
    add(name, summary)
      .option('--url <address>', `of the service; default: TENON_URL, or ${DEFAULT_URL}`)
      .option('--json', 'print JSON')
  const onStore = (name: string, summary: string) =>
    add(name, summary)
      .option('--data <folder>', 'folder of the embedded store')
      .option('--config <file>', 'YAML file with settings')
      .option('--json', 'print JSON')
  overHttp('status', 'show every copy of an instance')
    .option('--watch', 'show it again every second, until nothing runs any more')
    .action(async (id: string, flags: StatusFlags) =>
      done(await withService(flags, context, (service) => status(service, id, flags, context))),
    )
  overHttp('run', 'synchronize now')
    .argument('[entities...]', 'default: all')
    .option('--full', 'read everything anew, and find what is gone')
    .option('--wait', 'show how far the runs are, until they have ended; a failure is exit code 1')
    .action(async (id: string, entities: readonly string[], flags: RunFlags) =>
      done(
        await withService(flags, context, (service) => run(service, id, entities, flags, context)),
      ),
    )
  onStore('undo-deletes', 'bring back what a run removed, within 7 days')
    .argument('<run>', 'id of the run')
    .action(async (id: string, runId: string, flags: StoreFlags) =>
      done(await undoDeletes(id, runId, flags, context)),
    )
  onStore('confirm', 'let a suspicious listing remove what it lacks')
    .argument('<entity>', 'of which the listing is')
    .action(async (id: string, entity: string, flags: StoreFlags) =>
      done(await confirm(id, entity, flags, context)),
    )
}

const WATCH_EVERY_MS = 1_000

async function status(
  service: ServiceClient,
  id: string,
  { watch, json }: StatusFlags,
  { terminal: { out, err }, signal }: CommandContext,
): Promise<ExitCode> {
  for (;;) {
    const data = await statusesOf(service, id, {})
    if (json === true) out.write(`${JSON.stringify(data)}\n`)
    else drawTable(out, data.map(row), watch === true)
    if (json !== true) err.write(data.map((each) => suspicionOf(id, each)).join(''))
    const isOver = data.every(({ run, state }) => run === null && state !== 'initial')
    if (watch !== true || isOver || signal.aborted) return EXIT.done
    await nextLook()
  }
}

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
  out.write(formatTable(rows, { width: out.isTerminal ? out.columns : null }))
}

async function nextLook(): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, WATCH_EVERY_MS)
  })
}

function row({ run, ...shown }: JsonObject): JsonObject {
  const progress = (run ?? {}) as JsonObject
  const percent = progress['percent'] ?? null
  return {
    entity: shown['entity'] ?? null,
    state: shown['state'] ?? null,
    records: shown['records'] ?? null,
    missing: shown['missing'] ?? null,
    lag_s: shown['lag_seconds'] ?? null,
    run: run === null ? null : kindOf(progress),
    read: progress['read'] ?? null,
    removed: progress['removed'] === 0 ? null : (progress['removed'] ?? null),
    done: percent === null ? null : `${textOf(percent)} %`,
    per_s: progress['rows_per_second'] ?? null,
    rest_s: progress['eta_seconds'] ?? null,
    next: shown['next_run_at'] ?? null,
    error: textOf(((shown['last_error'] ?? {}) as JsonObject)['code']),
  }
}

/** What kind of run it is, and that it has come to its last part. */
function kindOf({ kind, phase }: JsonObject): string | null {
  const name = textOf(kind)
  return name === null || phase !== 'removing' ? name : `${name}, removing`
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

async function run(
  service: ServiceClient,
  id: string,
  entities: readonly string[],
  { full, wait, json }: RunFlags,
  { terminal: { out }, signal }: CommandContext,
): Promise<ExitCode> {
  const before = wait === true ? await lastRuns(service, id) : new Map<Json, LastRun>()
  const { data } = await service.sync.trigger(id, {
    ...(entities.length === 0 ? {} : { entities }),
    ...(full === true ? { mode: 'full' } : {}),
  })
  const begun = data as readonly object[] as readonly JsonObject[]
  if (wait !== true) {
    if (json === true) out.write(`${JSON.stringify(begun)}\n`)
    else drawTable(out, begun, false)
    return EXIT.done
  }
  const wanted = begun.map(({ entity }) => entity ?? null)
  for (;;) {
    const after = await lastRuns(service, id)
    const runs = wanted.flatMap((entity) => after.get(entity) ?? [])
    const waiting = runs.filter(({ status, run }) => {
      const isNew = run?.['run_id'] !== before.get(status['entity'] ?? null)?.run?.['run_id']
      // Neither comes to an end by waiting.
      if (status['state'] === 'paused' || status['last_error'] !== null) return false
      return status['run'] !== null || !isNew
    })
    const isOver = waiting.length === 0 || signal.aborted
    if (isOver && json === true) out.write(`${JSON.stringify(runs.map(ended))}\n`)
    else if (isOver) drawTable(out, runs.map(ended), true)
    else if (out.isTerminal && json !== true)
      drawTable(
        out,
        runs.map(({ status }) => row(status)),
        true,
      )
    if (isOver)
      return runs.every(({ status }) => status['last_error'] === null) ? EXIT.done : EXIT.failed
    await nextLook()
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
  const { run_id, kind, read, changed, removed } = run
  return {
    entity: status['entity'] ?? null,
    state: status['state'] ?? null,
    records: status['records'] ?? null,
    run: kind ?? null,
    read: read ?? null,
    changed: changed ?? null,
    removed: removed ?? null,
    run_id: run_id ?? null,
    error: textOf(((status['last_error'] ?? {}) as JsonObject)['code']),
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

async function undoDeletes(
  id: string,
  runId: string,
  flags: StoreFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const restored = await onCopies(context, flags, id, async (index, store) => {
    let count = 0
    // A record and what hung on it were removed under one run.
    for (const copy of await index.copies({ instanceId: id }))
      count += await index.restore(copy, runId)
    if (count > 0) await tellAudit(store, id, 'sync.undo_deletes', runId)
    return count
  })
  context.terminal.out.write(
    flags.json === true ? `${JSON.stringify({ restored })}\n` : `${restored} records are back\n`,
  )
  return restored === 0 ? EXIT.failed : EXIT.done
}

async function confirm(
  id: string,
  entity: string,
  flags: StoreFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const missing = await onCopies(context, flags, id, async (index, store) => {
    const copy = (await index.copies({ instanceId: id, entity })).at(-1)
    const facts = readFacts(copy?.facts ?? '')
    if (copy === undefined || facts.suspicious === null) return null
    if (facts.suspicious.bound !== undefined)
      throw new UsageError(
        `the listing of ${entity} was not read to its end, so that nobody knows what it lacks: there is nothing to confirm`,
      )
    const confirmed = { ...facts, confirmed: facts.suspicious.runId }
    await index.write({
      copy,
      fence: null,
      observedAtMs: Date.now(),
      facts: JSON.stringify(confirmed),
    })
    await store.jobs.put({ instanceId: id, kind: 'sync', key: entity, detail: 'full' })
    await tellAudit(store, id, 'sync.confirm', entity)
    return facts.suspicious.missing
  })
  const { out } = context.terminal
  if (flags.json === true) {
    out.write(`${JSON.stringify({ confirmed: missing !== null, missing })}\n`)
    return missing === null ? EXIT.failed : EXIT.done
  }
  if (missing === null) {
    out.write(`${entity} is not suspicious: there is nothing to confirm\n`)
    return EXIT.failed
  }
  out.write(`${missing} records go when the next complete listing lacks them as well\n`)
  return EXIT.done
}
