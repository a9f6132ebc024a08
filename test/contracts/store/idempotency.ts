import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Store } from '../../../src/service/store/store.ts'
import { place } from './rows.ts'

const ANSWER = {
  status: 201,
  headers: { location: '/v1/x' },
  sealedBody: new Uint8Array([1, 0, 255]),
}

export function idempotency(store: () => Store): void {
  const request = (changes = {}): Parameters<Store['idempotency']['begin']>[1] => ({
    fingerprint: 'body',
    ownerId: 'a',
    leaseMs: 60_000,
    keepMs: 86_400_000,
    ...changes,
  })

  test('a key runs once, and gives its answer from then on', async () => {
    const keys = store().idempotency
    const at = place({ instanceId: 'some-instance' })
    expect(await keys.begin(at, request())).toEqual({ kind: 'new' })
    expect(await keys.begin(at, request({ ownerId: 'b' }))).toEqual({ kind: 'running' })
    const other = { fingerprint: 'under a new key', otherFingerprints: ['body'] }
    expect(await keys.begin(at, request(other))).toEqual({ kind: 'running' })
    expect(await keys.begin(at, request({ fingerprint: 'other' }))).toEqual({ kind: 'other_body' })
    await keys.markSent(at, 'a')
    expect(await keys.finish(at, 'b', ANSWER)).toBe(false)
    expect(await keys.finish(at, 'a', ANSWER)).toBe(true)
    expect(await keys.finish(at, 'a', ANSWER)).toBe(false)
    expect(await keys.begin(at, request())).toEqual({ kind: 'done', ...ANSWER })
    expect(await keys.begin(at, request({ fingerprint: 'other' }))).toEqual({ kind: 'other_body' })
  })

  test.for([
    { name: 'organisation', other: { organizationId: 'other' } },
    { name: 'instance', other: { instanceId: 'another' } },
    { name: 'route', other: { route: 'execute' } },
    { name: 'key', other: { keyHash: 'another' } },
  ])('T4 a key is of its $name only', async ({ other }) => {
    const at = place({ instanceId: 'one' })
    await store().idempotency.begin(at, request())
    expect(await store().idempotency.begin({ ...at, ...other }, request())).toEqual({ kind: 'new' })
    await store().idempotency.forget({ ...at, ...other }, 'a')
    expect(await store().idempotency.begin(at, request())).toEqual({ kind: 'running' })
  })

  test('of 50 equal requests at once one runs', async () => {
    const at = place()
    const begun = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        store().idempotency.begin(at, request({ ownerId: `p${i}` })),
      ),
    )
    expect(begun.filter(({ kind }) => kind === 'new')).toHaveLength(1)
    expect(begun.filter(({ kind }) => kind === 'running')).toHaveLength(49)
  })

  test('a request whose process ended before anything left is as if it had never been', async () => {
    const at = place()
    const keys = store().idempotency
    await keys.begin(at, request({ leaseMs: 1 }))
    // Waits for time: a lease of one millisecond ends.
    await sleep(20)
    const second = await keys.begin(at, request({ ownerId: 'b', fingerprint: 'other' }))
    expect(second).toEqual({ kind: 'new' })
    await expect(keys.markSent(at, 'a')).rejects.toMatchObject({ code: 'idempotency_in_flight' })
    expect(await keys.finish(at, 'a', ANSWER)).toBe(false)
    expect(await keys.extend(at, 'a', 1000)).toBe(false)
    await keys.forget(at, 'a')
    expect(await keys.begin(at, request({ fingerprint: 'other' }))).toEqual({ kind: 'running' })
  })

  test('of many that find such a request one runs', async () => {
    const at = place()
    await store().idempotency.begin(at, request({ leaseMs: 1 }))
    // Waits for time: a lease of one millisecond ends.
    await sleep(20)
    const begun = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        store().idempotency.begin(at, request({ ownerId: `p${i}` })),
      ),
    )
    expect(begun.filter(({ kind }) => kind === 'new')).toHaveLength(1)
  })

  test('U10 what a request did whose process ended after it was sent is unknown for good', async () => {
    const at = place()
    const keys = store().idempotency
    await keys.begin(at, request({ leaseMs: 1 }))
    await keys.markSent(at, 'a')
    // Waits for time: a lease of one millisecond ends.
    await sleep(20)
    expect(await keys.begin(at, request({ ownerId: 'b' }))).toEqual({ kind: 'lost', sent: true })
    expect(await keys.begin(at, request({ ownerId: 'b' }))).toEqual({ kind: 'lost', sent: true })
    expect(await keys.extend(at, 'a', 60_000)).toBe(true)
    expect(await keys.begin(at, request({ ownerId: 'b' }))).toEqual({ kind: 'running' })
    expect(await keys.finish(at, 'a', ANSWER)).toBe(true)
  })

  test('a key that is forgotten or expired may be used again', async () => {
    const keys = store().idempotency
    const at = place()
    await keys.begin(at, request())
    await keys.forget(at, 'a')
    expect(await keys.begin(at, request())).toEqual({ kind: 'new' })
    const old = place()
    await keys.begin(old, request({ keepMs: -60_000 }))
    expect(await keys.begin(old, request({ fingerprint: 'other' }))).toEqual({ kind: 'new' })
    // Keys of the tests before may have expired on a slow machine.
    await keys.purgeExpired()
    await keys.begin(place(), request({ keepMs: -60_000 }))
    expect(await keys.purgeExpired()).toBe(1)
  })
}
