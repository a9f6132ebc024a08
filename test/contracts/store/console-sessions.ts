import { expect, test } from 'vitest'
import type { ConsoleSessionRow } from '../../../src/service/store/console-sessions.ts'
import type { Store } from '../../../src/service/store/store.ts'
import { organizationEntry, unique } from './rows.ts'
import type { StoreSubject } from './subject.ts'

const HOUR_MS = 3_600_000
const SECRET = { secretHash: 'new', madeBy: 'cli', endsAt: null }
const NOBODY = { organizationId: 'acme', personId: null }

export function consoleSessions(subject: () => StoreSubject, store: () => Store): void {
  async function application(): Promise<string> {
    const clientId = unique('client')
    const row = { clientId, organizationId: 'acme', name: 'n', secretHash: 'h', redirectUrls: [] }
    await store().applications.create(row)
    return clientId
  }

  async function open(
    clientId: string,
    lifeMs = HOUR_MS,
    given = store(),
  ): Promise<ConsoleSessionRow> {
    const input = { ...NOBODY, sessionHash: unique('session'), clientId }
    const audit = organizationEntry('acme', 'console.sign_in')
    const row = await given.consoleSessions.open(input, 'h', lifeMs, audit)
    if (row === null) throw new Error('the session was not opened')
    expect(row).toEqual({ ...input, createdAt: row.usedAt, usedAt: row.usedAt, endsAt: row.endsAt })
    return row
  }

  const isOpen = async ({ sessionHash }: ConsoleSessionRow, given = store()): Promise<boolean> =>
    (await given.consoleSessions.find(sessionHash, HOUR_MS)) !== null

  test('a session of the console is found by every process until one of them closes it', async () => {
    const other = await subject().open()
    const clientId = await application()
    const session = await open(clientId)
    const kept = await open(clientId)
    expect(await other.consoleSessions.find(session.sessionHash, HOUR_MS)).toEqual({
      ...session,
      person: null,
      addresses: [],
    })
    await other.consoleSessions.close(session.sessionHash)
    expect([await isOpen(session), await isOpen(kept)]).toEqual([false, true])
    expect(await store().consoleSessions.find('never', HOUR_MS)).toBe(null)
  })

  test('another secret of its application, and its end, end a session in every process', async () => {
    const { applications } = store()
    const other = await subject().open()
    const ends: readonly ((clientId: string) => Promise<unknown>)[] = [
      (clientId) => applications.rotateSecret(clientId, SECRET, null),
      (clientId) => applications.rotateSecret(clientId, SECRET, Date.now() + HOUR_MS),
      (clientId) => applications.update(clientId, { disabledAt: Date.now() }),
    ]
    for (const end of ends) {
      const clientId = await application()
      const session = await open(clientId)
      await applications.update(clientId, { name: 'renamed', disabledAt: null })
      expect(await isOpen(session, other)).toBe(true)
      await end(clientId)
      expect(await isOpen(session, other)).toBe(false)
      // It stays over when the application is let in again.
      await applications.update(clientId, { disabledAt: null })
      expect(await isOpen(session, other)).toBe(false)
    }
  })

  test('whoever signs in while the secret is changed gets no session of the old one', async () => {
    const { applications, consoleSessions: sessions } = store()
    const clientId = await application()
    const audit = organizationEntry('acme')
    const openings = Array.from({ length: 10 }, () => unique('session')).map((sessionHash) =>
      sessions.open({ ...NOBODY, sessionHash, clientId }, 'h', HOUR_MS, audit),
    )
    const [rows] = await Promise.all([
      Promise.all(openings),
      applications.rotateSecret(clientId, SECRET, null),
    ])
    for (const row of rows) if (row !== null) expect(await isOpen(row)).toBe(false)
    const late = { ...NOBODY, sessionHash: unique('session'), clientId }
    expect(await sessions.open(late, 'h', HOUR_MS, audit)).toBe(null)
  })

  test('a session ends after its time, and when nobody used it; it is removed then', async () => {
    let now = 6_000_000_000_000
    const given = await subject().open({ clock: { now: () => now } })
    const { consoleSessions: sessions } = given
    const clientId = await application()
    const [busy, idle] = [
      await open(clientId, 3 * HOUR_MS, given),
      await open(clientId, 3 * HOUR_MS, given),
    ]
    for (const passed of [1, 2, 3]) {
      now += HOUR_MS - 1
      expect(await sessions.find(busy.sessionHash, HOUR_MS)).toMatchObject({ usedAt: now })
      if (passed === 1) continue
      expect(await isOpen(idle, given)).toBe(false)
    }
    now += 3
    expect(await isOpen(busy, given)).toBe(false)
    expect(await sessions.purgeExpired(HOUR_MS)).toBeGreaterThanOrEqual(2)
    expect(await sessions.purgeExpired(HOUR_MS)).toBe(0)
  })

  test('a busy session is written once a minute', async () => {
    let now = 7_000_000_000_000
    const statements: string[] = []
    const given = await subject().open({
      clock: { now: () => now },
      onStatement: (sql) => void statements.push(sql),
    })
    const session = await open(await application(), HOUR_MS, given)
    statements.length = 0
    for (let request = 0; request < 60; request++) {
      now += 2000
      expect(await isOpen(session, given)).toBe(true)
    }
    expect(statements.filter((sql) => sql.startsWith('update'))).toHaveLength(2)
    expect(statements).toHaveLength(62)
  })
}
