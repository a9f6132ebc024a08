// Requests that are no calls of an action: logins, look-ups that finish a connection, subscriptions to webhooks.
import { retryAfterMs } from '../exchange/waits.ts'
import { type ConnectorError, isConnectorError } from '../../errors.ts'
import type { UpstreamResponse } from '../exchange/transport.ts'
import type { Answer } from '../../language/expression/pick.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import type { Json } from '../../language/json/json.ts'
import type { RequestTemplate } from '../../language/manifest/manifest.ts'
import { type BaseUrl, createServerResolver } from '../request/base-url.ts'
import { type AppliedCredentials, compileRequest } from '../request/build.ts'
import { toLink } from '../request/link.ts'
import { secretTextsOf, signed, type UpstreamRequest } from '../request/upstream-request.ts'
import { decodeBody, decodeErrorBody } from '../response/decode.ts'
import { classOfStatus, isSuccess } from '../response/error-rules.ts'
import { compileUpstreamError } from '../response/upstream-error.ts'
import type { MethodContext } from './material.ts'
import { createRedactor, textsIn } from './redact.ts'

/** `method`: null for an API that needs no credentials. */
export interface SideContext extends Pick<MethodContext, 'manifest' | 'ports'> {
  readonly method: MethodContext['method'] | null
}

/** Sends a request of a method. `link`: to the address of the next page of a listing. */
export type Send<T> = (scope: Scope, applied: AppliedCredentials, link?: string) => Promise<T>

/** As {@link compileSideCall}; its answer is read as JSON, and `upstream_malformed` when it is none. */
export function compileFollowUp(...given: Parameters<typeof compileSideCall>): Send<Json> {
  const send = compileSideCall(...given)
  return async (scope, applied) => {
    const { body, headers } = await send(scope, applied)
    return decodeBody(body, headers['content-type'], 'json') ?? null
  }
}

/**
 * Compiles one such request: rendered like any other, sent once.
 *
 * Throws what rendering and the transport throw, and the error of the status for an answer other than 2xx (with
 * `keepsCookies`, than 2xx and 3xx). `name` is the manifest's key, for messages.
 */
export function compileSideCall(
  { manifest, method, ports }: SideContext,
  template: RequestTemplate,
  name: 'session' | 'after_token' | 'revoke' | 'subscribe',
  { keepsCookies = false }: { readonly keepsCookies?: boolean } = {},
): Send<UpstreamResponse> {
  const { transport, clock, serverUrl } = ports
  const build = compileRequest(template, manifest, { serverUrl })
  const resolve = createServerResolver(manifest, method, serverUrl)
  const failed = compileUpstreamError(manifest.title, {
    entity: method?.name ?? 'public',
    name,
    scopes: [],
    errorBody: { message: null, code: null, requestId: null, fields: null },
  })

  function failure(
    response: UpstreamResponse,
    scope: Scope,
    sent: UpstreamRequest,
  ): ConnectorError {
    const { status, headers, url, body: raw } = response
    const body = decodeErrorBody(raw, headers['content-type'], 'json')
    const answer: Answer = { status, headers, body, url }
    return failed({
      ruling: { as: classOfStatus(status), outcome: null, message: null },
      answer,
      raw,
      scope,
      redact: createRedactor([...secretsIn(scope), ...secretTextsOf(sent)]),
      write: false,
      retryAfterMs: retryAfterMs(answer, clock.now()),
    })
  }

  function baseIn(scope: Scope): BaseUrl {
    try {
      return resolve(scope)
    } catch (error) {
      // A look-up may go to a host of its own, to find what the base URL needs.
      if (template.origin === null || !isConnectorError(error, 'config_invalid')) throw error
      return NOWHERE
    }
  }

  return async (scope, applied, link) => {
    const target = { base: baseIn(scope), credentials: applied }
    const built = build(scope, target)
    const request = link === undefined ? built : toLink(built, link, target)
    // A host that asks for the certificate does so for logins, too, which carry nothing else of the method.
    const { tls } = applied
    const asked = { ...guarded(signed(request)), ...(tls === undefined ? {} : { tls }) }
    const response = await transport.send(keepsCookies ? { ...asked, keepsCookies } : asked)
    // A form that was accepted leads on to another page, and its cookies are all that is wanted.
    const leadsOn = keepsCookies && response.status >= 300 && response.status < 400
    if (!isSuccess(response.status) && !leadsOn) throw failure(response, scope, asked)
    return response
  }
}

/** What an answer may repeat of what was sent. */
function secretsIn({ credentials, session, client, webhook, subscription }: Scope) {
  const shared = [webhook?.['secret'], webhook?.['token'], subscription?.['secret']]
  return [...textsIn([credentials, session, client]), ...shared.flatMap(textsIn)]
}

/** The base URL that is not known yet: no host is the same, so only a host listed by name receives credentials. */
const NOWHERE: BaseUrl = { origin: '', path: '' }

const PUBLIC_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type'])

/** In a login everything may be made of credentials, wherever the manifest puts it. */
function guarded(request: UpstreamRequest): UpstreamRequest {
  const query = new URL(request.url).searchParams
  return {
    ...request,
    secretHeaders: Object.keys(request.headers).filter((name) => !PUBLIC_HEADERS.has(name)),
    secretQuery: [...new Set(query.keys())],
  }
}
