// What a process that has ended still holds, and how the process after it gets it.
import { describe, expect, test } from 'vitest'
import type { InstanceState } from '../../../src/service/store/instances.ts'
import type { Store } from '../../../src/service/store/store.ts'
import { eventInput, placeOf, storedWebhook } from './events.ts'
import { jobPlace, takeJobs } from './jobs.ts'
import {
  intentInput,
  organizationEntry,
  place,
  sessionInput,
  storedInstance,
  unique,
} from './rows.ts'

const HELD_MS = 3_600_000

export function endedProcess(store: () => Store): void {
  describe('endLeases', () => {
    test.for<{
      readonly name: string
      /** Takes something as one process does; gives what another one gets. */
      readonly take: (store: Store) => Promise<() => Promise<unknown>>
      readonly held: unknown
      readonly free: unknown
    }>([
      {
        name: 'the lease of a refresh is free, and its fence goes on',
        async take({ leases }) {
          const id = unique('lease')
          await leases.acquire(id, 'refresh', 'ended', HELD_MS)
          return async () => await leases.acquire(id, 'refresh', 'next', HELD_MS)
        },
        held: null,
        free: { fence: 2 },
      },
      {
        name: 'a request of which nothing was sent runs again',
        async take({ idempotency }) {
          const at = place()
          const request = { fingerprint: 'body', leaseMs: HELD_MS, keepMs: HELD_MS }
          await idempotency.begin(at, { ...request, ownerId: 'ended' })
          return async () => await idempotency.begin(at, { ...request, ownerId: 'next' })
        },
        held: { kind: 'running' },
        free: { kind: 'new' },
      },
      {
        name: 'a request that was sent is lost',
        async take({ idempotency }) {
          const at = place()
          const request = { fingerprint: 'body', leaseMs: HELD_MS, keepMs: HELD_MS }
          await idempotency.begin(at, { ...request, ownerId: 'ended' })
          await idempotency.markSent(at, 'ended')
          return async () => await idempotency.begin(at, { ...request, ownerId: 'next' })
        },
        held: { kind: 'running' },
        free: { kind: 'lost', sent: true },
      },
      {
        name: 'a job is due',
        async take({ jobs }) {
          const kind = unique('kind')
          await jobs.put({ ...jobPlace(kind), detail: 'full' })
          await takeJobs({ jobs }, kind, { ownerId: 'ended', ttlMs: HELD_MS })
          return async () =>
            (await takeJobs({ jobs }, kind, { ownerId: 'next' })).map(
              ({ fence, detail, attempts }) => ({
                fence,
                detail,
                attempts,
              }),
            )
        },
        held: [],
        free: [{ fence: 2, detail: 'full', attempts: 2 }],
      },
      {
        name: 'a connect page can be tried again',
        async take({ connectSessions }) {
          const { tokenHash, ...session } = sessionInput()
          await connectSessions.insert({ tokenHash, ...session }, organizationEntry('acme'))
          await connectSessions.hold(tokenHash, HELD_MS)
          return async () => (await connectSessions.hold(tokenHash, HELD_MS))?.attempts ?? null
        },
        held: null,
        free: 2,
      },
      {
        name: 'a delivery is due',
        async take(opened) {
          const webhook = await storedWebhook(opened)
          await opened.events.append(eventInput(webhook))
          await opened.webhooks.take(placeOf(webhook), 1, HELD_MS)
          return async () =>
            (await opened.webhooks.take(placeOf(webhook), 1, HELD_MS)).map(
              ({ attempts, fence }) => ({ attempts, fence }),
            )
        },
        held: [],
        free: [{ attempts: 0, fence: 2 }],
      },
    ])('after the end of its process $name', async ({ take, held, free }) => {
      const tryNext = await take(store())
      expect(await tryNext()).toEqual(held)
      await store().endLeases()
      expect(await tryNext()).toEqual(free)
    })

    test('an answer that was kept stays, and a delivery that waits for its next attempt waits on', async () => {
      const { idempotency, events, webhooks } = store()
      const at = place()
      const request = { fingerprint: 'body', leaseMs: HELD_MS, keepMs: HELD_MS }
      const answer = { status: 201, headers: {}, sealedBody: new Uint8Array([1]) }
      await idempotency.begin(at, { ...request, ownerId: 'ended' })
      await idempotency.finish(at, 'ended', answer)
      const webhook = await storedWebhook(store())
      await events.append(eventInput(webhook))
      const [attempt] = await webhooks.take(placeOf(webhook), 1, HELD_MS)
      const later = { state: 'pending', delayMs: HELD_MS, status: 503, error: null } as const
      await webhooks.finish(attempt!, later)

      await store().endLeases()
      expect(await idempotency.begin(at, { ...request, ownerId: 'next' })).toEqual({
        kind: 'done',
        ...answer,
      })
      expect(await webhooks.take(placeOf(webhook), 1, HELD_MS)).toEqual([])
    })
  })

  describe('intents.abandoned', () => {
    async function intentUnder(
      state: InstanceState,
      { leaseMs = -1, notBefore = null as number | null } = {},
    ): Promise<string> {
      const { id } = await storedInstance(store(), { state })
      await store().leases.acquire(id, 'refresh', 'ended', leaseMs)
      await store().intents.put(intentInput(id, { notBefore }))
      return id
    }

    test('a refresh whose process has ended before it could tell the outcome is found, oldest first', async () => {
      const first = await intentUnder('active')
      const pending = await intentUnder('pending')
      const unknown = await intentUnder('refresh_unknown')
      const others = [
        await intentUnder('active', { leaseMs: HELD_MS }),
        await intentUnder('active', { notBefore: 1 }),
        await intentUnder('auth_error'),
        await intentUnder('disabled'),
      ]
      const mine = [first, pending, unknown, ...others]
      const found = (await store().intents.abandoned(1000)).map(({ id }) => id)
      expect(new Set(found.filter((id) => mine.includes(id)))).toEqual(
        new Set([first, pending, unknown]),
      )
      expect(await store().intents.abandoned(1)).toHaveLength(1)
    })
  })
}
