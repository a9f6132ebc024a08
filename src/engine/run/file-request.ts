// The request for a file whose address an answer named: without credentials unless the manifest says otherwise.
import type { FreshCredentials } from '../credentials/fresh-credentials.ts'
import { compileTemplate } from '../../language/expression/evaluate.ts'
import { ConnectorError } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { ownAt } from '../../language/json/members.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import type { Download, Entry } from '../../language/manifest/manifest.ts'
import { headerValue } from '../../language/expression/text-value.ts'
import { mayReceiveCredentials } from '../request/hosts.ts'
import type { UpstreamRequest } from '../request/upstream-request.ts'
import type { Run, RunResult } from './steps.ts'

/** Of the head; the body has a minimum rate instead of a total time. */
const HEAD_TIMEOUT_MS = 30_000

/**
 * GET of a file at `url`. A media host sees no credentials, no cookies and none of their query parameters; with
 * `auth: same` they go along only where they may go at all (the server's origin, hosts listed without `*`).
 */
export function fileRequest(
  run: Run,
  download: Download,
  { scope, fresh }: Pick<RunResult, 'scope' | 'fresh'>,
  url: string,
): UpstreamRequest {
  const headers = renderHeaders(download.headers, scope)
  const request = { ...plainFileRequest(url, download), headers }
  return download.auth === 'none'
    ? request
    : withCredentials(run, request, { scope, fresh, what: 'the file lies' })
}

/** Headers of a request to an address that an answer named. */
export function renderHeaders(entries: readonly Entry[], scope: Scope): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const entry of entries) {
    const value = compileTemplate(entry.value)(scope)
    if (value !== undefined && value !== null) headers[entry.name] = headerValue(value)
  }
  return headers
}

/** The request with credentials. Throws `destination_refused` where its address, which an answer named, may not see them. */
export function withCredentials(
  { compiled, ports }: Pick<Run, 'compiled' | 'ports'>,
  request: UpstreamRequest,
  {
    scope,
    fresh,
    what,
  }: Pick<RunResult, 'scope' | 'fresh'> & {
    /** What stands at the address, for the message. */
    readonly what: string
  },
): UpstreamRequest {
  const url = new URL(request.url)
  const { hosts } = compiled.manifest.server
  if (!mayReceiveCredentials(url, ports.server(fresh, scope), hosts)) {
    throw new ConnectorError(
      'destination_refused',
      `${what} on ${url.host}, which is not a host that may receive the credentials; list it under server.hosts`,
    )
  }
  return { ...request, ...credentialsOf(request, fresh) }
}

/** What of a request changes with credentials. */
export function credentialsOf(
  { headers }: Pick<UpstreamRequest, 'headers'>,
  { applied }: Pick<FreshCredentials, 'applied'>,
): Pick<UpstreamRequest, 'headers' | 'secretHeaders' | 'sign' | 'tls'> {
  return {
    headers: { ...headers, ...applied.headers },
    secretHeaders: Object.keys(applied.headers),
    ...(applied.sign === undefined ? {} : { sign: applied.sign }),
    ...(applied.tls === undefined ? {} : { tls: applied.tls }),
  }
}

/** A request for a file that carries nothing. */
export function plainFileRequest(url: string, { redirects }: Download): UpstreamRequest {
  return {
    method: 'GET',
    url,
    headers: {},
    body: null,
    redirects,
    timeoutMs: HEAD_TIMEOUT_MS,
    secretHeaders: [],
    secretQuery: [],
  }
}

/** The range that the caller wants; null: the whole file. */
export function rangeIn({ range }: Download, params: JsonObject): string | null {
  const value = range === null ? undefined : ownAt(params, range)
  return typeof value === 'string' ? value : null
}

/** The request with a Range header, when a range is wanted. */
export function withRange(request: UpstreamRequest, range: string | null): UpstreamRequest {
  return range === null
    ? request
    : { ...request, headers: { ...request.headers, range: headerValue(range) } }
}
