// Everything about one authentication method that is compiled once: applying, renewing, finishing a connection.
import { afterTokenOf, matchAccess } from '../../language/manifest/access/all-access.ts'
import { carriedBy } from '../../language/manifest/credential-places/places.ts'
import type { AuthMethod, Manifest } from '../../language/manifest/manifest.ts'
import { type ConnectionFinisher, compileAfterToken } from './after-token.ts'
import { compileApply, NOTHING_APPLIED } from './apply.ts'
import { compileSideCall } from './follow-up.ts'
import type { Material, MaterialView, MethodContext, MethodPorts } from './material.ts'
import { compileJwt } from './jwt.ts'
import { compileLogin } from './login.ts'
import type { Renewal } from './renewal.ts'
import { clientOf, compileTokenRenewal } from './token-renewal.ts'

export interface MethodKit extends MaterialView {
  /** null: the manifest has no methods, its API is public. */
  readonly method: AuthMethod | null
  /** null: the credentials are all that calls carry, nothing can ever be renewed. */
  readonly renewal: Renewal | null
  readonly finisher: ConnectionFinisher | null
  /** Asks the third party to end what the credentials gave; null: the manifest has no request for it. */
  readonly revoke: ((material: Material) => Promise<void>) | null
}

/** What a revocation may take, in milliseconds. */
export const REVOCATION_MS = 5_000

/** Compiles a method for one instance. */
export function compileMethod(
  manifest: Manifest,
  method: AuthMethod | null,
  ports: MethodPorts,
): MethodKit {
  const now = (): number => ports.clock.now()
  const apply = method === null ? () => NOTHING_APPLIED : compileApply(carriedBy(method.apply))
  const jwt = method?.jwt === undefined ? null : compileJwt(method.jwt)
  const scopeOf: MaterialView['scopeOf'] = ({ credentials, session, config }) => {
    const given = credentials.reveal()
    const { id, secret = null } = clientOf(given, ports.client) ?? {}
    const client = { ...(id !== undefined && { id }), ...(secret !== null && { secret }) }
    const { maps } = manifest
    const scope = { config, maps, credentials: given, session: session.reveal(), client, now }
    return jwt === null ? scope : jwt.scopeWith(scope)
  }
  const view: MaterialView = {
    scopeOf,
    appliedOf(material) {
      const scope = scopeOf(material)
      // A key that cannot be read is found now, not by the first call.
      jwt?.check(scope)
      return apply(scope)
    },
  }
  if (method === null) return { ...view, method, renewal: null, finisher: null, revoke: null }
  const context: MethodContext = { manifest, method, view, ports }
  const renewal = matchAccess<Renewal | null>(method, {
    session: (session) => compileLogin(context, session),
    oauth2: (oauth2) => compileTokenRenewal(context, oauth2),
    // A token of OAuth 1.0a works until it is revoked; only its user can give another one.
    oauth1: () => null,
  })
  const after = afterTokenOf(method)
  const finisher = after.length === 0 ? null : compileAfterToken(context, after)
  return { ...view, method, renewal, finisher, revoke: compileRevocation(context) }
}

function compileRevocation(context: MethodContext): MethodKit['revoke'] {
  const { method, view } = context
  if (method.revoke === undefined) return null
  const timeoutMs = Math.min(method.revoke.timeoutMs, REVOCATION_MS)
  const send = compileSideCall(context, { ...method.revoke, timeoutMs }, 'revoke')
  return async (material) => {
    // What the answer says next to its status is of no use (RFC 7009 section 2.2).
    await send(view.scopeOf(material), view.appliedOf(material))
  }
}

/** Whether calls can be made with this material before anything is renewed. */
export function hasAccess({ renewal }: MethodKit, material: Material): boolean {
  return renewal === null || renewal.accessIn(material) !== undefined
}
