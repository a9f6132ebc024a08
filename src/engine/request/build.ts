// A request template and its values → the request that leaves. Pure: the same input gives the same bytes.
import { compileTemplate } from '../../language/expression/evaluate.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import type { Body } from '../../language/manifest/body-forms/body-form.ts'
import { compileBody, toolIn } from '../../language/manifest/body-forms/forms.ts'
import type {
  Entry,
  Manifest,
  RequestTemplate,
  ResponseRules,
} from '../../language/manifest/manifest.ts'
import { type BaseUrl, standIn } from './base-url.ts'
import { compileEntries, encodePairs } from './entries.ts'
import { mayReceiveCredentials } from './hosts.ts'
import { compileRequestPath } from './path.ts'
import { attempt, type Refusals, throwRefusals } from '../../language/expression/refusals.ts'
import { headerValue } from '../../language/expression/text-value.ts'
import { StreamedBody } from './streamed-body.ts'
import type { UpstreamRequest } from './upstream-request.ts'

/** Credentials in the form in which they travel. Header names in lower case. */
export interface AppliedCredentials {
  readonly headers: Readonly<Record<string, string>>
  readonly query: readonly (readonly [name: string, value: string])[]
  /** Headers that are made of the request as it leaves, for each attempt. */
  readonly sign?: UpstreamRequest['sign']
  /** What connections show. */
  readonly tls?: UpstreamRequest['tls']
}

/** Where a request goes and with what authority. */
export interface RequestTarget {
  readonly base: BaseUrl
  readonly credentials: AppliedCredentials | null
  /** One value per operation for vendors with an idempotency header. */
  readonly idempotency?: { readonly header: string; readonly value: string }
}

export interface BuildOptions {
  /** How the answer will be read, which decides what is accepted. Default `json`. */
  readonly decode?: ResponseRules['decode']
  readonly accept?: string
  /** Replaces the literal origin of the template; null: as the manifest says. */
  readonly serverUrl?: string | null
}

/**
 * Renders one request. Throws `params_invalid` with the pointers of all parameters that cannot stand where the template
 * puts them, `internal_error` where only the manifest can be the cause.
 */
export type BuildRequest = (scope: Scope, target: RequestTarget) => UpstreamRequest

/** A tool answers in JSON-RPC, whatever its result is read as. */
const TOOL_ACCEPT = 'application/json, text/event-stream'

const ACCEPT: Readonly<Record<ResponseRules['decode'], string>> = {
  json: 'application/json',
  jsonl: 'application/jsonl, application/x-ndjson, application/json',
  csv: 'text/csv',
  xml: 'application/xml, text/xml',
  text: 'text/*, */*',
  none: '*/*',
  content: TOOL_ACCEPT,
}

const NO_NAMES: readonly string[] = []

/** Compiles a request template: closures are made once, a call only fills them in. */
export function compileRequest(
  template: RequestTemplate,
  manifest: Manifest,
  options: BuildOptions = {},
): BuildRequest {
  const renderPath = compileRequestPath(template.path)
  const renderQuery = compileEntries(template.query)
  const renderBody = compileBody(template.body, compileEntries)
  const renderHeaders = compileHeaders(template.headers)
  const accept =
    toolIn(template.body) === null
      ? (options.accept ?? ACCEPT[options.decode ?? 'json'])
      : TOOL_ACCEPT
  const { method, redirects, timeoutMs } = template
  const elsewhere = literalBase(template, options.serverUrl ?? null)

  return (scope, target) => {
    const refusals: Refusals = []
    const { origin, path: prefix } = elsewhere ?? target.base
    const path = renderPath(scope, refusals)
    let query = renderQuery(scope, refusals)
    const headers: Record<string, string> = { accept }
    const body = renderBody(scope, refusals)
    if (body !== null) headers['content-type'] = body.type
    renderHeaders(scope, headers, refusals)
    throwRefusals(refusals)
    if (target.idempotency !== undefined)
      headers[target.idempotency.header.toLowerCase()] = target.idempotency.value

    const credentials = credentialsFor(template, manifest, target)
    let secretHeaders = NO_NAMES
    let secretQuery = NO_NAMES
    if (credentials !== null) {
      Object.assign(headers, credentials.headers)
      secretHeaders = Object.keys(credentials.headers)
      if (credentials.query.length > 0) {
        const secret = encodePairs(credentials.query)
        query = query === '' ? secret : `${query}&${secret}`
        secretQuery = credentials.query.map(([name]) => name)
      }
    }
    const address = template.path.length === 0 ? `${origin}${prefix}` : `${origin}${prefix}/${path}`
    return {
      method,
      url: query === '' ? address : `${address}?${query}`,
      headers,
      body: body === null ? null : sentBody(body),
      redirects,
      timeoutMs,
      secretHeaders,
      secretQuery,
      ...(credentials?.sign === undefined ? {} : { sign: credentials.sign }),
      ...(credentials?.tls === undefined ? {} : { tls: credentials.tls }),
    }
  }
}

function sentBody({ content }: Body): UpstreamRequest['body'] {
  const isWhole = typeof content === 'string' || content instanceof Uint8Array
  return isWhole ? content : new StreamedBody(content)
}

type RenderHeaders = (scope: Scope, into: Record<string, string>, refusals: Refusals) => void

function compileHeaders(entries: readonly Entry[]): RenderHeaders {
  const compiled = entries.map((entry) => ({
    name: entry.name.toLowerCase(),
    tree: entry.value,
    evaluate: compileTemplate(entry.value),
  }))
  return (scope, into, refusals) => {
    for (const { name, tree, evaluate } of compiled) {
      const value = attempt(refusals, tree, () => {
        const given = evaluate(scope)
        return given === undefined || given === null ? undefined : headerValue(given)
      })
      if (value !== undefined) into[name] = value
    }
  }
}

/** Where a request goes that names its own origin; null: to the base URL. */
function literalBase({ origin }: RequestTemplate, serverUrl: string | null): BaseUrl | null {
  if (origin === null) return null
  return serverUrl === null ? { origin, path: '' } : standIn(serverUrl)
}

function credentialsFor(
  template: RequestTemplate,
  manifest: Manifest,
  { base, credentials }: RequestTarget,
): AppliedCredentials | null {
  if (credentials === null || template.auth === 'none') return null
  // Also behind `serverUrl`: what stands in for the vendor gets what the vendor would get.
  if (template.origin === null) return credentials
  return mayReceiveCredentials(new URL(template.origin), base, manifest.server.hosts)
    ? credentials
    : null
}
