// What a caller hears when there are no usable credentials.
import { ConnectorError, type ErrorCode, isConnectorError } from '../../errors.ts'
import type { Material } from './material.ts'
import type { MethodKit } from './method-kit.ts'
import type { Failure } from './refresh-state.ts'

interface FailureContext {
  readonly type: string
  /** The credentials; null: they could not be read. */
  readonly used: { readonly kit: MethodKit; readonly material: Material } | null
  /** What happened below, where it is known. */
  readonly cause: unknown
}

interface Circumstances {
  /** A person gave the consent and can give it again; otherwise the credentials themselves must be replaced. */
  readonly consented: boolean
  /** Names of the credentials without which there is no renewal; empty: the method has none. */
  readonly missing: readonly string[]
  /** The OAuth client is the operator's, not one that the credentials bring. */
  readonly operatorsClient: boolean
}

type Telling = readonly [
  code: ErrorCode,
  message: string,
  details?: Readonly<Record<string, unknown>>,
]

/** The error for a failure. Nothing that the third party wrote is in it but codes of a closed list. */
export function failureError(
  failure: Failure,
  retryAfterMs: number | null,
  { type, used, cause }: FailureContext,
): ConnectorError {
  // Why nothing could be sent says more than that the refresh failed.
  if (failure.kind === 'unreachable' && isConnectorError(cause, 'destination_refused')) return cause
  const renewal = used?.kit.renewal ?? null
  const [code, message, details] = tell(failure, {
    consented: renewal?.byConsent ?? true,
    missing: used === null || renewal === null ? [] : renewal.missingIn(used.material),
    operatorsClient: used !== null && renewal?.usesOperatorsClient(used.material) === true,
  })
  return new ConnectorError(code, `${type}: ${message}`, {
    details: { ...details, ...('status' in failure && { status: failure.status }) },
    retryAfterMs,
    cause,
  })
}

/** The error for tokens that are refused whenever they are fresh. */
export function refusedWhenFresh(type: string): ConnectorError {
  return new ConnectorError(
    'credentials_refused',
    `${type}: fresh credentials are refused as soon as they are received, so another refresh would not help; check what the user may do`,
    { details: { reason: 'refused_when_fresh' } },
  )
}

/** The error of a token request that lacks what it would present. */
export function nothingToRenewWith(missing: readonly string[]): ConnectorError {
  const [code, message, details = {}] = notRenewable(missing)
  return new ConnectorError(code, message, { details })
}

/** A client that is not let in. Source: RFC 6749 section 5.2. */
export const CLIENT_ERRORS: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client'])
/** A client of the credentials that is not let in, or a password that is wrong: the credentials have to be changed. */
const CREDENTIAL_ERRORS: ReadonlySet<string> = new Set([...CLIENT_ERRORS, 'login_refused'])

function tell(failure: Failure, { consented, missing, operatorsClient }: Circumstances): Telling {
  switch (failure.kind) {
    case 'not_renewable':
      return notRenewable(missing)
    case 'reauthorize':
      return [
        consented ? 'reauthorization_required' : 'credentials_refused',
        consented
          ? 'the third party ended this connection; the user has to connect again. Nothing is sent until the credentials change'
          : 'the third party refused the credentials. Nothing is sent until they change',
        { reason: failure.reason },
      ]
    case 'unknown':
      return [
        'refresh_unknown',
        'a token refresh was sent and its answer lost, and the old access token has ended; the refresh token is presented once more after the wait',
      ]
    case 'unreachable':
      return ['refresh_failed', 'the token endpoint cannot be reached']
    case 'busy':
      return ['refresh_failed', `the token endpoint answered ${failure.status}`]
    case 'lost':
      return ['refresh_failed', `the answer to the token request was lost: ${failure.problem}`]
    case 'refused':
      // It is the same for every instance with this client, so it says nothing about the credentials of this one.
      if (operatorsClient && CLIENT_ERRORS.has(failure.error))
        return [
          'refresh_failed',
          `the third party refuses the OAuth client of this service: ${failure.error}. Its operator must correct it; users need not connect again`,
          { reason: failure.error, client: 'operator' },
        ]
      return [
        CREDENTIAL_ERRORS.has(failure.error) ? 'credentials_refused' : 'refresh_failed',
        `the token request was refused: ${failure.error}`,
        { reason: failure.error },
      ]
    case 'unusable':
      return [
        'refresh_failed',
        'the answer to the token request gives no access that can be used: a token of another type, or a login after it that failed; what else it gave is kept',
        { reason: 'unusable' },
      ]
  }
}

function notRenewable(missing: readonly string[]): Telling {
  return [
    'credentials_refused',
    missing.length === 0
      ? 'the credentials were refused and nothing can renew them; give fresh ones'
      : `the credentials have expired and cannot be renewed without ${missing.join(' and ')}`,
    { reason: 'not_renewable', missing },
  ]
}
