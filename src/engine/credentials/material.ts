// What one generation of credentials consists of, carried around so that it cannot show itself.
import type { Scope } from '../../language/expression/syntax.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { ownAt } from '../../language/json/members.ts'
import { ACCESS_SECRETS } from '../../language/manifest/access/all-access.ts'
import type { AuthMethod, Manifest } from '../../language/manifest/manifest.ts'
import type { Clock } from '../exchange/clock.ts'
import type { Transport } from '../exchange/transport.ts'
import type { AppliedCredentials } from '../request/build.ts'
import { type Secret, textsIn } from './redact.ts'
import type { OAuthClient } from './token-request.ts'

export interface Material {
  /** As the schema of the method wants them. */
  readonly credentials: Secret<JsonObject>
  /** What a login gave; empty before it and for methods without one. */
  readonly session: Secret<JsonObject>
  /** Settings, defaults filled in, with what the third party's answers stored. */
  readonly config: JsonObject
}

/** What templates see and what calls carry, made of the material as it is by then. */
export interface MaterialView {
  scopeOf(material: Material): Scope
  appliedOf(material: Material): AppliedCredentials
}

export interface MethodPorts {
  readonly transport: Transport
  readonly clock: Clock
  /** Another upstream origin; null: the manifest's. */
  readonly serverUrl: string | null
  /** The operator's OAuth client, for credentials that bring none. */
  readonly client: OAuthClient | null
}

/** What every part of one authentication method is compiled with. */
export interface MethodContext {
  readonly manifest: Manifest
  readonly method: AuthMethod
  readonly view: MaterialView
  readonly ports: MethodPorts
}

/** The values of a material that no text may show. */
export function secretsOf(
  client: OAuthClient | null,
  method: AuthMethod | null,
  material: Material,
): readonly string[] {
  const credentials = material.credentials.reveal()
  // A new refresh token that no schema declares is a secret all the same.
  const access = ACCESS_SECRETS.map((name) => [name])
  const paths = [...(method?.credentials.secrets ?? []), ...access]
  return [
    ...paths.flatMap((path) => textsIn(ownAt(credentials, path))),
    ...textsIn(material.session.reveal()),
    ...(client?.secret == null ? [] : [client.secret]),
  ]
}
