// What tokens are issued for: what was asked for, less what is withheld.
import { consentOf, scopesOfMethod } from '../../language/manifest/access/consent.ts'
import type { AuthMethod, Manifest } from '../../language/manifest/manifest.ts'

/** What a token was issued for; null: everything, as where nothing was named. */
export type Scopes = readonly string[] | null

export interface ScopeRules {
  /** All that the manifest names. */
  readonly known: readonly string[]
  /** Those that no token gets. */
  readonly withheld: ReadonlySet<string>
}

/** Every scope that an action needs or a consent asks for, by all its names, once. */
export function scopesIn({ auth, entities }: Manifest): readonly string[] {
  const asked = auth.flatMap((method) => consentOf(method)?.scopes ?? [])
  const needed = entities.flatMap(({ actions }) => actions.flatMap(({ scopes }) => scopes))
  const named = auth.flatMap((method) => scopesOfMethod(needed, method))
  return [...new Set([...asked, ...needed, ...named])]
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

/** What of the needed scopes a token of a method lacks, by the names of the method; what none of its tokens can have, too. */
export function missingScopes(
  needed: readonly string[],
  { scopes, method }: { readonly scopes: Scopes; readonly method: AuthMethod },
): readonly string[] {
  return needed.flatMap((scope) => {
    const [name] = scopesOfMethod([scope], method)
    if (name === undefined) return [scope]
    return scopes === null || scopes.includes(name) ? [] : [name]
  })
}
