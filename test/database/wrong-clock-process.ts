// A process whose clock is wrong: `node wrong-clock-process.ts '{"url":"…","offMs":3600000,"instanceId":"…","copy":{…}}'`
// asks for both leases of an instance for a minute, and prints the fences that it got.
import { openPostgresSearchIndex } from '../../src/copy/postgres/postgres-search-index.ts'
import { openStore } from '../../src/service/store/open/open-store.ts'
import type { CopyId } from '../../src/copy/search/search-index.ts'

export interface Task {
  readonly url: string
  /** Added to the time of day. */
  readonly offMs: number
  readonly instanceId: string
  readonly copy: CopyId
}

const { url, offMs, instanceId, copy } = JSON.parse(process.argv[2] ?? '{}') as Task
const RightDate = Date
globalThis.Date = class extends RightDate {
  constructor(...given: readonly unknown[]) {
    // As Date itself: without arguments it is now.
    super(...((given.length === 0 ? [RightDate.now() + offMs] : given) as [number]))
  }

  static override now(): number {
    return RightDate.now() + offMs
  }
} as DateConstructor

const store = await openStore({ url })
const index = await openPostgresSearchIndex({ url })
process.stdout.write(
  JSON.stringify({
    now: Date.now(),
    store: await store.leases.acquire(instanceId, 'refresh', 'wrong clock', 60_000),
    copy: await index.takeLease(copy, 'wrong clock', 60_000),
  }),
)
await index.close()
await store.close()
