// `tenon try`: one operation from the command line, against the vendor or the sandbox.
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Client } from '../client/client.ts'
import { connect } from '../client/connect.ts'
import type { Download } from '../client/download.ts'
import { doubtfulEndOf, type Page, type PageCall } from '../client/page-call.ts'
import { type ConnectorError, isConnectorError } from '../errors.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { gives } from '../language/manifest/actions.ts'
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
import { describeError } from './describe-error.ts'
import { EXIT, exitCodeOf, UsageError } from './exit-codes.ts'
import { findManifest, type FoundManifest } from './manifest-files.ts'
import { formatBytes, withProgress } from './terminal.ts'
import { openService, openServiceInstance, SERVICE_OPTIONS } from './running-service.ts'
import { tableFor } from './table.ts'
import { sandboxTarget, type Target, vendorTarget } from './target.ts'
import { readJsonFlag, variablesOf } from './try-input.ts'
import { writeWhole } from './written-files.ts'

export const docs = 'twenty-minutes'
export const notes = `An instance of a service (--connector-id) needs no credentials here: TENON_TOKEN, or TENON_CLIENT_ID and
TENON_CLIENT_SECRET of an application.`

export const examples: readonly string[] = [
  `tenon try jira issues.get --params '{"issueIdOrKey":"OPS-1"}' --sandbox`,
  'tenon try gong calls.list --all --limit 500 --json --sandbox',
  'tenon try jira issues.update --params @change.json --preview',
  'tenon try gong calls.list --connector-id 0199f3a1-… --url https://tenon.example.com',
  'TENON_TRY_ACCESS_KEY=… TENON_TRY_ACCESS_KEY_SECRET=… tenon try gong users.list',
]

const OPTIONS = {
  '--params <json>': 'parameters: JSON, @file, or - for standard input',
  '--config <json>': 'settings of the connector: JSON or @file; else TENON_TRY_<SETTING>',
  '--credentials <@file>': 'credentials as JSON in a file; else TENON_TRY_<FIELD>',
  '--auth-method <name>': 'authentication method, where the credentials fit several',
  '--preview': 'print the requests as curl, secrets masked, and send nothing',
  '--all': 'go through all pages',
  '--limit <n>': { text: 'records at most, with --all', parse: wholeNumber },
  '--out <file>': 'where to write a download',
  '--record <name>': 'write a recording of this name, without secrets, for tests',
  '--recordings <folder>': { text: 'where recordings lie', default: 'test/recordings' },
  '--sandbox': 'against a local vendor made from the manifest',
  '--server-url <url>': 'another origin instead of the vendor, for example a running sandbox',
  '--connector-id <id>': 'an instance of a service instead of an account of your own',
  ...SERVICE_OPTIONS,
  '--timeout <seconds>': { text: 'for one call, waits included', parse: wholeNumber, default: 60 },
  '--json': 'one JSON document, or one line per record with --all',
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
    const params =
      flags.params === undefined ? {} : await readJsonFlag('--params', flags.params, context)
    try {
      const call = { found, wanted: { entity, action, params }, flags, context }
      // A misspelt operation is said before credentials are asked for.
      requireOperation(call)
      await (flags.connectorId === undefined
        ? tryDirectly(call)
        : tryOnService(call, flags.connectorId))
      return EXIT.done
    } catch (error) {
      if (!isConnectorError(error)) throw error
      report(error, found.manifest, flags, context)
      return exitCodeOf(error)
    }
  },
})

/** One call of the command. */
interface Trial {
  readonly found: FoundManifest
  readonly wanted: Operation
  readonly flags: TryFlags
  readonly context: CommandContext
}

async function tryOnService(trial: Trial, connectorId: string): Promise<void> {
  const { found, flags, context } = trial
  const timeoutMs = flags.timeout * 1000
  await using service = openService(flags, context, { timeoutMs })
  const { instance, client: hosted } = await openServiceInstance(service, connectorId, timeoutMs)
  await using client = hosted
  if (instance.connector_type !== found.manifest.type)
    throw new UsageError(`${connectorId} is an instance of ${instance.connector_type}`)
  await runOperation(client, trial)
}

