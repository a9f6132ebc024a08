// A process that fills a folder with copies until it is done or killed: `node sync-process.ts <vendor> <folder>`.
import { createNotesSync, notesManifest } from './notes-vendor.ts'

const [, , url = '', folder = ''] = process.argv
const cursor = { field: 'updated', since: 'since', lookback: 'PT1M' }
await using sync = await createNotesSync(url, await notesManifest({ sync: { cursor } }), { folder })
const leaseTimes = { ttlMs: 400, beatMs: 50 }
for (const entity of ['notes', 'comments']) {
  for (;;) {
    const { kind } = await sync.run(entity, { leaseTimes })
    if (kind === 'done') break
    // The lease of the one that was killed has to run out.
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
process.stdout.write('done\n')
