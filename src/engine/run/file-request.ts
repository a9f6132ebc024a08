// The request for a file whose address an answer named: without credentials unless the manifest says otherwise.
import { compileTemplate } from '../../language/expression/evaluate.ts'
import { ConnectorError } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { ownAt } from '../../language/json/members.ts'
import type { Download } from '../../language/manifest/manifest.ts'
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
  { compiled, ports }: Run,
  download: Download,
  { scope, fresh }: RunResult,
  url: string,
): UpstreamRequest {
  const { hosts } = compiled.manifest.server
  const headers: Record<string, string> = {}
  for (const entry of download.headers) {
    const value = compileTemplate(entry.value)(scope)
    if (value !== undefined && value !== null) headers[entry.name] = headerValue(value)
  }
  const request = { ...plainFileRequest(url, download), headers }
  if (download.auth === 'none') return request
  if (!mayReceiveCredentials(new URL(url), ports.server(fresh, scope), hosts)) {
    throw new ConnectorError(
      'destination_refused',
      `the file lies on ${new URL(url).host}, which is not a host that may receive the credentials; list it under server.hosts`,
    )
  }
  return {
    ...request,
    headers: { ...headers, ...fresh.applied.headers },
    secretHeaders: Object.keys(fresh.applied.headers),
    ...(fresh.applied.sign === undefined ? {} : { sign: fresh.applied.sign }),
    ...(fresh.applied.tls === undefined ? {} : { tls: fresh.applied.tls }),
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
