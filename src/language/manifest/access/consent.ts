// What a user is asked to agree to, on a page of the third party.
import type { AuthMethod, Manifest } from '../manifest.ts'
import type { ConsentRules } from './access.ts'
import { type AccessWord, consentOf } from './all-access.ts'

export { codeConsentOf } from './code-consent.ts'
export { consentOf }

/** The method of a connector whose users agree in a browser. */
export function consentMethod({ auth }: Pick<Manifest, 'auth'>): AuthMethod | undefined {
  return auth.find((method) => consentOf(method) !== null)
}

/** The consent of a connector; null where it has none. */
export function consentRules(manifest: Pick<Manifest, 'auth'>): ConsentRules | null {
  const method = consentMethod(manifest)
  return method === undefined ? null : consentOf(method)
}

/** Whether the service registers a client for its consents, so that the operator need not. */
export function registersClient(manifest: Pick<Manifest, 'auth'>): boolean {
  return consentRules(manifest)?.client.isRegistered === true
}

/**
 * The scopes that the consent of a method asks for: its own, and those that any action needs. None for a method without
 * a consent. Source: docs/manifest-language.md, "Entities, actions, schemas".
 */
export function consentScopes(
  { entities }: Pick<Manifest, 'entities'>,
  method: Pick<AuthMethod, AccessWord>,
): readonly string[] {
  const consent = consentOf(method)
  if (consent === null) return []
  const needed = entities.flatMap(({ actions }) => actions.flatMap(({ scopes }) => scopes))
  return [...new Set([...consent.scopes, ...needed])]
}
