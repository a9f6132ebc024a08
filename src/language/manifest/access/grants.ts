// The grants of OAuth 2.0: the one place that knows what `oauth2.grant` means. Nothing else asks for one by its name.
import type { JsonObject } from '../../json/json.ts'
import { own } from '../../json/own.ts'
import type { OAuth2Source } from '../source.ts'

export type Grant = NonNullable<OAuth2Source['grant']>

/** What is known of a grant. */
interface Entry {
  /**
   * The credentials that are presented to the token endpoint, as parameters of their names. null: a person agrees on a
   * page of the third party, whose code is presented once; only this person can agree again.
   */
  readonly presents: readonly string[] | null
  /** Whether a refresh token comes with its tokens. */
  readonly refreshes: boolean
  /** What `grant_type` says, where it is not the name of the grant. */
  readonly type?: string
  /** The token of the block `jwt` is presented as `assertion`. */
  readonly asserts?: true
}

export const GRANTS: Readonly<Record<Grant, Entry>> = {
  // RFC 6749 section 4.1
  authorization_code: { presents: null, refreshes: true },
  // RFC 6749 section 4.4
  client_credentials: { presents: [], refreshes: false },
  // RFC 6749 section 4.3
  password: { presents: ['username', 'password'], refreshes: true },
  // RFC 7523 section 2.1
  jwt_bearer: {
    presents: [],
    refreshes: false,
    type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    asserts: true,
  },
}

/** What `grant_type` of a token request says. */
export function grantTypeOf(grant: Grant): string {
  return GRANTS[grant].type ?? grant
}

/** The grant of a block that names none. */
export const DEFAULT_GRANT: Grant = 'authorization_code'

/** What is presented to a token endpoint: the members of the request, in the order of the RFC. */
export interface Presentation extends JsonObject {
  readonly grant_type: string
}

/** Presents a refresh token, whatever grant it came with (RFC 6749 section 6). */
export const REFRESH = 'refresh_token'

/** What can be presented without a person, in the order to try it. `refreshes`: the vendor has refresh tokens. */
export function presentationsOf(
  { grant, refreshes }: { readonly grant: Grant; readonly refreshes: boolean },
  credentials: JsonObject,
): readonly Presentation[] {
  const given = (names: readonly string[]): JsonObject | null => {
    const values = names.map((name) => [name, textAt(credentials, name)] as const)
    return values.every(([, text]) => text !== null) ? Object.fromEntries(values) : null
  }
  const entry = GRANTS[grant]
  const refresh = refreshes && entry.refreshes ? given([REFRESH]) : null
  const first = entry.presents === null ? null : given(entry.presents)
  return [
    ...(refresh === null ? [] : [{ grant_type: REFRESH, ...refresh }]),
    ...(first === null ? [] : [{ grant_type: grantTypeOf(grant), ...first }]),
  ]
}

/** A member of credentials that holds a text; null where there is none. */
export function textAt(credentials: JsonObject, name: string): string | null {
  const value = own(credentials, name)
  return typeof value === 'string' && value !== '' ? value : null
}

/** Where the client of a token request says who it is, and whether it proves it by a secret. */
export const CLIENT_AUTH: Readonly<
  Record<
    NonNullable<OAuth2Source['token']['client_auth']>,
    {
      readonly in: 'authorization' | 'params' | 'query'
      readonly hasSecret: boolean
      /** The client proves who it is by the token of the block `jwt`. */
      readonly asserts?: true
      /** Its name in RFC 7591 section 2. */
      readonly registeredAs: string
    }
  >
> = {
  // Id and secret as they are: RFC 6749 section 2.3.1 wants them form-encoded first, vendors document plain base64.
  basic: { in: 'authorization', hasSecret: true, registeredAs: 'client_secret_basic' },
  body: { in: 'params', hasSecret: true, registeredAs: 'client_secret_post' },
  query: { in: 'query', hasSecret: true, registeredAs: 'client_secret_post' },
  // A public client still names itself (RFC 6749 section 4.1.3).
  none: { in: 'params', hasSecret: false, registeredAs: 'none' },
  // RFC 7523 section 2.2
  private_key_jwt: {
    in: 'params',
    hasSecret: false,
    asserts: true,
    registeredAs: 'private_key_jwt',
  },
}

/** Source: RFC 7523 section 2.2. */
export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
