// Requests of an authentication method beside the token endpoint: logins, and look-ups that finish a connection.
import { compileWaits } from '../exchange/waits.ts'
import type { ConnectorError } from '../errors.ts'
import type { Clock } from '../exchange/clock.ts'
import type { Transport, UpstreamResponse } from '../exchange/transport.ts'
import type { Answer } from '../expression/pick.ts'
import type { Scope } from '../expression/syntax.ts'
import type { Json } from '../json/json.ts'
import type { AuthMethod, Manifest, RequestTemplate } from '../manifest/manifest.ts'
import { createServerResolver } from '../request/base-url.ts'
import { type AppliedCredentials, compileRequest } from '../request/build.ts'
import { decodeBody, decodeErrorBody } from '../response/decode.ts'
import { classOfStatus, isSuccess } from '../response/error-rules.ts'
import { compileUpstreamError } from '../response/upstream-error.ts'
import { createRedactor, textsIn } from './redact.ts'

export interface FollowUpPorts {
  readonly transport: Transport
  readonly clock: Clock
  /** Another upstream origin; null: the manifest's. */
  readonly serverUrl: string | null
}

export type SendFollowUp = (scope: Scope, applied: AppliedCredentials) => Promise<Json>

/**
 * Compiles one such request: rendered like any other, sent once, its answer read as JSON.
 *
 * Throws what rendering and the transport throw; the error of the status for an answer other than 2xx; and
 * `upstream_malformed` when a success is no JSON. `name` is the manifest's key, for messages.
 */
export function compileFollowUp(
  manifest: Manifest,
  method: AuthMethod,
  template: RequestTemplate,
  name: 'session' | 'after_token',
  { transport, clock, serverUrl }: FollowUpPorts,
): SendFollowUp {
  const build = compileRequest(template, manifest)
  const resolve = createServerResolver(manifest, method, serverUrl === null ? {} : { serverUrl })
  const failed = compileUpstreamError({
    title: manifest.title,
    entity: method.name,
    action: name,
    scopes: [],
    errorBody: { message: null, code: null, requestId: null, fields: null },
  })

  function failure(response: UpstreamResponse, scope: Scope): ConnectorError {
    const { status, headers, url, body: raw } = response
    const body = decodeErrorBody(raw, headers['content-type'], 'json')
    const answer: Answer = { status, headers, body, url }
    const wait = waitAsked({ answer, attempt: 1, now: clock.now(), random: 0 })
    return failed({
      ruling: { as: classOfStatus(status), outcome: null, message: null },
      answer,
      raw,
      scope,
      redact: createRedactor(textsIn([scope.credentials, scope.session, scope.client])),
      write: false,
      ...(wait.asked ? { retryAfterMs: wait.ms } : {}),
    })
  }

  return async (scope, applied) => {
    // A look-up of what the base URL needs goes to a host of its own.
    const base = template.origin === null ? resolve(scope) : { origin: template.origin, path: '' }
    const response = await transport.send(build(scope, { base, credentials: applied, serverUrl }))
    if (!isSuccess(response.status)) throw failure(response, scope)
    return decodeBody(response.body, response.headers['content-type'], 'json') ?? null
  }
}

const waitAsked = compileWaits([
  { kind: 'header', name: 'retry-after', path: null, format: 'seconds' },
])
