// `tenon try`: one operation from the command line, against the vendor or the sandbox.
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Client } from '../client/client.ts'
import type { Download } from '../client/download.ts'
import { doubtfulEndOf } from '../client/doubtful-end.ts'
import { type Page, unmatchedOf } from '../client/page-call.ts'
import type { SearchResult } from '../client/search-call.ts'
import { isOfVendorsService } from '../display/vendor-failures.ts'
import { amendError, isConnectorError } from '../errors.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { gives, kindOf, SEARCH } from '../language/manifest/actions.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import { createActionFinder, type Operation } from '../engine/plan/plan.ts'
import {
  type CommandContext,
  type Configure,
  type FlagsOf,
  leaf,
  spelled,
  wholeNumber,
} from './command.ts'
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts'
import { findManifest, type FoundManifest } from './manifest-files.ts'
import { formatBytes, withProgress } from './progress.ts'
import { jsonText, type Result, showPages } from './terminal.ts'
import { namesFor } from './record-names.ts'
import { openService, openServiceInstance } from './running-service.ts'
import { recordTable } from './table.ts'
import {
  ACCOUNT_OPTIONS,
  PLACE_OPTIONS,
  sandboxTarget,
  type Target,
  VENDOR_FLAGS,
  vendorTarget,
} from './target.ts'
import { fileFlag, filesAsParams, readJsonFlag } from './try-input.ts'
import { wrapText } from './wrap.ts'
import { writeWhole } from './written-files.ts'

export const docs = 'twenty-minutes'
export const notes = `An instance of a service (--connector-id) needs no credentials here: TENON_TOKEN, or TENON_CLIENT_ID and
TENON_CLIENT_SECRET of an application.`

export const examples: readonly string[] = [
  `tenon try jira issues.get --params '{"issueIdOrKey":"OPS-1"}' --sandbox`,
  'tenon try gong calls.list --all --limit 500 --json --sandbox',
  'tenon try jira issues.update --params @change.json --preview',
  'tenon try ./acme.yaml files.create --file file=@report.pdf --sandbox',
  'tenon try gong calls.list --connector-id 0199f3a1-… --url https://tenon.example.com',
  'TENON_TRY_ACCESS_KEY=… TENON_TRY_ACCESS_KEY_SECRET=… tenon try gong users.list',
]

const OPTIONS = {
  '--params <json>': 'parameters: JSON, @file, or - for standard input',
  '--file <name=@path>': {
    text: 'a parameter that is a file, read while it is sent; may be repeated',
    parse: fileFlag,
    default: [],
  },
  ...ACCOUNT_OPTIONS,
  '--preview': 'print the requests as curl, secrets masked, and send nothing',
  '--all': 'go through all pages',
  '--limit <n>': {
    text: 'records at most, through as many pages as they need',
    parse: wholeNumber,
  },
  '--out <file>': 'where to write a download',
  '--record <name>': 'write a recording of this name, without secrets, for tests',
  '--recordings <folder>': { text: 'where recordings lie', default: 'test/recordings' },
  ...PLACE_OPTIONS,
  '--timeout <seconds>': { text: 'for one call, waits included', parse: wholeNumber, default: 60 },
  '--json': 'print one JSON document; one line of JSON per record with --all or --limit',
} as const

type TryFlags = FlagsOf<typeof OPTIONS>

export const configure: Configure = leaf({
  arguments: {
    '<type>': 'connector type (gong, jira), or the path of a manifest',
    '<operation>': 'entity and action, for example issues.get',
  },
  options: OPTIONS,
  async run({ type, operation, ...flags }, context) {
    const [entity = '', action = '', ...more] = operation.split('.')
    if (entity === '' || action === '' || more.length > 0)
      throw new UsageError(
        `"${operation}" is no operation; write entity.action, for example issues.get`,
      )
    requireOneTarget(flags)
    const found = await findManifest(type, context.folder)
    const params = (await readJsonFlag('--params', flags.params, context)) ?? {}
    const files = filesAsParams(flags.file, params, context.folder)
    const trial = { found, wanted: { entity, action, params }, files, flags, context }
    // A misspelt operation is said before credentials are asked for.
    requireOperation(trial)
    requireListing(trial)
    try {
      return await (flags.connectorId === undefined
        ? tryDirectly(trial)
        : tryOnService(trial, flags.connectorId))
    } catch (error) {
      // Neither the sandbox nor another origin is the vendor.
      const isVendor = flags.sandbox !== true && flags.serverUrl === undefined
      throw isVendor ? withStatusPage(error, found.manifest) : error
    }
  },
})

