// A process that fills copies until it is done or killed: `node sync-process.ts <vendor> <folder or postgres://…>`.
import { openPostgresSearchIndex } from '../../../src/copy/postgres/postgres-search-index.ts'
import { createNotesSync, notesManifest } from './notes-vendor.ts'

const [, , url = '', store = ''] = process.argv
const cursor = { field: 'updated', since: 'since', lookback: 'PT1M' }
const place = store.startsWith('postgres')
  ? { index: await openPostgresSearchIndex({ url: store, poolSize: 4 }) }
  : { folder: store }
await using sync = await createNotesSync(url, await notesManifest({ sync: { cursor } }), place)
// Longer than a busy machine lets a process wait for its turn.
const leaseTimes = { ttlMs: 2_000, beatMs: 200 }
for (const entity of ['notes', 'comments']) {
  for (;;) {
    const { kind } = await sync.run(entity, { leaseTimes })
    if (kind === 'done') break
    // Waits for time: the lease of the one that was killed has to run out.
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
await place.index?.close()
process.stdout.write('done\n')
