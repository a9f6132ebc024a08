// The end of a copy that another one replaces.
import type { CopyId, SearchIndex } from '../search/search-index.ts'
import { readFacts } from './run-record.ts'

/** Lets a copy serve, and takes away the others of its entity with all that listings have seen of them. */
export async function takeOver(
  index: Pick<SearchIndex, 'copies' | 'serve' | 'forgetRun'>,
  copy: CopyId,
): Promise<void> {
  const others = (await index.copies(copy)).filter(({ epoch }) => epoch !== copy.epoch)
  await index.serve(copy)
  for (const { facts } of others) {
    const { proof } = readFacts(facts)
    if (proof !== null) await index.forgetRun(copy, proof.runId)
  }
}
