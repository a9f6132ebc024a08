// Session methods: a login request whose answer holds what later calls carry.
import { ConnectorError, type ErrorCode, isConnectorError } from '../../errors.ts'
import { compileBodyPath } from '../../language/expression/pick.ts'
import { isExactNumber } from '../../language/json/exact-number.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import type { AuthMethod } from '../../language/manifest/manifest.ts'
import { compileFollowUp } from './follow-up.ts'
import type { Material, MethodContext } from './material.ts'
import { Secret } from './redact.ts'
import { type Presented, type Renewal, UNKNOWN_YET } from './renewal.ts'
import { compileStores } from './stored-values.ts'
import { readTokenFailure, type TokenOutcome } from './token-answer.ts'

const MAX_MS = 30_000

/**
 * Compiles the renewal of a method with a login. Its outcome is told in the terms of a token request, as the same rules follow from it.
 *
 * `expires` of the manifest may point at seconds of life, at a time in seconds or milliseconds since 1970, or at an
 * ISO time; anything else says nothing. Throws what building the request throws; nothing was sent then.
 */
export function compileLogin(
  context: MethodContext,
  session: NonNullable<AuthMethod['session']>,
): Renewal {
  const { manifest, method, view, ports } = context
  const send = compileFollowUp(context, session.request, 'session')
  const keep = compileStores(manifest, method, session.store)
  const expiresIn = session.expires === null ? null : compileBodyPath(session.expires)
  const unknown = Object.fromEntries(
    session.store.flatMap(({ root, name }) => (root === 'session' ? [[name, UNKNOWN_YET]] : [])),
  )

  async function present(given: Material): Promise<Presented> {
    const material = { ...given, session: new Secret<JsonObject>({}) }
    const now = ports.clock.now()
    let answer: Json
    try {
      answer = await send(view.scopeOf(material), view.appliedOf(material))
    } catch (error) {
      if (!isConnectorError(error) || NOT_OF_THE_LOGIN.has(error.code)) throw error
      return { outcome: outcomeOf(error), material, refused: [], error }
    }
    const kept = keep(answer, material)
    const [missing] = kept.refused
    if (missing !== undefined) {
      const error = new ConnectorError(
        'upstream_malformed',
        `the answer to the login gives no usable ${missing.target}: ${missing.detail}`,
      )
      return {
        outcome: { kind: 'lost', status: null, problem: error.message, cause: error },
        material,
        refused: [],
        error,
      }
    }
    const told = expiresIn === null ? null : lifeUntil(expiresIn(answer), now)
    return { outcome: sessionOutcome(told ?? session.ttlMs), ...kept, error: null }
  }

  return {
    maxMs: MAX_MS,
    byConsent: true,
    spends: false,
    accessIn: (material) => {
      const values = material.session.reveal()
      return Object.keys(values).length === 0 ? undefined : values
    },
    withPlaceholders: (material) => ({
      ...material,
      session: new Secret({ ...unknown, ...material.session.reveal() }),
    }),
    rulesFor: () => ({ renewable: true, rotates: false, graceMs: null }),
    missingIn: () => [],
    usesOperatorsClient: () => false,
    present,
  }
}

/** Codes of requests that could not be built. */
const NOT_OF_THE_LOGIN: ReadonlySet<ErrorCode> = new Set([
  'config_invalid',
  'credentials_invalid',
  'params_invalid',
  'internal_error',
])

function sessionOutcome(lifeMs: number | null): TokenOutcome {
  return { kind: 'tokens', accessToken: '', refreshToken: null, lifeMs, tokenType: null, body: {} }
}

function outcomeOf(error: ConnectorError): TokenOutcome {
  const status = error.upstream?.status ?? null
  if (status === null) return readTokenFailure(error)
  if (status === 408 || status === 429 || status >= 500) {
    return { kind: 'busy', status, retryAfterMs: error.retryAfterMs }
  }
  return { kind: 'refused', status, error: 'login_refused' }
}

const MILLISECONDS_FROM = 1e11
const SECONDS_SINCE_1970_FROM = 1e9

function lifeUntil(value: Json | undefined, now: number): number | null {
  const told = isExactNumber(value) ? value.rawJSON : value
  if (typeof told !== 'number' && typeof told !== 'string') return null
  const number = told === '' ? NaN : Number(told)
  const ms = Number.isNaN(number) ? Date.parse(String(told)) - now : lifeOf(number, now)
  return ms > 0 ? ms : null
}

function lifeOf(number: number, now: number): number {
  if (number >= MILLISECONDS_FROM) return number - now
  return number >= SECONDS_SINCE_1970_FROM ? number * 1000 - now : number * 1000
}
