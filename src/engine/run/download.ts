// A file as a stream: its head is delivered after its first byte, and a broken stream never ends cleanly.
import type { Readable } from 'node:stream'
import type { FreshCredentials } from '../credentials/fresh-credentials.ts'
import { ConnectorError, isConnectorError } from '../../errors.ts'
import type { Judgement } from '../exchange/call.ts'
import type { UpstreamStream } from '../exchange/transport.ts'
import { compilePath } from '../../language/expression/pick.ts'
import type { Download } from '../../language/manifest/manifest.ts'
import { signed, type UpstreamRequest } from '../request/upstream-request.ts'
import { isSuccess } from '../response/error-rules.ts'
import type { CompiledAction } from './compiled-action.ts'
import { fileRequest, rangeIn, withRange } from './file-request.ts'
import {
  type AskedStep,
  buildRequest,
  type JudgedStep,
  judgeAnswer,
  type Run,
  type RunResult,
  runSteps,
  scopeOf,
} from './steps.ts'

/** The head of a file and its bytes. */
export interface FileStream {
  readonly status: number
  /** Headers of the allow-list only, names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Holds at least one byte. Must be read or destroyed; errors with `download_interrupted` when the source breaks. */
  readonly body: Readable
  readonly requests: number
}

const PASSED_ON = [
  'content-type',
  'content-length',
  'content-range',
  'content-encoding',
  'accept-ranges',
  'etag',
  'last-modified',
] as const
/** An error body is read for its message only. */
const MAX_ERROR_BYTES = 64 * 1024

/** How the request for a file is made, and with what. */
interface FileCall extends AskedStep {
  readonly download: Download
  readonly fresh: FreshCredentials
  build(fresh: FreshCredentials): UpstreamRequest
}

/** Runs a download action: one request whose answer is the file, or a look-up and then the file. */
export async function runDownload(run: Run): Promise<FileStream> {
  const { compiled, params } = run
  const { download, entity, name } = compiled.action
  const step = compiled.steps.at(-1)
  if (download === null || step === undefined)
    throw new TypeError(`${entity}.${name} is no download`)
  const range = rangeIn(download, params)
  if (download.url === null) {
    const scope = scopeOf(run)
    const build = (fresh: FreshCredentials): UpstreamRequest =>
      withRange(buildRequest(run, step, scope, fresh), range)
    return await fetchFile({ run, download, step, scope, fresh: run.fresh, build })
  }
  const found = await runSteps(run)
  const url = fileAddress(compiled, download, found)
  const request = withRange(fileRequest(run, download, found, url), range)
  const { scope, fresh } = found
  const file = await fetchFile({ run, download, step, scope, fresh, build: () => request })
  return { ...file, requests: file.requests + found.requests }
}

async function fetchFile(call: FileCall): Promise<FileStream> {
  const { run, download, step, fresh } = call
  const { ports, deadline, signal } = run
  const renews = download.url === null || download.auth === 'same'
  let origin = ''
  let sent: UpstreamRequest | null = null
  const result = await ports.exchange.call<FreshCredentials, UpstreamStream, UpstreamStream>({
    fresh,
    renew: renews ? (refused) => ports.keeper.renew(refused, deadline(), signal) : null,
    mayBeStale: ({ isFound }) => isFound,
    build: (current) => {
      const request = signed(call.build(current))
      origin = new URL(request.url).origin
      return (sent = request)
    },
    send: (request, options) => ports.transport.stream(request, options),
    // Credentials stay behind at a redirect to another origin.
    judge: (stream, used) =>
      judgeFile(
        { ...call, sent: () => sent },
        renews && new URL(stream.url).origin === origin ? used : null,
        stream,
      ),
    step,
    run,
    narrow: step.narrow(call.scope),
    goneIsDone: null,
  })
  const { status, headers, body } = result.value
  return { status, headers: allowed(headers), body, requests: result.requests }
}

