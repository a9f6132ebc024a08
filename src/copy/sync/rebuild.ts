// A copy whose records are the same and only the rules of text have changed: made of what is there, not read again.
import { compileFill, documentOf } from '../search/row.ts'
import type { CopyState, CopyId, SearchIndex } from '../search/search-index.ts'
import type { HeldLease } from './held-lease.ts'
import { type CopyFacts, readFacts } from './run-record.ts'
import type { SyncPorts } from './sync-run.ts'

const AT_ONCE = 500

/**
 * Fills a copy with the documents of the one that serves, where both differ in the rules of text alone, and lets it take
 * over. False: there is no such copy, and everything is to be read from the third party. Throws LostLease.
 */
export async function rebuild(
  { index, clock }: Pick<SyncPorts, 'index' | 'clock'>,
  lease: HeldLease,
  copy: CopyState,
): Promise<boolean> {
  const readSource = async (): Promise<CopyState | undefined> =>
    (await index.copies(copy)).find((other) => isSameButForText(other, copy))
  const source = await readSource()
  if (source === undefined) return false
  const write = { copy, fence: lease.fence }
  const fill = compileFill(copy.layout)
  for (let after = 0; ;) {
    lease.signal.throwIfAborted()
    const some = await index.documents(source, after, AT_ONCE)
    const last = some.at(-1)
    if (last === undefined) break
    const rows = some.map(({ recordId, parentId, doc, compared }) => ({
      recordId,
      parentId,
      doc: fill(doc, documentOf(doc)),
      compared,
    }))
    // Whatever else has been written meanwhile is newer.
    await index.write({ ...write, observedAtMs: 0, rows })
    after = last.seq
  }
  const { syncedAtMs, facts: known } = (await readSource()) ?? source
  // Records have other numbers now, so what a listing has seen of them proves nothing any more.
  const facts: CopyFacts = { ...readFacts(known), proof: null, suspicious: null, confirmed: null }
  await index.write({
    ...write,
    observedAtMs: clock.now(),
    complete: true,
    hasGaps: facts.gaps !== undefined,
    ...(syncedAtMs === null ? {} : { syncedAtMs }),
    facts: JSON.stringify(facts),
  })
  await takeOver(index, copy)
  return true
}

function isSameButForText(other: CopyState, copy: CopyState): boolean {
  return (
    other.serving &&
    other.complete &&
    other.epoch !== copy.epoch &&
    other.settings === copy.settings &&
    other.layout.content !== undefined &&
    other.layout.content === copy.layout.content
  )
}

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
