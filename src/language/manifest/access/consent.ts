// What a user is asked to agree to, on a page of the third party.
import type { AuthMethod, Manifest, OAuth2 } from '../manifest.ts'

/** The token requests of a method with the page on which its users agree. */
export type ConsentRules = OAuth2 & { readonly authorize: NonNullable<OAuth2['authorize']> }

/** The consent of a method; null where it has none. */
export function consentOf({ oauth2 }: Pick<AuthMethod, 'oauth2'>): ConsentRules | null {
  return oauth2 === null || oauth2.authorize === null ? null : (oauth2 as ConsentRules)
}

/** The method of a connector whose users agree in a browser. */
export function consentMethod({ auth }: Pick<Manifest, 'auth'>): AuthMethod | undefined {
  return auth.find((method) => consentOf(method) !== null)
}

/**
 * The scopes that the consent of a method asks for: its own, and those that any action needs. None for a method without
 * a consent. Source: docs/manifest-language.md, "Entities, actions, schemas".
 */
export function consentScopes(
  { entities }: Pick<Manifest, 'entities'>,
  method: Pick<AuthMethod, 'oauth2'>,
): readonly string[] {
  const consent = consentOf(method)
  if (consent === null) return []
  const needed = entities.flatMap(({ actions }) => actions.flatMap(({ scopes }) => scopes))
  return [...new Set([...consent.authorize.scopes, ...needed])]
}
