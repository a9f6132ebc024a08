// What a finished consent left behind for the instance that is made of it.
import { bodyText } from '../body-text.ts'
import { type ConnectorError, problemError } from '../../errors.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import type { ServiceBase } from '../base.ts'
import { organizationKeyOwner } from '../store/owner.ts'
import type { Vault } from '../vault/vault.ts'
import type { Principal } from '../tokens/principal.ts'
import { hashSecret, isTokenText } from '../tokens/token-text.ts'

export interface ConsentResult {
  readonly credentials: JsonObject
  readonly authMethod: string
  readonly config: JsonObject
  readonly grantedScopes: readonly string[] | null
  readonly life: TokenLife | null
}

/** How long the access token of a consent lives. */
export interface TokenLife {
  /** Milliseconds since 1970. */
  readonly receivedAt: number
  readonly lifeMs: number
}

/** The same, with the secret that names it, to give it back. */
export interface NamedConsent extends ConsentResult {
  readonly secret: { readonly hash: string; readonly sealed: Uint8Array }
}

const COLUMN = 'oauth_secret'

/** Seals the result of a consent for the secret that names it. */
export async function sealConsent(
  vault: Vault,
  organizationId: string,
  secretHash: string,
  result: Pick<ConsentResult, 'credentials' | 'authMethod' | 'life'>,
): Promise<Uint8Array> {
  const owner = organizationKeyOwner(organizationId)
  return await vault.seal(owner, `${COLUMN}:${secretHash}`, 1, JSON.stringify(result))
}

/**
 * The consent behind a `server_side_oauth_secret_id`, for this user and connector only. Reading does not use it up: that
 * happens in the transaction that stores the instance. Throws `oauth_secret_unknown`, `oauth_secret_used`.
 */
export async function readOAuthSecret(
  { store, vault }: Pick<ServiceBase, 'store' | 'vault'>,
  principal: Principal,
  wanted: {
    readonly secret: string
    readonly externalUserId: string
    readonly connectorType: string
  },
): Promise<NamedConsent> {
  const hash = hashSecret(wanted.secret)
  const row = isTokenText(wanted.secret, ['oauth_secret'])
    ? await store.oauthSecrets.read(
        { organizationId: principal.organizationId, externalUserId: wanted.externalUserId },
        wanted.connectorType,
        hash,
      )
    : null
  if (row === null) throw secretRefused('oauth_secret_unknown')
  if (row.usedAt !== null) throw secretRefused('oauth_secret_used')
  const owner = organizationKeyOwner(principal.organizationId)
  const text = await vault.openText(owner, `${COLUMN}:${hash}`, 1, row.sealed)
  const value = JSON.parse(text) as JsonObject
  return {
    credentials: isJsonObject(value['credentials']) ? value['credentials'] : {},
    authMethod: bodyText(value, 'authMethod'),
    config: row.config ?? {},
    grantedScopes: row.grantedScopes,
    life: lifeIn(value['life']),
    secret: { hash, sealed: row.sealed },
  }
}

/** Consents that an earlier version kept have none. */
function lifeIn(value: Json | undefined): TokenLife | null {
  if (!isJsonObject(value)) return null
  const { receivedAt, lifeMs } = value
  return typeof receivedAt === 'number' && typeof lifeMs === 'number'
    ? { receivedAt, lifeMs }
    : null
}

export function secretRefused(code: 'oauth_secret_unknown' | 'oauth_secret_used'): ConnectorError {
  return problemError(
    code,
    { pointer: '/server_side_oauth_secret_id', code, detail: 'cannot be used' },
    code === 'oauth_secret_used'
      ? 'this secret_id was used already; start the consent again'
      : 'this secret_id is unknown, expired, or of another user or connector type; start the consent again',
  )
}
