// A request of the caller's own making, and its answer.
import { ConnectorError, problemError } from '../errors.ts'
import type { RawQuery, RawRequest } from '../engine/run/raw-request.ts'
import { toPlainJson } from '../engine/run/params-to-json.ts'
import type { FileSource } from '../language/expression/file-source.ts'
import { exactToText } from '../language/json/exact-number.ts'
import type { Json } from '../language/json/json.ts'
import { parseJson } from '../language/json/parse-json.ts'
import { Download } from './download.ts'
import { type FileInput, openFiles, type OpenFileInput, takeFiles } from './files.ts'
import type { StreamedAnswer } from './service-platform.ts'

export interface OwnRequest {
  /** Default: GET. */
  readonly method?: string
  /** Below the base URL of the account, with a slash in front; or a whole address of a host that the manifest lists by name. */
  readonly path: string
  readonly query?: RawQuery
  /** None that Tenon sets itself: Host, Authorization, Content-Length, Cookie, Connection and their like. */
  readonly headers?: Readonly<Record<string, string>>
  /** A text, a file (bytes, a Blob, a stream, `fileFrom`), or a value that is sent as JSON. */
  readonly body?: string | Exclude<FileInput, string> | object
}

const MAX_BYTES = 32 * 1024 * 1024

/**
 * What the third party answered. Its body is read once: `json`, `text`, `toBytes`, `toFile`, or as a stream. A body that is
 * not read must be cancelled; after 60 s without a reader it cancels itself.
 */
export class OwnAnswer extends Download {
  /** Names in lower case. Secrets are masked, and cookies are not passed on. */
  readonly headers: Readonly<Record<string, string>>

  constructor(answer: StreamedAnswer) {
    super(answer)
    this.headers = answer.headers
  }

  /** The body as text in UTF-8. Throws `upstream_response_too_large` beyond 32 MiB. */
  async text(): Promise<string> {
    const bytes = await this.toBytes({ maxBytes: MAX_BYTES })
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  }

  /** The body as JSON; numbers that a double cannot hold are text. Throws `upstream_malformed` for what is none. */
  async json(): Promise<Json> {
    const text = await this.text()
    try {
      return exactToText(parseJson(text))
    } catch (cause) {
      throw new ConnectorError(
        'upstream_malformed',
        `the third party answered ${this.status} with a body that is no JSON`,
        { cause },
      )
    }
  }
}

/** The parts of a request, its body in one of three forms. */
export interface ReadRequest extends Omit<RawRequest, 'body'> {
  readonly body:
    | { readonly kind: 'json'; readonly value: Json }
    | { readonly kind: 'text'; readonly value: string }
    | { readonly kind: 'file'; readonly value: FileSource }
    | null
}

/** Throws `params_invalid` for what is no request. */
export async function readRequest(given: OwnRequest, open: OpenFileInput): Promise<ReadRequest> {
  // Callers need not be TypeScript.
  const { method = 'GET', path, query, headers, body } = given as Partial<OwnRequest>
  if (typeof path !== 'string') throw wrong('/path', 'a request needs a path')
  if (typeof method !== 'string') throw wrong('/method', 'must be a text')
  return {
    method,
    path,
    // Values that are checked where they are used.
    ...(query === undefined ? {} : { query: toPlainJson(query, '/query') as RawQuery }),
    ...(headers === undefined
      ? {}
      : { headers: toPlainJson(headers, '/headers') as Readonly<Record<string, string>> }),
    body: await readBody(body, open),
  }
}

async function readBody(
  body: OwnRequest['body'] | null,
  open: OpenFileInput,
): Promise<ReadRequest['body']> {
  if (body === undefined || body === null) return null
  if (typeof body === 'string') return { kind: 'text', value: body }
  const { params, files } = takeFiles({ body })
  const { body: file } = await openFiles(files, open)
  if (file !== undefined) return { kind: 'file', value: file }
  return { kind: 'json', value: toPlainJson(params, '')['body'] ?? null }
}

/** What the engine sends. */
export function rawOf({ body, ...request }: ReadRequest): RawRequest {
  if (body === null) return request
  const [type, content] =
    body.kind === 'file'
      ? ([body.value.type ?? 'application/octet-stream', body.value] as const)
      : body.kind === 'text'
        ? (['text/plain; charset=utf-8', body.value] as const)
        : (['application/json', JSON.stringify(body.value)] as const)
  return { ...request, body: { type, content } }
}

/** The answer as a service passes it on. Throws `service_malformed`. */
export function answerOf({ headers, body }: StreamedAnswer): StreamedAnswer {
  const status = Number(headers['tenon-upstream-status'])
  try {
    const told = JSON.parse(headers['tenon-upstream-headers'] ?? '') as Record<string, string>
    if (Number.isInteger(status)) return { status, headers: told, body }
  } catch {
    // Told below, as one thing.
  }
  body.cancel()
  throw new ConnectorError(
    'service_malformed',
    'the service did not say what the third party answered; is it of an earlier version?',
  )
}

function wrong(pointer: string, detail: string): ConnectorError {
  return problemError('params_invalid', { pointer, code: 'type', detail })
}
