// Gets fresh credentials once: presents a grant or logs in, and makes the next material of the answer.
// When to do so, and what a failure means, is decided in refresh-state.ts; keeping the result is the keeper's work.
import type { ConnectorError } from '../../errors.ts'
import { own } from '../../language/json/own.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { takesBearerOnly } from '../../language/manifest/credential-places/places.ts'
import type { AuthMethod, OAuth2 } from '../../language/manifest/manifest.ts'
import { compileLogin } from './login.ts'
import type { Material, MethodContext } from './material.ts'
import { Secret } from './redact.ts'
import type { RefreshRules } from './refresh-state.ts'
import { compileStores, type RefusedValue } from './stored-values.ts'
import { readTokenAnswer, readTokenFailure, type TokenOutcome } from './token-answer.ts'
import { clientLacks, compileTokenRequest, type Grant, type OAuthClient } from './token-request.ts'

/** What came of one presentation. */
export interface Presented {
  readonly outcome: TokenOutcome
  /** The next material when the outcome is `tokens`, else as it was. */
  readonly material: Material
  /** Values of the answer that were not kept. */
  readonly refused: readonly RefusedValue[]
  /** What the third party said, where there is more to say than the outcome. */
  readonly error: ConnectorError | null
}

export interface Renewal {
  /** What the tokens of this material are like. */
  rulesFor(material: Material): RefreshRules
  /** Names of the credentials without which this material cannot be renewed, for messages; empty where it can. */
  missingIn(material: Material): readonly string[]
  /** Whether its tokens are asked for with the operator's OAuth client. */
  usesOperatorsClient(material: Material): boolean
  /**
   * Presents what there is, once, without retry. Resolves for everything a third party can do; throws only where
   * nothing could be sent for a reason of ours (`config_invalid`, `credentials_invalid`).
   */
  present(material: Material): Promise<Presented>
}

/** Compiles the renewal of a method: a token request, a login, or both; null: it has neither. */
export function compileRenewal(context: MethodContext): Renewal | null {
  const { oauth2, session } = context.method
  const token = oauth2 === null ? null : tokenRenewal(context, oauth2)
  const login = session === null ? null : loginRenewal(context, session)
  if (token === null || login === null) return token ?? login
  return {
    ...token,
    async present(material) {
      const tokens = await token.present(material)
      if (tokens.outcome.kind !== 'tokens' || tokens.outcome.accessToken === null) return tokens
      const session = await login.present(tokens.material)
      // The tokens are kept whatever became of the login; without it they are as good as refused.
      if (session.outcome.kind === 'tokens')
        return { ...session, outcome: shorterLife(tokens.outcome, session.outcome) }
      return { ...session, outcome: { ...tokens.outcome, accessToken: null } }
    },
  }
}

function loginRenewal(
  context: MethodContext,
  session: NonNullable<AuthMethod['session']>,
): Renewal {
  const logIn = compileLogin(context, session)
  return {
    rulesFor: () => ({ renewable: true, rotates: false, graceMs: null }),
    missingIn: () => [],
    usesOperatorsClient: () => false,
    async present(material) {
      const empty = { ...material, session: new Secret<JsonObject>({}) }
      return { ...(await logIn(empty, context.ports.clock.now())), refused: [] }
    },
  }
}

/** Compiles the asking of the token endpoint: one request, whose outcome is told and never thrown. */
export function compileAsk(
  { manifest, method, view, ports }: MethodContext,
  oauth2: OAuth2,
): (grant: Grant, material: Material) => Promise<TokenOutcome> {
  const { transport, clock, serverUrl } = ports
  const build = compileTokenRequest(manifest, oauth2, serverUrl)
  const bearerOnly = takesBearerOnly(method.apply)
  return async (grant, material) => {
    const client = clientOf(material.credentials.reveal(), ports.client)
    const request = build(grant, client, view.scopeOf(material))
    try {
      return readTokenAnswer(await transport.send(request), { bearerOnly, now: clock.now() })
    } catch (error) {
      return readTokenFailure(error)
    }
  }
}

