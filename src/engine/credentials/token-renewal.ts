// Gets tokens of a token endpoint: presents what the credentials hold, and makes the next material of the answer.
import {
  GRANTS,
  type Presentation,
  presentationsOf,
  REFRESH,
  textAt,
} from '../../language/manifest/access/grants.ts'
import { whenLoaded } from '../../late-modules.ts'
import { own } from '../../language/json/own.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { takesBearerOnly } from '../../language/manifest/credential-places/places.ts'
import type { AuthMethod, OAuth2 } from '../../language/manifest/manifest.ts'
import type { Material, MethodContext } from './material.ts'
import { Secret } from './redact.ts'
import { type Renewal, UNKNOWN_YET } from './renewal.ts'
import { compileStores } from './stored-values.ts'
import {
  compileTokenPlaces,
  readTokenAnswer,
  readTokenFailure,
  type TokenOutcome,
} from './token-answer.ts'
import {
  clientLacks,
  compileTokenRequest,
  type OAuthClient,
  tokenTimeoutMs,
} from './token-request.ts'

/** Compiles the renewal of a method with a token endpoint. */
export function compileTokenRenewal(context: MethodContext, oauth2: OAuth2): Renewal {
  const { manifest, method } = context
  const operator = context.ports.client
  const ask = compileAsk(context, oauth2)
  const keep = compileStores(manifest, method, oauth2.store)
  const presentable = ({ credentials }: Material): readonly Presentation[] =>
    presentationsOf(
      { grant: oauth2.grant, refreshes: oauth2.refresh !== null },
      credentials.reveal(),
    )
  const lacks = ({ credentials }: Material): readonly string[] =>
    clientLacks(oauth2, clientOf(credentials.reveal(), operator))
  return {
    maxMs: tokenTimeoutMs(oauth2),
    byConsent: GRANTS[oauth2.grant].presents === null,
    spends: true,
    accessIn: ({ credentials }) => own(credentials.reveal(), 'access_token'),
    withPlaceholders: (material) => ({
      ...material,
      credentials: new Secret({ access_token: UNKNOWN_YET, ...material.credentials.reveal() }),
    }),
    rulesFor(material) {
      const [first] = presentable(material)
      return {
        renewable: first !== undefined && lacks(material).length === 0,
        rotates: oauth2.rotatesRefreshToken && first?.grant_type === REFRESH,
        graceMs: oauth2.reuseGraceMs,
      }
    },
    missingIn(material) {
      const hasNothing = presentable(material).length === 0
      if (hasNothing && oauth2.refresh === null) return [] // the vendor has no refresh
      return [...(hasNothing ? [REFRESH] : []), ...lacks(material)]
    },
    usesOperatorsClient: ({ credentials }) =>
      operator !== null && clientOf(credentials.reveal(), operator) === operator,
    async present(material) {
      let outcome: TokenOutcome = { kind: 'refused', status: 0, error: 'no_grant' }
      for (const presented of presentable(material)) {
        outcome = await ask(presented, material)
        // A refused refresh token of a password grant is no dead end: the password is still there.
        if (outcome.kind !== 'invalid_grant') break
      }
      if (outcome.kind !== 'tokens') return { outcome, material, refused: [], error: null }
      const credentials = new Secret(withTokens(method, material.credentials.reveal(), outcome))
      const { body } = outcome
      const kept = await whenLoaded(() => keep(body, { ...material, credentials }))
      return { outcome, ...kept, error: null }
    },
  }
}

/** Compiles the asking of the token endpoint: one request, whose outcome is told and never thrown. */
export function compileAsk(
  { manifest, method, view, ports }: MethodContext,
  oauth2: OAuth2,
): (presented: Presentation, material: Material) => Promise<TokenOutcome> {
  const { transport, clock, serverUrl } = ports
  const build = compileTokenRequest(manifest, oauth2, serverUrl)
  const bearerOnly = takesBearerOnly(method.apply)
  const first = compileTokenPlaces(oauth2.token)
  const renewed = compileTokenPlaces({ ...oauth2.token, ...oauth2.refresh })
  return async (presented, material) => {
    const client = clientOf(material.credentials.reveal(), ports.client)
    const { tls } = view.appliedOf(material)
    const plain = build(presented, client, view.scopeOf(material))
    // With `client_auth: none` the certificate is what the client shows (RFC 8705 section 2).
    const request = tls === undefined ? plain : { ...plain, tls }
    try {
      const answer = await transport.send(request)
      const places = presented.grant_type === REFRESH ? renewed : first
      const words = oauth2.token.errors ?? {}
      return readTokenAnswer(answer, { bearerOnly, places, words, now: clock.now() })
    } catch (error) {
      return readTokenFailure(error)
    }
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