/** A failure of the vendor leads to where that tells whether it is up. */
function withStatusPage(error: unknown, { statusPage }: Manifest): unknown {
  if (statusPage === undefined || !isConnectorError(error) || !isOfVendorsService(error.code))
    return error
  return amendError(error, { details: { statusPage } })
}

/** One call of the command. */
interface Trial {
  readonly found: FoundManifest
  readonly wanted: Operation
  /** Next to the parameters. */
  readonly files: ReturnType<typeof filesAsParams>
  readonly flags: TryFlags
  readonly context: CommandContext
}

async function tryOnService(trial: Trial, connectorId: string): Promise<ExitCode | Result> {
  const { found, flags, context } = trial
  const timeoutMs = flags.timeout * 1000
  await using service = openService(flags, context, { timeoutMs })
  const { instance, client: hosted } = await openServiceInstance(service, connectorId, timeoutMs)
  await using client = hosted
  if (instance.connector_type !== found.manifest.type)
    throw new UsageError(`${connectorId} is an instance of ${instance.connector_type}`)
  return await runOperation(client, trial)
}

async function tryDirectly(trial: Trial): Promise<ExitCode | Result> {
  const { found, flags, context } = trial
  await using target =
    flags.sandbox === true
      ? await sandboxTarget(found)
      : await vendorTarget(found.manifest, flags, context)
  if (flags.record !== undefined) return await record(trial, target, flags.record)
  await using client = await target.connect({ timeoutMs: flags.timeout * 1000 })
  return await runOperation(client, trial)
}

/** Throws `operation_unknown`, and `search_needs_hosted_mode` where no service is asked. */
function requireOperation({ found, wanted: { entity, action }, flags }: Trial): void {
  try {
    createActionFinder(found.manifest)(entity, action)
  } catch (error) {
    const isAsked = flags.connectorId !== undefined
    if (!isAsked || !isConnectorError(error, 'search_needs_hosted_mode')) throw error
    if (flags.all === true || flags.limit !== undefined)
      throw new UsageError(
        `A search has limit and cursor among its params; tenon search ${flags.connectorId} ${entity} --all goes through every hit`,
      )
  }
}

/** What counts records has nothing to count where there is one. */
function requireListing({ wanted: { entity, action }, flags }: Trial): void {
  if (gives(action, 'list', 'hits')) return
  const given = flags.limit === undefined ? flags.all : true
  if (given !== true) return
  const flag = spelled(flags.limit === undefined ? 'all' : 'limit')
  const what = gives(action, 'stream') ? 'a file' : 'one answer'
  throw new UsageError(
    `${entity}.${action} is no listing: it has ${what}, and ${flag} goes through records; leave it out`,
  )
}

/** Flags of an account of one's own. */
const OF_ACCOUNTS = ['sandbox', 'record', ...VENDOR_FLAGS] as const

/** The service knows the account of an instance; what says otherwise would be ignored. */
function requireOneTarget(flags: TryFlags): void {
  if (flags.connectorId === undefined) {
    if (flags.url !== undefined) throw new UsageError('--url goes with --connector-id')
    return
  }
  const other = OF_ACCOUNTS.find((name) => flags[name] !== undefined)
  if (other !== undefined)
    throw new UsageError(`${spelled(other)} and --connector-id exclude each other`)
}

