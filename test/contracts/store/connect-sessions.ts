import { expect, test } from 'vitest'
import type { ConnectSessionInput } from '../../../src/service/store/connect-sessions.ts'
import type { Store } from '../../../src/service/store/store.ts'
import { organizationEntry, sessionInput } from './rows.ts'

const FRESH = { createdAt: expect.any(Number), attempts: 0, problem: null, connectedId: null }

export function connectSessions(store: () => Store): void {
  const add = async (changes: Partial<ConnectSessionInput> = {}): Promise<ConnectSessionInput> => {
    const session = sessionInput(changes)
    await store().connectSessions.insert(session, organizationEntry('acme'))
    return session
  }

  test('a session is found as it was stored, while it is not expired', async () => {
    const { connectSessions } = store()
    const session = await add()
    const bare = await add({ connectorTypes: null, clientId: null, allowedOrigin: null })
    const over = await add({ expiresAt: Date.now() - 60_000 })
    expect(await connectSessions.find(session.tokenHash)).toEqual({ ...session, ...FRESH })
    expect(await connectSessions.find(bare.tokenHash)).toEqual({ ...bare, ...FRESH })
    expect(await connectSessions.find(over.tokenHash)).toBe(null)
    expect(await connectSessions.findExpired(over.tokenHash)).toEqual({ ...over, ...FRESH })
    expect(await connectSessions.findExpired(bare.tokenHash)).toBe(null)
    expect(await connectSessions.hold(over.tokenHash, 1000)).toBe(null)
    expect(await connectSessions.find('never')).toBe(null)
    expect(await connectSessions.purgeExpired()).toBeGreaterThanOrEqual(1)
    expect(await connectSessions.purgeExpired()).toBe(0)
  })

  test('of 20 attempts at once one holds the session, until it is released', async () => {
    const { connectSessions } = store()
    const { tokenHash } = await add()
    const held = await Promise.all(
      Array.from({ length: 20 }, () => connectSessions.hold(tokenHash, 60_000)),
    )
    expect(held.flatMap((row) => (row === null ? [] : [row.attempts]))).toEqual([1])
    await connectSessions.release(tokenHash, { code: 'credentials_refused' })
    expect((await connectSessions.find(tokenHash))?.problem).toEqual({
      code: 'credentials_refused',
    })
    expect(await connectSessions.hold(tokenHash, 60_000)).toMatchObject({
      attempts: 2,
      problem: null,
    })
  })

  test('an attempt that never ends gives its place up by itself', async () => {
    const { connectSessions } = store()
    const { tokenHash } = await add()
    expect(await connectSessions.hold(tokenHash, -1)).not.toBe(null)
    expect(await connectSessions.hold(tokenHash, -1)).toMatchObject({ attempts: 2 })
  })

  test('a session connects once', async () => {
    const { connectSessions } = store()
    const { tokenHash } = await add()
    await connectSessions.hold(tokenHash, 60_000)
    await connectSessions.finish(tokenHash, 'instance-1')
    await connectSessions.release(tokenHash, { code: 'late' })
    expect(await connectSessions.hold(tokenHash, 60_000)).toBe(null)
    expect(await connectSessions.find(tokenHash)).toMatchObject({
      connectedId: 'instance-1',
      problem: null,
      attempts: 1,
    })
  })
}
