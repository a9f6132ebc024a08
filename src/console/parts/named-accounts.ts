// Accounts by words, the same for every list that finds them.
import type { InstancePage } from '../api/answers.ts'
import { call } from '../api/call.ts'

/** How words mean an account: by what its name, user or id begins with, or by standing anywhere in these or its connector. */
export type Meaning = 'starts_with' | 'contains'

export interface NamedPage extends InstancePage {
  readonly meaning: Meaning
}

type Query = Readonly<Record<string, string>>

/** One letter is somewhere in nearly all. */
export const MIN_WITHIN = 2

/** A first page: the accounts that begin with words; where none does, those that have them anywhere. */
export async function firstNamed(
  words: string,
  query: Query,
  signal: AbortSignal,
): Promise<NamedPage> {
  const begun = await named(words, 'starts_with', query, signal)
  if (begun.data.length > 0 || words.length < MIN_WITHIN) return begun
  const within = await named(words, 'contains', query, signal)
  return within.data.length === 0 ? begun : within
}

export async function named(
  words: string,
  meaning: Meaning,
  query: Query,
  signal: AbortSignal,
): Promise<NamedPage> {
  const asked = { ...query, [meaning]: words }
  const page = await call<InstancePage>('GET', '/integrations/connectors', { query: asked, signal })
  return { ...page, meaning }
}