async function runOperation(
  client: Client,
  { found, wanted, files, flags, context }: Trial,
): Promise<ExitCode | Result> {
  const { entity, action } = wanted
  const params = { ...wanted.params, ...files }
  const { out, err } = context.terminal
  if (flags.preview === true) return await preview(client, { entity, action, params })
  const options = { signal: context.signal }
  if (gives(action, 'stream'))
    return await save(await client.execute(entity, action, params, options), flags, context)
  const answer = client.execute(entity, action, params, options)
  if (gives(action, 'hits')) {
    const value = await answer
    return { value, shown: jsonText(out, value) }
  }
  /** Says that a listing may have been cut short. */
  const warnOfEnd = (page: Page): void => {
    const doubt = doubtfulEndOf(`${entity}.${action}`, page)
    if (doubt !== null) err.write(wrapText(`${err.paint('yellow', 'warning')}  ${doubt}\n`, err))
  }
  const [described] = client.describe(entity)
  const record = described?.record ?? null
  const tableOf = async (records: readonly Json[]): Promise<string> => {
    // A table that a person reads, of an account that has copies.
    const isNamed = out.isTerminal && flags.connectorId !== undefined
    const entities = isNamed ? client.describe() : []
    const find = async (of: string, asked: JsonObject): Promise<SearchResult['hits']> =>
      ((await client.execute(of, SEARCH, asked, options)) as unknown as SearchResult).hits
    const names = await namesFor(records, record, { entities, find })
    return recordTable(out, records, { record, names })
  }
  if ((flags.all === true || flags.limit !== undefined) && 'pages' in answer) {
    const { limit, json } = flags
    const unmatched = unmatchedPointers(found.isPackaged)
    const recordsOf = (page: Page): readonly Json[] => {
      unmatched.add(page)
      return page.records as readonly Json[]
    }
    const walk = { label: 'records', recordsOf, limit, json, tableOf }
    const { records, pages, last } = await showPages(answer.pages(), walk, context.terminal)
    if (last !== null) warnOfEnd(last)
    err.write(`${records} records on ${pages} ${pages === 1 ? 'page' : 'pages'}\n`)
    err.write(wrapText(unmatched.told(), err))
    return EXIT.done
  }
  const value = (await answer) as unknown as Page<Json, JsonObject>
  warnOfEnd(value)
  if (value.records === undefined) {
    // The types say records; a call may give none.
    const data = value.data as Json
    const shown = data === null && out.isTerminal ? doneText(wanted, flags) : jsonText(out, data)
    return { value, shown }
  }
  const unmatched = unmatchedPointers(found.isPackaged)
  unmatched.add(value)
  err.write(wrapText(unmatched.told(), err))
  const next = value.meta['next'] ?? null
  const shown = flags.json === true ? '' : await tableOf(value.records)
  if (next === null || flags.json === true) return { value, shown }
  const note = `There are more pages: --all goes through them; the next one alone has the params ${JSON.stringify(next)}\n`
  return { value, shown, note }
}

/** What a person is told of a call that was answered without a record. */
function doneText({ entity, action, params }: Operation, { sandbox }: TryFlags): string {
  const given = Object.entries(params ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [`${name} ${value}`] : [],
  )
  const removed = kindOf(action)?.effect === 'removes'
  const what = [`${entity}.${action}`, ...given].join(', ')
  const where = sandbox === true ? ', in the sandbox' : ''
  return `${removed ? 'deleted' : 'done'}: ${what}${where}; the answer holds no record\n`
}

/**
 * The pointers of the manifest that found nothing on any of the pages that are added, and what is said of them. Of a
 * packaged connector it is known what its third party leaves out of `meta`, and null says it.
 */
function unmatchedPointers(isPackaged: boolean): { add: (page: Page) => void; told: () => string } {
  let never: readonly string[] | null = null
  let pages = 0
  return {
    add(page) {
      const all = unmatchedOf(page)
      if (all === null) return
      const found = isPackaged ? all.filter((pointer) => !pointer.includes(META_USE)) : all
      pages += 1
      never = never === null ? found : never.filter((pointer) => found.includes(pointer))
    },
    told() {
      if (never === null || never.length === 0) return ''
      const where = pages === 1 ? 'in the answer' : `on any of ${pages} pages`
      return never.map((pointer) => `${unmatchedInWords(pointer, where)}\n`).join('')
    },
  }
}

