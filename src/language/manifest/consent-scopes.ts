// What a user is asked to agree to.
import type { Manifest, OAuth2 } from './manifest.ts'

/**
 * The scopes that the consent of a method asks for: its own, and those that any action needs. None for a method without
 * a consent. Source: docs/manifest-language.md, "Entities, actions, schemas".
 */
export function consentScopes(
  { entities }: Pick<Manifest, 'entities'>,
  { authorize }: OAuth2,
): readonly string[] {
  if (authorize === null) return []
  const needed = entities.flatMap(({ actions }) => actions.flatMap(({ scopes }) => scopes))
  return [...new Set([...authorize.scopes, ...needed])]
}
