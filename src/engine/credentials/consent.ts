// What a user agrees to on a page of the third party, whatever its protocol: the address, and what comes of the way back.
import type { JsonObject } from '../../language/json/json.ts'
import { matchAccess } from '../../language/manifest/access/all-access.ts'
import { codeConsentOf } from '../../language/manifest/access/code-consent.ts'
import { consentMethod } from '../../language/manifest/access/consent.ts'
import type { AuthMethod, Manifest } from '../../language/manifest/manifest.ts'
import { compileCodeConsent } from './code-consent.ts'
import type { MethodPorts } from './material.ts'
import { compileMethod } from './method-kit.ts'
import { compileSignedConsent } from './signed-consent.ts'
import type { OAuthClient } from './token-request.ts'

export interface ConsentPlace {
  /** 256 random bits; comes back with the answer. */
  readonly state: string
  readonly redirectUri: string
}

export interface ConsentAddress extends ConsentPlace {
  /** What `prepare` gave for this consent. */
  readonly kept: string | null
}

export interface ConsentAnswer {
  /** The parameters of the address that the user came back to. */
  readonly callback: Readonly<Record<string, string | undefined>>
  readonly redirectUri: string
  /** What `prepare` gave for this consent. */
  readonly kept: string | null
}

/** What a user agreed to. */
export interface Consented {
  readonly credentials: JsonObject
  /** Settings, with what the answers of the third party stored. */
  readonly config: JsonObject
  /** null: the third party did not say. */
  readonly grantedScopes: readonly string[] | null
  /** How long the access token lives, in milliseconds from its answer on; null: the third party did not say. */
  readonly lifeMs: number | null
}

export interface Consent {
  readonly method: AuthMethod
  /** What its answers have to name as `iss`; null: the manifest does not say. */
  readonly issuer: string | null
  /**
   * What must stay secret until the user comes back, of `random`: 256 random bits; null: nothing. May ask the third party:
   * throws `oauth_not_configured` where it refuses the client (`details.reason`), `upstream_unreachable`,
   * `upstream_failed`, `upstream_malformed`.
   */
  prepare(
    config: JsonObject,
    place: ConsentPlace & { readonly random: string },
  ): Promise<string | null>
  /** Where the user agrees. Throws `config_invalid` when the address needs a setting that is absent. */
  url(config: JsonObject, address: ConsentAddress): string
  /**
   * Asks once for what the user agreed to, without retry, and runs what the manifest wants right after it.
   * Values of the callback are kept first: `upstream_malformed` for one that is missing or not accepted; nothing is sent.
   * Throws `credentials_refused` for an answer that is refused, `upstream_unreachable`, `upstream_failed`,
   * `upstream_malformed` for an endpoint that cannot answer, and what the requests after it throw.
   */
  exchange(config: JsonObject, answer: ConsentAnswer): Promise<Consented>
}

/** Compiles the consent of a method, without one the first of the connector; null when there is none. */
export function compileConsent(
  manifest: Manifest,
  ports: MethodPorts & { readonly client: OAuthClient },
  method: AuthMethod | undefined = consentMethod(manifest),
): Consent | null {
  if (method === undefined) return null
  const view = compileMethod(manifest, method, ports)
  const context = { manifest, method, view, ports }
  const compiled = matchAccess<Omit<Consent, 'method'> | null>(method, {
    session: () => null,
    oauth2() {
      const rules = codeConsentOf(method)
      return rules === null ? null : compileCodeConsent(context, rules)
    },
    oauth1: (rules) => compileSignedConsent(context, rules),
  })
  return compiled === null ? null : { method, ...compiled }
}
