// The blocks by which a method gets access: the one place that knows them. Nothing else asks a method for a block.
import type { DocumentPath } from '../document.ts'
import type { PlacedMethod } from '../draft.ts'
import type { AfterToken, AuthMethod, Store } from '../manifest.ts'
import type { AuthMethodSource } from '../source.ts'
import { type Access, afterTokenParts, type ConsentRules, type WrittenParts } from './access.ts'
import { oauth1 } from './oauth1.ts'
import { oauth2 } from './oauth2.ts'
import { session } from './session.ts'

export { loginSteps } from './session.ts'

/** What the schema has below a method, less what every method may have. A method has one of them, or none. */
export type AccessWord = Exclude<
  keyof AuthMethodSource,
  | 'title'
  | 'description'
  | 'docs'
  | 'credentials'
  | 'server'
  | 'derive'
  | 'apply'
  | 'jwt'
  | 'after_token'
  | 'revoke'
>
type AccessBlocks = { readonly [W in AccessWord]: NonNullable<AuthMethod[W]> }

export const ACCESS: {
  readonly [W in AccessWord]: Access<NonNullable<AuthMethodSource[W]>, AccessBlocks[W]>
} = { session, oauth2, oauth1 }

// An entry takes what stands below its own word, which TypeScript cannot see through the index.
const ENTRIES = Object.entries(ACCESS) as unknown as readonly (readonly [
  AccessWord,
  Access<unknown, unknown>,
])[]

/** Credentials that no text may show, whatever a schema says. */
export const ACCESS_SECRETS: readonly string[] = ENTRIES.flatMap(([, { secrets }]) => secrets)

/** What `cases` says of the block of a method; null: the method has none, its credentials are all that it needs. */
export function matchAccess<T>(
  method: Pick<AuthMethod, AccessWord>,
  cases: { readonly [W in AccessWord]: (block: AccessBlocks[W]) => T },
): T | null {
  for (const word of Object.keys(ACCESS) as AccessWord[]) {
    const block = method[word]
    // Left out, or null: methods that were compiled before there was the word do not have it.
    if (block != null) return (cases[word] as (block: AccessBlocks[AccessWord]) => T)(block)
  }
  return null
}

/** What the answers of a method leave behind. */
export function storesOf(method: Pick<AuthMethod, AccessWord | 'afterToken'>): readonly Store[] {
  return [
    ...ENTRIES.flatMap(([word, { stores }]) => (method[word] == null ? [] : stores(method[word]))),
    ...(method.afterToken ?? []).flatMap(({ store }) => store),
  ]
}

/** The consent of a method; null where it has none. */
export function consentOf(method: Pick<AuthMethod, AccessWord>): ConsentRules | null {
  const found = ENTRIES.find(([word, { consent }]) => method[word] != null && consent !== undefined)
  return found?.[1].consent?.(method[found[0]]) ?? null
}

/** The requests that finish a connection of a method. */
export function afterTokenOf(method: AuthMethod): readonly AfterToken[] {
  return method.afterToken ?? method.oauth2?.afterToken ?? []
}

/** The parts of a method's block and of what else it sends, each with its place in the file. */
export function accessParts({ at, source }: Pick<PlacedMethod, 'at' | 'source'>): PlacedParts {
  const [word, entry] = ENTRIES.find(([each]) => source[each] !== undefined) ?? []
  const own = ownParts(source)
  const placed = <P extends { readonly at: DocumentPath }>(
    list: readonly P[],
    ...before: readonly string[]
  ): readonly P[] => list.map((part) => ({ ...part, at: [...at, ...before, ...part.at] }))
  const requests = placed(own.requests)
  const stores = placed(own.stores)
  if (word === undefined || entry === undefined) return { ...NO_PARTS, requests, stores }
  const parts = entry.parts(source[word])
  return {
    ...parts,
    urls: placed(parts.urls, word),
    requests: [...placed(parts.requests, word), ...requests],
    headers: placed(parts.headers, word),
    stores: [...placed(parts.stores, word), ...stores],
    root: entry.root,
  }
}

/** What a method sends outside its block. */
function ownParts(source: AuthMethodSource): Pick<WrittenParts, 'requests' | 'stores'> {
  const { requests, stores } = afterTokenParts(source.after_token)
  const { revoke } = source
  return {
    requests: [
      ...requests,
      ...(revoke === undefined ? [] : [{ at: ['revoke'], source: revoke, auth: 'same' as const }]),
    ],
    stores,
  }
}
interface PlacedParts extends WrittenParts {
  readonly root: Access<unknown, unknown>['root'] | null
}
const NO_PARTS: PlacedParts = {
  urls: [],
  requests: [],
  headers: [],
  stores: [],
  root: null,
  rootMembers: {},
  credentials: [],
  kept: {},
}
