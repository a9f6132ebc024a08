import { expect, test } from 'vitest'
import type { PersonRow } from '../../../src/service/store/people.ts'
import type { Store } from '../../../src/service/store/store.ts'
import { organizationEntry, PERSON, unique } from './rows.ts'
import type { StoreSubject } from './subject.ts'

const HOUR_MS = 3_600_000

export function people(subject: () => StoreSubject, store: () => Store): void {
  const audit = organizationEntry('acme', 'console.sign_in')

  async function signIn(
    organizationId: string,
    changes: { subject?: string; login?: string; role?: 'viewer' | 'administrator' } = {},
  ): Promise<string | null> {
    const sessionHash = unique('session')
    const person = { ...PERSON, organizationId, subject: 'ada', ...changes }
    const row = await store().people.signIn(person, { sessionHash, lifeMs: HOUR_MS }, audit)
    return row === null ? null : sessionHash
  }

  async function only(organizationId: string): Promise<PersonRow> {
    const [person, other] = await store().people.list(organizationId)
    if (person === undefined || other !== undefined) throw new Error('there is not one person')
    return person
  }

  const roleOf = async (sessionHash: string | null, given = store()): Promise<string | null> =>
    (await given.consoleSessions.find(sessionHash ?? '', HOUR_MS))?.person?.role ?? null

  test('a person signs in again as the same one, with what the provider says now', async () => {
    const organizationId = unique('org')
    const first = await signIn(organizationId)
    const { personId } = await only(organizationId)
    const second = await signIn(organizationId, { login: 'countess@example.com', role: 'viewer' })
    expect(await only(organizationId)).toEqual({
      ...PERSON,
      organizationId,
      personId,
      subject: 'ada',
      login: 'countess@example.com',
      role: 'viewer',
      givenRole: null,
      createdAt: expect.any(Number),
      signedInAt: expect.any(Number),
      removedAt: null,
    })
    expect([await roleOf(first), await roleOf(second)]).toEqual(['viewer', 'viewer'])
    await signIn(organizationId, { subject: 'another' })
    expect(await store().people.list(organizationId)).toHaveLength(2)
    expect(await store().people.list(unique('org'))).toEqual([])
  })

  test('a role that is given holds at once, in every process, and after the next sign-in', async () => {
    const other = await subject().open()
    const organizationId = unique('org')
    const session = await signIn(organizationId)
    const { personId } = await only(organizationId)
    const { people: there } = other
    expect(await there.update(unique('org'), personId, { givenRole: 'viewer' }, audit)).toBe(null)
    await there.update(organizationId, personId, { givenRole: 'administrator' }, audit)
    expect(await roleOf(session)).toBe('administrator')
    expect(await roleOf(await signIn(organizationId))).toBe('administrator')
    await there.update(organizationId, personId, { givenRole: null }, audit)
    expect(await roleOf(session)).toBe('developer')
  })

  test('a person who is removed has no session anywhere and gets none', async () => {
    const other = await subject().open()
    const organizationId = unique('org')
    const session = await signIn(organizationId)
    const kept = await signIn(organizationId, { subject: 'another' })
    const people = await store().people.list(organizationId)
    const { personId = '' } = people.find((person) => person.subject === 'ada') ?? {}
    await other.people.update(organizationId, personId, { isRemoved: true }, audit)
    expect([await roleOf(session), await roleOf(session, other)]).toEqual([null, null])
    expect(await roleOf(kept)).toBe('developer')
    expect(await signIn(organizationId)).toBe(null)
    await other.people.update(organizationId, personId, { isRemoved: false }, audit)
    expect(await roleOf(session)).toBe(null)
    expect(await roleOf(await signIn(organizationId))).toBe('developer')
  })

  test('of each person it is known how many sessions live, and when one was used last', async () => {
    const organizationId = unique('org')
    const sessions = [await signIn(organizationId), await signIn(organizationId)]
    await signIn(organizationId, { subject: 'bob' })
    await signIn(unique('org'))
    const people = await store().people.list(organizationId)
    const { personId } = people.find((person) => person.subject === 'ada') ?? { personId: '' }
    const { consoleSessions } = store()
    const ofAda = async (idleMs = HOUR_MS) =>
      (await consoleSessions.ofPeople(organizationId, idleMs)).find(
        (each) => each.personId === personId,
      )
    expect(await ofAda()).toEqual({ personId, count: 2, usedAt: expect.any(Number) })
    expect(await consoleSessions.ofPeople(organizationId, HOUR_MS)).toHaveLength(2)
    for (const session of sessions) await consoleSessions.close(session ?? '')
    expect(await ofAda()).toBe(undefined)
  })

  test('of sign-ins and a removal at the same time no session is left', async () => {
    const organizationId = unique('org')
    await signIn(organizationId)
    const { personId } = await only(organizationId)
    const [sessions] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, () => signIn(organizationId))),
      store().people.update(organizationId, personId, { isRemoved: true }, audit),
    ])
    for (const session of sessions) expect(await roleOf(session)).toBe(null)
  })
}
