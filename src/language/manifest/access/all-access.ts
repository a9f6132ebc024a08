// The blocks by which a method gets access: the one place that knows them. Nothing else asks a method for a block.
import type { DocumentPath } from '../document.ts'
import type { PlacedMethod } from '../draft.ts'
import type { AuthMethod, Store } from '../manifest.ts'
import type { AuthMethodSource } from '../source.ts'
import type { Access, WrittenParts } from './access.ts'
import { oauth2 } from './oauth2.ts'
import { session } from './session.ts'

/** What the schema has below a method, less what every method may have. A method has one of them, or none. */
export type AccessWord = Exclude<
  keyof AuthMethodSource,
  'title' | 'description' | 'credentials' | 'server' | 'derive' | 'apply'
>
type AccessBlocks = { readonly [W in AccessWord]: NonNullable<AuthMethod[W]> }

export const ACCESS: {
  readonly [W in AccessWord]: Access<NonNullable<AuthMethodSource[W]>, AccessBlocks[W]>
} = { session, oauth2 }

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
    if (block !== null) return (cases[word] as (block: AccessBlocks[AccessWord]) => T)(block)
  }
  return null
}

/** What the answers of a method's block leave behind. */
export function storesOf(method: Pick<AuthMethod, AccessWord>): readonly Store[] {
  return ENTRIES.flatMap(([word, { stores }]) =>
    method[word] === null ? [] : stores(method[word]),
  )
}

/** The parts of a method's block, each with its place in the file; none where it has no block. */
export function accessParts({ at, source }: Pick<PlacedMethod, 'at' | 'source'>): PlacedParts {
  const [word, entry] = ENTRIES.find(([each]) => source[each] !== undefined) ?? []
  if (word === undefined || entry === undefined) return NO_PARTS
  const parts = entry.parts(source[word])
  const placed = <P extends { readonly at: DocumentPath }>(list: readonly P[]): readonly P[] =>
    list.map((part) => ({ ...part, at: [...at, word, ...part.at] }))
  return {
    ...parts,
    urls: placed(parts.urls),
    requests: placed(parts.requests),
    headers: placed(parts.headers),
    stores: placed(parts.stores),
    root: entry.root,
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
