// Everything about one authentication method that is compiled once: applying, renewing, finishing a connection.
import { own } from '../../language/json/own.ts'
import { carriedBy } from '../../language/manifest/credential-places/places.ts'
import type { AuthMethod, Manifest } from '../../language/manifest/manifest.ts'
import { type ConnectionFinisher, compileAfterToken } from './after-token.ts'
import { compileApply, NOTHING_APPLIED } from './apply.ts'
import {
  authScope,
  type Material,
  type MaterialView,
  type MethodContext,
  type MethodPorts,
} from './material.ts'
import { clientOf, compileRenewal, type Renewal } from './renewal.ts'

export interface MethodKit extends MaterialView {
  /** null: the manifest has no methods, its API is public. */
  readonly method: AuthMethod | null
  /** null: nothing can ever be renewed. */
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
  const scopeOf: MaterialView['scopeOf'] = (material) =>
    authScope(manifest, material, clientOf(material.credentials.reveal(), ports.client), now)
  const view: MaterialView = { scopeOf, appliedOf: (material) => apply(scopeOf(material)) }
  if (method === null) return { ...view, method, renewal: null, finisher: null }
  const context: MethodContext = { manifest, method, view, ports }
  return {
    ...view,
    method,
    renewal: compileRenewal(context),
    finisher: compileAfterToken(context),
  }
}

/** Whether calls can be made with this material before anything is renewed. */
export function hasAccess({ method }: MethodKit, { credentials, session }: Material): boolean {
  if (method === null) return true
  if (method.oauth2 !== null && own(credentials.reveal(), 'access_token') === undefined)
    return false
  return method.session === null || Object.keys(session.reveal()).length > 0
}