const META_USE = ' (meta.'

/** What comes of a pointer that finds nothing: `$.total (meta.total)`, `$.nxt (pagination)`. */
function unmatchedInWords(pointer: string, where: string): string {
  const [, path = pointer, use = ''] = /^(.*) \(([^()]+)\)$/s.exec(pointer) ?? []
  if (use.startsWith('meta.')) {
    const name = use.slice(use.lastIndexOf('.') + 1)
    return `${use} is null: there is no ${path} ${where}; where the third party may send none, "${name}?" leaves it out`
  }
  return `There is no ${path} ${where}, which the manifest reads for its ${use}`
}

/** Runs the operation once on tape: what came back, scrubbed, and next to it the call and its answer. */
async function record(
  { found: { manifest }, wanted: { entity, action, params = {} }, files, flags, context }: Trial,
  target: Target,
  name: string,
): Promise<Result> {
  if (gives(action, 'stream'))
    throw new UsageError('A file cannot be recorded; record the other actions')
  if (Object.keys(files).length > 0)
    throw new UsageError(
      'A file that is read while it is sent cannot be recorded; give its base64 in --params',
    )
  const { recorder } = await import('../sandbox/testing/recorder.ts')
  const { scrubbedCredentials } = await import('../sandbox/testing/scrubbed-credentials.ts')
  const { writeRecorded } = await import('../sandbox/testing/recorded-operation.ts')
  const dir = resolve(context.folder, flags.recordings)
  const full = name.includes('/') ? name : `${manifest.type}/${name}`
  const { config = {}, credentials: given } = target.options
  const { credentials, secrets } = scrubbedCredentials(manifest, given as JsonObject)
  const tape = await recorder(full, { dir, mode: 'record' })
  for (const secret of secrets) tape.hide(secret)
  try {
    await using client = await target.connect({ dispatcher: tape.dispatcher })
    const { data } = (await client.execute(entity, action, params, {
      signal: context.signal,
    })) as unknown as { readonly data: Json }
    const file = writeRecorded(dir, full, { params, credentials, config, data })
    return { value: { file }, shown: `${file}\n` }
  } finally {
    await tape.stop()
  }
}

async function preview(
  client: Client,
  { entity, action, params }: Omit<Operation, 'params'> & { readonly params: object },
): Promise<Result> {
  const { requests } = await client.preview(entity, action, params)
  const lines = requests.map(({ after, curl }, index) =>
    after === null ? `${curl}\n` : `\n# request ${index + 1}, sent when ${after}\n${curl}\n`,
  )
  const note =
    requests.length > 0 ? '' : 'Nothing would be sent: a search asks the synchronized copy.\n'
  return { value: { requests }, shown: lines.join(''), note }
}

async function save(
  file: Download,
  { out: path }: TryFlags,
  context: CommandContext,
): Promise<ExitCode | Result> {
  if (path === undefined && context.terminal.out.isTerminal) {
    file.cancel()
    throw new UsageError('This action answers a file: add --out <file>, or redirect the output')
  }
  let bytes = 0
  await withProgress(
    context.terminal.err,
    { label: path ?? 'download', format: formatBytes },
    async (update) => {
      const counted = async function* (): AsyncGenerator<Uint8Array> {
        for await (const chunk of file) {
          bytes += chunk.length
          update(bytes, file.contentLength)
          yield chunk
        }
      }
      if (path === undefined) await pipeline(counted, process.stdout, { end: false })
      else await writeWhole(resolve(context.folder, path), counted())
    },
  )
  if (path === undefined) return EXIT.done
  const type = file.contentType ?? 'unknown type'
  const shown = `${path}  ${formatBytes(bytes)}  ${type}  status ${file.status}\n`
  return { value: { ...file.toJSON(), bytes, path }, shown }
}
