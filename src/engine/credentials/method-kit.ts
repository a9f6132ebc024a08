// Everything about one authentication method that is compiled once: applying, renewing, finishing a connection.
import { matchAccess } from '../../language/manifest/access/all-access.ts'
import { carriedBy } from '../../language/manifest/credential-places/places.ts'
import type { AuthMethod, Manifest } from '../../language/manifest/manifest.ts'
import { type ConnectionFinisher, compileAfterToken } from './after-token.ts'
import { compileApply, NOTHING_APPLIED } from './apply.ts'
import type { Material, MaterialView, MethodContext, MethodPorts } from './material.ts'
import { compileLogin } from './login.ts'
import type { Renewal } from './renewal.ts'
import { clientOf, compileTokenRenewal } from './token-renewal.ts'

export interface MethodKit extends MaterialView {
  /** null: the manifest has no methods, its API is public. */
  readonly method: AuthMethod | null
  /** null: the credentials are all that calls carry, nothing can ever be renewed. */
  readonly renewal: Renewal | null
  readonly finisher: ConnectionFinisher | null
}

/** Compiles a method for one instance. */
export function compileMethod(
  manifest: Manifest,
  method: AuthMethod | null,
  ports: MethodPorts,
): MethodKit {
  const now = (): number => ports.clock.now()
  const apply = method === null ? () => NOTHING_APPLIED : compileApply(carriedBy(method.apply))
  const scopeOf: MaterialView['scopeOf'] = ({ credentials, session, config }) => {
    const given = credentials.reveal()
    const { id, secret = null } = clientOf(given, ports.client) ?? {}
    const client = { ...(id !== undefined && { id }), ...(secret !== null && { secret }) }
    const { maps } = manifest
    return { config, maps, credentials: given, session: session.reveal(), client, now }
  }
  const view: MaterialView = { scopeOf, appliedOf: (material) => apply(scopeOf(material)) }
  if (method === null) return { ...view, method, renewal: null, finisher: null }
  const context: MethodContext = { manifest, method, view, ports }
  const access = matchAccess<Pick<MethodKit, 'renewal' | 'finisher'>>(method, {
    session: (session) => ({ renewal: compileLogin(context, session), finisher: null }),
    oauth2: (oauth2) => ({
      renewal: compileTokenRenewal(context, oauth2),
      finisher: compileAfterToken(context, oauth2.afterToken),
    }),
  })
  return { ...view, method, ...(access ?? { renewal: null, finisher: null }) }
}

/** Whether calls can be made with this material before anything is renewed. */
export function hasAccess({ renewal }: MethodKit, material: Material): boolean {
  return renewal === null || renewal.accessIn(material) !== undefined
}
