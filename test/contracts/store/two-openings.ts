import { expect, test } from 'vitest'
import type { Store } from '../../../src/service/store/store.ts'
import { auditEntry, credentialInput, place, storedInstance } from './rows.ts'
import type { StoreSubject } from './subject.ts'

/** What several processes do to one database. */
export function twoOpenings(subject: () => StoreSubject, store: () => Store): void {
  test('D5 two processes that refresh one instance take turns and lose nothing', async () => {
    const others = [await subject().open(), await subject().open()]
    const row = await storedInstance(store(), { state: 'active' })
    const rounds = 40
    async function refreshAll(opened: Store, processId: string): Promise<number> {
      let committed = 0
      for (let tries = 0; tries < rounds; tries++) {
        const { generation = 0 } = (await opened.credentials.read(row.id)) ?? {}
        const next = { ...credentialInput(`${processId} ${generation + 1}`), nextRefreshAt: null }
        const audit = auditEntry(row, processId)
        if (await opened.credentials.commitRefresh(row.id, generation, next, audit)) committed += 1
      }
      return committed
    }
    const counts = await Promise.all(others.map((opened, i) => refreshAll(opened, `process ${i}`)))
    const total = counts.reduce((sum, count) => sum + count, 0)
    expect((await store().credentials.read(row.id))?.generation).toBe(total + 1)
    const events = await store().audit.list(
      { organizationId: 'acme' },
      { instanceId: row.id, limit: 500 },
    )
    expect(events).toHaveLength(total + 1)
    expect(await store().audit.verify()).toBe(null)
  })

  test('of two processes that begin the same request many times, one runs each', async () => {
    const others = [await subject().open(), await subject().open()]
    for (let i = 0; i < 20; i++) {
      const at = place()
      const request = { fingerprint: 'f', leaseMs: 60_000, keepMs: 60_000 }
      const begun = await Promise.all(
        others.flatMap((opened, o) =>
          Array.from({ length: 3 }, (_, n) =>
            opened.idempotency.begin(at, { ...request, ownerId: `${o}.${n}` }),
          ),
        ),
      )
      expect(begun.filter(({ kind }) => kind === 'new')).toHaveLength(1)
    }
  })

  test('an injected clock decides what is over', async () => {
    let now = 5_000_000_000_000
    const opened = await subject().open({ clock: { now: () => now } })
    const { id } = await storedInstance(store())
    expect(await opened.leases.acquire(id, 'refresh', 'a', 1000)).toEqual({ fence: 1 })
    expect(await opened.leases.acquire(id, 'refresh', 'b', 1000)).toBe(null)
    now += 1000
    expect(await opened.leases.acquire(id, 'refresh', 'b', 1000)).toEqual({ fence: 2 })
  })
}