async function tryDirectly(trial: Trial): Promise<void> {
  const { found, flags, context } = trial
  await using target =
    flags.sandbox === true
      ? await sandboxTarget(found)
      : await vendorTarget(found.manifest, flags, context)
  if (flags.record !== undefined) return await record(trial, target.options, flags.record)
  const timeoutMs = flags.timeout * 1000
  await using client = await connect(found.manifest, { ...target.options, timeoutMs })
  await runOperation(client, trial)
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

/** Flags of an account of one's own. */
const OF_ACCOUNTS = [
  'sandbox',
  'credentials',
  'config',
  'authMethod',
  'serverUrl',
  'record',
] as const

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

async function runOperation(client: Client, trial: Trial): Promise<void> {
  const { wanted, flags, context } = trial
  const { entity, action, params } = wanted
  if (flags.preview === true) return await preview(client, trial)
  const options = { signal: context.signal }
  if (gives(action, 'stream'))
    return await save(await client.execute(entity, action, params, options), flags, context)
  const answer = client.execute(entity, action, params, options)
  if (gives(action, 'hits')) return print(context, await answer)
  if (flags.all === true && 'pages' in answer) return await listAll(answer, trial)
  const result = (await answer) as unknown as Page<Json, JsonObject>
  warnOfEnd(wanted, result, context)
  if (flags.json === true || result.records === undefined) {
    return print(context, flags.json === true ? result : result.data)
  }
  const { out } = context.terminal
  out.write(tableFor(out, result.records, FIRST))
  const next = result.meta['next'] ?? null
  if (next !== null)
    context.terminal.err.write(
      `There are more pages: --all goes through them; the next one alone has the params ${JSON.stringify(next)}\n`,
    )
}

/** Says on standard error that a listing may have been cut short. */
function warnOfEnd(
  { entity, action }: Operation,
  page: Page,
  { terminal: { err } }: CommandContext,
): void {
  const doubt = doubtfulEndOf(`${entity}.${action}`, page)
  if (doubt !== null) err.write(`${err.paint('yellow', 'warning')}  ${doubt}\n`)
}

/** Members that are shown first. */
const FIRST = ['id', 'key', 'name', 'title']

/** Runs the operation once on tape: what came back, scrubbed, and next to it the call and its answer. */
async function record(
  { found: { manifest }, wanted: { entity, action, params = {} }, flags, context }: Trial,
  options: Target['options'],
  name: string,
): Promise<void> {
  if (gives(action, 'stream'))
    throw new UsageError('A file cannot be recorded; record the other actions')
  const { recorder } = await import('../sandbox/testing/recorder.ts')
  const { scrubbedCredentials } = await import('../sandbox/testing/scrubbed-credentials.ts')
  const { writeRecorded } = await import('../sandbox/testing/recorded-operation.ts')
  const dir = resolve(context.folder, flags.recordings)
  const full = name.includes('/') ? name : `${manifest.type}/${name}`
  const { credentials, secrets } = scrubbedCredentials(manifest, options.credentials as JsonObject)
  const tape = await recorder(full, { dir, mode: 'record' })
  for (const secret of secrets) tape.hide(secret)
  try {
    await using client = await connect(manifest, { ...options, dispatcher: tape.dispatcher })
    const answer = (await client.execute(entity, action, params, {
      signal: context.signal,
    })) as unknown as { readonly data: Json }
    const { config = {} } = options
    const file = writeRecorded(dir, full, { params, credentials, config, data: answer.data })
    context.terminal.out.write(`${file}\n`)
  } finally {
    await tape.stop()
  }
}

async function preview(client: Client, { wanted, flags, context }: Trial): Promise<void> {
  const { out, err } = context.terminal
  const { requests } = await client.preview(wanted.entity, wanted.action, wanted.params)
  if (flags.json === true) return print(context, { requests })
  if (requests.length === 0)
    err.write('Nothing would be sent: a search asks the synchronized copy.\n')
  for (const [index, { after, curl }] of requests.entries()) {
    if (after !== null) out.write(`\n# request ${index + 1}, sent when ${after}\n`)
    out.write(`${curl}\n`)
  }
}

async function listAll(listing: PageCall, { wanted, flags, context }: Trial): Promise<void> {
  const { out, err } = context.terminal
  const { limit = Number.POSITIVE_INFINITY } = flags
  const shown: Json[] = []
  let pages = 0
  let count = 0
  let last: Page | null = null
  await withProgress('records', async (update) => {
    for await (const page of listing.pages()) {
      pages++
      const records = page.records.slice(0, limit - count) as readonly Json[]
      count += records.length
      if (flags.json === true)
        for (const record of records) out.write(`${JSON.stringify(record)}\n`)
      else shown.push(...records)
      update(count, null)
      last = page
      if (count >= limit) break
    }
  })
  if (flags.json !== true) out.write(tableFor(out, shown, FIRST))
  if (last !== null) warnOfEnd(wanted, last, context)
  err.write(`${count} records on ${pages} ${pages === 1 ? 'page' : 'pages'}\n`)
}

async function save(
  file: Download,
  { out: path, json }: TryFlags,
  context: CommandContext,
): Promise<void> {
  const { out } = context.terminal
  if (path === undefined && out.isTerminal) {
    file.cancel()
    throw new UsageError('This action answers a file: add --out <file>, or redirect the output')
  }
  let bytes = 0
  await withProgress(
    path ?? 'download',
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
    formatBytes,
  )
  if (path === undefined) return
  if (json === true) return print(context, { ...file.toJSON(), bytes, path })
  const type = file.contentType ?? 'unknown type'
  out.write(`${path}  ${formatBytes(bytes)}  ${type}  status ${file.status}\n`)
}

function report(
  error: ConnectorError,
  manifest: Manifest,
  flags: TryFlags,
  context: CommandContext,
): void {
  if (flags.json === true) print(context, { error: error.toJSON() })
  context.terminal.err.write(describeError(error, context.terminal.err, context.docs))
  if (
    error.code === 'credentials_invalid' &&
    flags.credentials === undefined &&
    flags.sandbox !== true &&
    flags.connectorId === undefined
  ) {
    context.terminal.err.write(
      `Set them in the environment (${variablesOf(manifest).join(', ')}), or add --sandbox, which needs none.\n`,
    )
  }
}

/** One JSON document; people get it indented. */
function print({ terminal: { out } }: CommandContext, value: unknown): void {
  out.write(`${JSON.stringify(value, null, out.isTerminal ? 2 : undefined)}\n`)
}
