// Requests of an authentication method to other addresses than the token endpoint: logins, and look-ups that finish a connection.
import { retryAfterMs } from '../exchange/waits.ts'
import { type ConnectorError, isConnectorError } from '../../errors.ts'
import type { UpstreamResponse } from '../exchange/transport.ts'
import type { Answer } from '../../language/expression/pick.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import type { Json } from '../../language/json/json.ts'
import type { RequestTemplate } from '../../language/manifest/manifest.ts'
import { type BaseUrl, createServerResolver } from '../request/base-url.ts'
import { type AppliedCredentials, compileRequest } from '../request/build.ts'
import { signed, type UpstreamRequest } from '../request/upstream-request.ts'
import { decodeBody, decodeErrorBody } from '../response/decode.ts'
import { classOfStatus, isSuccess } from '../response/error-rules.ts'
import { compileUpstreamError } from '../response/upstream-error.ts'
import type { MethodContext } from './material.ts'
import { createRedactor, textsIn } from './redact.ts'

/**
 * Compiles one such request: rendered like any other, sent once, its answer read as JSON.
 *
 * Throws what rendering and the transport throw; the error of the status for an answer other than 2xx; and
 * `upstream_malformed` when a success is no JSON. `name` is the manifest's key, for messages.
 */
export function compileFollowUp(
  { manifest, method, ports }: Omit<MethodContext, 'view'>,
  template: RequestTemplate,
  name: 'session' | 'after_token',
): (scope: Scope, applied: AppliedCredentials) => Promise<Json> {
  const { transport, clock, serverUrl } = ports
  const build = compileRequest(template, manifest, { serverUrl })
  const resolve = createServerResolver(manifest, method, serverUrl)
  const failed = compileUpstreamError(manifest.title, {
    entity: method.name,
    name,
    scopes: [],
    errorBody: { message: null, code: null, requestId: null, fields: null },
  })

  function failure(response: UpstreamResponse, scope: Scope): ConnectorError {
    const { status, headers, url, body: raw } = response
    const body = decodeErrorBody(raw, headers['content-type'], 'json')
    const answer: Answer = { status, headers, body, url }
    return failed({
      ruling: { as: classOfStatus(status), outcome: null, message: null },
      answer,
      raw,
      scope,
      redact: createRedactor(textsIn([scope.credentials, scope.session, scope.client])),
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

  return async (scope, applied) => {
    const request = build(scope, { base: baseIn(scope), credentials: applied })
    const response = await transport.send(guarded(signed(request)))
    if (!isSuccess(response.status)) throw failure(response, scope)
    return decodeBody(response.body, response.headers['content-type'], 'json') ?? null
  }
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