/** `fresh`: what the host that answered was given; null: the address was all it had to go by. */
async function judgeFile(
  { run, download, step, scope, sent }: FileCall & Pick<JudgedStep, 'sent'>,
  fresh: FreshCredentials | null,
  stream: UpstreamStream,
): Promise<Judgement<UpstreamStream>> {
  const { compiled } = run
  try {
    if (!isSuccess(stream.status)) {
      if (stream.status === 416) throw rangeNotSatisfiable(compiled, stream)
      const body = await readBounded(stream.body)
      const judgement = await judgeAnswer({ run, step, scope, sent }, stream, { body }, fresh)
      if (judgement.kind === 'refused')
        return fresh === null ? aboutLink(compiled, stream, judgement) : judgement
      throw notAFile(compiled, `status ${stream.status}`)
    }
    const type = (stream.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
    if (!isWanted(type, download.types))
      throw notAFile(compiled, type === '' ? 'no content type' : type)
    if (!(await hasByte(stream.body))) {
      throw new ConnectorError('download_empty', `${nameOf(compiled)}: the file has no bytes`)
    }
    return { kind: 'accepted', value: stream }
  } catch (error) {
    stream.body.destroy()
    if (!isConnectorError(error, 'download_interrupted')) throw error
    return brokenBeforeFirstByte(error, stream)
  }
}

/** A host that was given no credentials cannot refuse them, nor miss a permission: it refuses the link. Its waits are its own. */
function aboutLink(
  compiled: CompiledAction,
  { status, url }: UpstreamStream,
  judgement: Extract<Judgement<unknown>, { readonly kind: 'refused' }>,
): Judgement<UpstreamStream> {
  const as = judgement.failure?.as
  if (as !== 'credentials' && as !== 'forbidden') return { ...judgement, elsewhere: true }
  return {
    ...judgement,
    elsewhere: true,
    error(retryAfterMs) {
      const { upstream } = judgement.error(retryAfterMs)
      const { entity, name: action } = compiled.action
      return new ConnectorError(
        'download_link_refused',
        `${nameOf(compiled)}: the link to the file was refused or has expired (status ${status} of ${new URL(url).host}); call again, which asks for a new link`,
        { details: { entity, action }, upstream },
      )
    },
  }
}

/** A stream that broke before anybody saw it may be asked for again. */
function brokenBeforeFirstByte(
  cause: ConnectorError,
  { status, headers, url }: UpstreamStream,
): Judgement<UpstreamStream> {
  return {
    kind: 'refused',
    answer: { status, headers, body: undefined, url },
    renew: false,
    outcome: 'not_applied',
    failure: { kind: 'network', status: null, as: null, rule: null, nothingDone: false },
    error: () =>
      new ConnectorError('upstream_unreachable', `the file broke off before its first byte`, {
        cause,
      }),
  }
}

function fileAddress(
  compiled: CompiledAction,
  download: Download,
  { answer, scope }: RunResult,
): string {
  const found = download.url === null ? undefined : compilePath(download.url)(answer, scope)
  if (typeof found === 'string' && found !== '' && URL.canParse(found, answer.url))
    return new URL(found, answer.url).href
  throw new ConnectorError('download_unavailable', `${nameOf(compiled)}: ${download.missing}`)
}

/** Without declared types anything but a web page is a file. */
function isWanted(type: string, types: readonly string[]): boolean {
  if (types.length === 0) return type !== 'text/html'
  const [main, sub] = type.split('/')
  return types.some((wanted) => {
    const [wantedMain, wantedSub] = wanted.split('/')
    return (wantedMain === '*' || wantedMain === main) && (wantedSub === '*' || wantedSub === sub)
  })
}

/** Resolves when the first byte is there (true) or the stream ended without one (false); rejects with its error. */
async function hasByte(body: Readable): Promise<boolean> {
  if (body.readableLength > 0) return true
  return await new Promise<boolean>((resolve, reject) => {
    const settle = (): void => {
      body.off('readable', onReadable).off('end', onEnd).off('error', onError)
    }
    const onReadable = (): void => {
      // Reading nothing lets a stream that ended without a byte say so.
      if (body.readableLength === 0) {
        body.read(0)
        return
      }
      settle()
      resolve(true)
    }
    const onEnd = (): void => {
      settle()
      resolve(false)
    }
    const onError = (error: Error): void => {
      settle()
      reject(error)
    }
    body.on('readable', onReadable).on('end', onEnd).on('error', onError)
  })
}

/** As much of a body as an error can be told from: 64 KiB and what came with the last of it. */
async function readBounded(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= MAX_ERROR_BYTES) break
  }
  return Buffer.concat(chunks)
}

function allowed(headers: Readonly<Record<string, string>>): Record<string, string> {
  const passed: Record<string, string> = {}
  for (const name of PASSED_ON) {
    const value = headers[name]
    if (value !== undefined) passed[name] = value
  }
  return passed
}

function rangeNotSatisfiable(compiled: CompiledAction, stream: UpstreamStream): ConnectorError {
  const contentRange = stream.headers['content-range'] ?? null
  const size = contentRange === null ? '' : ` (${contentRange.replace('bytes */', '')} bytes)`
  return new ConnectorError(
    'range_not_satisfiable',
    `${nameOf(compiled)}: the range lies outside the file${size}`,
    { details: { contentRange } },
  )
}

function notAFile(compiled: CompiledAction, found: string): ConnectorError {
  return new ConnectorError(
    'upstream_malformed',
    `${nameOf(compiled)}: expected a file, got ${found}`,
  )
}

function nameOf({ manifest, action }: CompiledAction): string {
  return `${manifest.type} ${action.entity}.${action.name}`
}