function tokenRenewal(context: MethodContext, oauth2: OAuth2): Renewal {
  const { manifest, method } = context
  const operator = context.ports.client
  const ask = compileAsk(context, oauth2)
  const keep = compileStores(manifest, method, oauth2.store)
  return {
    rulesFor({ credentials }) {
      const values = credentials.reveal()
      const [grant] = grantsFor(oauth2, values)
      return {
        renewable:
          grant !== undefined && clientLacks(oauth2, clientOf(values, operator)).length === 0,
        rotates: oauth2.rotatesRefreshToken && grant?.kind === 'refresh_token',
        graceMs: oauth2.reuseGraceMs,
      }
    },
    missingIn({ credentials }) {
      const values = credentials.reveal()
      const grantless = grantsFor(oauth2, values).length === 0
      if (grantless && oauth2.refresh === null) return [] // the vendor has no refresh
      return [
        ...(grantless ? ['refresh_token'] : []),
        ...clientLacks(oauth2, clientOf(values, operator)),
      ]
    },
    usesOperatorsClient: ({ credentials }) =>
      operator !== null && clientOf(credentials.reveal(), operator) === operator,
    async present(material) {
      let outcome: TokenOutcome = { kind: 'refused', status: 0, error: 'no_grant' }
      for (const grant of grantsFor(oauth2, material.credentials.reveal())) {
        outcome = await ask(grant, material)
        // A refused refresh token of a password grant is no dead end: the password is still there.
        if (outcome.kind !== 'invalid_grant') break
      }
      if (outcome.kind !== 'tokens') return { outcome, material, refused: [], error: null }
      const credentials = new Secret(withTokens(method, material.credentials.reveal(), outcome))
      const kept = keep(outcome.body, { ...material, credentials })
      return { outcome, ...kept, error: null }
    },
  }
}

/** The client of the credentials, else the operator's. */
export function clientOf(
  credentials: JsonObject,
  operator: OAuthClient | null,
): OAuthClient | null {
  const id = textAt(credentials, 'client_id')
  return id === null ? operator : { id, secret: textAt(credentials, 'client_secret') }
}

/** What can be presented, in the order to try it. */
function grantsFor(oauth2: OAuth2, credentials: JsonObject): readonly Grant[] {
  const grants: Grant[] = []
  const refreshToken = textAt(credentials, 'refresh_token')
  if (refreshToken !== null && oauth2.refresh !== null && oauth2.grant !== 'client_credentials') {
    grants.push({ kind: 'refresh_token', refreshToken })
  }
  if (oauth2.grant === 'client_credentials') grants.push({ kind: 'client_credentials' })
  const username = textAt(credentials, 'username')
  const password = textAt(credentials, 'password')
  if (oauth2.grant === 'password' && username !== null && password !== null) {
    grants.push({ kind: 'password', username, password })
  }
  return grants
}

function textAt(values: JsonObject, name: string): string | null {
  const value = own(values, name)
  return typeof value === 'string' && value !== '' ? value : null
}

/** The credentials with the tokens of an answer; a refresh token only where the method declares one. */
export function withTokens(
  method: AuthMethod,
  credentials: JsonObject,
  { accessToken, refreshToken }: TokenOutcome & { readonly kind: 'tokens' },
): JsonObject {
  const { access_token: _old, ...others } = credentials
  const declared = Object.hasOwn(
    (method.credentials.schema['properties'] ?? {}) as object,
    'refresh_token',
  )
  return {
    ...others,
    ...(accessToken === null ? {} : { access_token: accessToken }),
    ...(refreshToken === null || !declared ? {} : { refresh_token: refreshToken }),
  }
}

type Tokens = TokenOutcome & { readonly kind: 'tokens' }

function shorterLife(token: Tokens, session: Tokens): Tokens {
  const lifeMs = Math.min(token.lifeMs ?? Infinity, session.lifeMs ?? Infinity)
  return { ...token, lifeMs: lifeMs === Infinity ? null : lifeMs }
}
