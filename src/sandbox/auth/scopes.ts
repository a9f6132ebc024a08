// What tokens are issued for: what was asked for, less what is withheld.
import { consentOf } from '../../language/manifest/access/consent.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'

/** What a token was issued for; null: everything, as where nothing was named. */
export type Scopes = readonly string[] | null

export interface ScopeRules {
  /** All that the manifest names. */
  readonly known: readonly string[]
  /** Those that no token gets. */
  readonly withheld: ReadonlySet<string>
}

/** Every scope that an action needs or a consent asks for, once. */
export function scopesIn({ auth, entities }: Manifest): readonly string[] {
  const asked = auth.flatMap((method) => consentOf(method)?.scopes ?? [])
  const needed = entities.flatMap(({ actions }) => actions.flatMap(({ scopes }) => scopes))
  return [...new Set([...asked, ...needed])]
}

/** Scopes out of a request; null when it names none. */
export function readScopes(text: string | undefined, separator: string): Scopes {
  const scopes = (text ?? '')
    .split(separator)
    .map((scope) => scope.trim())
    .filter((scope) => scope !== '')
  return scopes.length === 0 ? null : scopes
}

export function grantedScopes(asked: Scopes, { known, withheld }: ScopeRules): Scopes {
  return withheld.size === 0 ? asked : (asked ?? known).filter((scope) => !withheld.has(scope))
}

export function missingScopes(needed: readonly string[], scopes: Scopes): readonly string[] {
  return scopes === null ? [] : needed.filter((scope) => !scopes.includes(scope))
}
