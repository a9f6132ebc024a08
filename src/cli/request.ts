// `tenon request`: one request of the caller's own making, with the credentials of an account.
import { resolve } from 'node:path'
import { fileFrom } from '../client/files.ts'
import type { Client, OwnRequest } from '../client/client.ts'
import {
  collect,
  type CommandContext,
  type Configure,
  type FlagsOf,
  leaf,
  spelled,
  wholeNumber,
} from './command.ts'
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts'
import { findManifest, type FoundManifest } from './manifest-files.ts'
import { openService, openServiceInstance } from './running-service.ts'
import {
  ACCOUNT_OPTIONS,
  PLACE_OPTIONS,
  sandboxTarget,
  VENDOR_FLAGS,
  vendorTarget,
} from './target.ts'
import { readJsonFlag } from './try-input.ts'

export const docs = 'host-apps#send-your-own-request'
export const notes = `The body of the answer goes to standard output as text or to --out as it is, its status to standard error; exit code 0 for every status
below 400. An instance of a service (--connector-id) needs no credentials here: TENON_TOKEN, or TENON_CLIENT_ID and
TENON_CLIENT_SECRET of an application that is allowed to send requests.`

export const examples: readonly string[] = [
  'tenon request gong /v2/users --sandbox',
  `tenon request jira /rest/api/3/issue --method POST --json-body '{"fields":{}}'`,
  'tenon request gong /v2/users --connector-id 0199f3a1-… --url https://tenon.example.com',
]

const OPTIONS = {
  '--method <name>': { text: 'of HTTP', default: 'GET' },
  '--query <json>': 'query: JSON, @file, or - for standard input',
  '--header <name: value>': { text: 'a header; may be repeated', parse: collect, default: [] },
  '--json-body <json>': 'body: JSON, @file, or - for standard input',
  '--body-file <file>': 'body: the bytes of a file, sent while they are read',
  '--out <file>': 'where to write the body of the answer',
  ...ACCOUNT_OPTIONS,
  ...PLACE_OPTIONS,
  '--timeout <seconds>': { text: 'waits included', parse: wholeNumber, default: 60 },
} as const

type RequestFlags = FlagsOf<typeof OPTIONS>

export const configure: Configure = leaf({
  arguments: {
    '<type>': 'connector type (gong, jira), or the path of a manifest',
    '<path>': 'below the base URL of the account, with a slash in front',
  },
  options: OPTIONS,
  async run({ type, path, ...flags }, context) {
    const found = await findManifest(type, context.folder)
    const request = await requestOf(path, flags, context)
    return flags.connectorId === undefined
      ? await sendDirectly(found, request, flags, context)
      : await sendOnService(flags.connectorId, request, flags, context)
  },
})

async function sendDirectly(
  found: FoundManifest,
  request: OwnRequest,
  flags: RequestFlags,
  context: CommandContext,
): Promise<ExitCode> {
  if (flags.url !== undefined) throw new UsageError('--url goes with --connector-id')
  await using target =
    flags.sandbox === true
      ? await sandboxTarget(found)
      : await vendorTarget(found.manifest, flags, context)
  await using client = await target.connect({ timeoutMs: flags.timeout * 1000 })
  return await send(client, request, flags.out, context)
}

async function sendOnService(
  connectorId: string,
  request: OwnRequest,
  flags: RequestFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const other = (['sandbox', ...VENDOR_FLAGS] as const).find((name) => flags[name] !== undefined)
  if (other !== undefined)
    throw new UsageError(`${spelled(other)} and --connector-id exclude each other`)
  const timeoutMs = flags.timeout * 1000
  await using service = openService(flags, context, { timeoutMs })
  const { client: hosted } = await openServiceInstance(service, connectorId, timeoutMs)
  await using client = hosted
  return await send(client, request, flags.out, context)
}

async function send(
  client: Client,
  request: OwnRequest,
  file: string | undefined,
  { terminal: { out, err }, signal, folder }: CommandContext,
): Promise<ExitCode> {
  const answer = await client.request(request, { signal })
  err.write(`status ${answer.status}\n`)
  if (file !== undefined) await answer.toFile(resolve(folder, file))
  else {
    const decoder = new TextDecoder()
    for await (const piece of answer) out.write(decoder.decode(piece, { stream: true }))
  }
  return answer.status < 400 ? EXIT.done : EXIT.upstream
}

async function requestOf(
  path: string,
  { method, query, header, jsonBody, bodyFile }: RequestFlags,
  context: CommandContext,
): Promise<OwnRequest> {
  if (jsonBody !== undefined && bodyFile !== undefined)
    throw new UsageError('--json-body and --body-file exclude each other')
  const body =
    bodyFile === undefined
      ? await readJsonFlag('--json-body', jsonBody, context)
      : fileFrom({ path: resolve(context.folder, bodyFile) })
  const asked = await readJsonFlag('--query', query, context)
  return {
    method,
    path,
    // Its values are checked where they are used.
    ...(asked === undefined ? {} : { query: asked as NonNullable<OwnRequest['query']> }),
    headers: Object.fromEntries(header.map(headerIn)),
    ...(body === undefined ? {} : { body }),
  }
}

function headerIn(text: string): readonly [string, string] {
  const at = text.indexOf(':')
  if (at <= 0) throw new UsageError(`--header "${text}": write name: value`)
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}
