// Sessions of the console, which every process reads for each of their requests: one that is removed is over everywhere.
import type { ConsoleSessionStore } from '../../../store/console-sessions.ts'
import { above, atMost, matching } from '../statements.ts'
import { appendAudit } from './audit-chain.ts'
import { StoreGroup } from './store-group.ts'

/** How far the time of the latest request may be behind: as often as that a busy session is written. */
const USED_MS = 60_000

export class ConsoleSessions extends StoreGroup implements ConsoleSessionStore {
  readonly open: ConsoleSessionStore['open'] = async (session, secretHash, lifeMs, audit) =>
    await this.rows.transaction(async (tx) => {
      // A change that disables it or its secret waits for this lock, and then removes the session.
      const application = { clientId: session.clientId, secretHash, disabledAt: null }
      if ((await tx.lock('application', application)) === null) return null
      const times = { createdAt: this.now(), usedAt: this.now(), endsAt: this.now(lifeMs) }
      await tx.insert('console_session', { ...session, ...times })
      await appendAudit(tx, audit)
      return await tx.find('console_session', { sessionHash: session.sessionHash })
    })

  readonly find: ConsoleSessionStore['find'] = async (sessionHash, idleMs) => {
    const lives = { endsAt: above(this.now()), usedAt: above(this.now(-idleMs)) }
    const row = await this.db
      .selectFrom('console_session')
      .leftJoin('console_person', 'console_person.personId', 'console_session.personId')
      .leftJoin('application', 'application.clientId', 'console_session.clientId')
      .selectAll('console_session')
      .select(['login', 'console_person.name', 'role', 'givenRole', this.now().as('now')])
      .select('application.addresses')
      .where(matching<'console_session'>({ sessionHash, ...lives }))
      .executeTakeFirst()
    if (row === undefined) return null
    const { now, login, name, role, givenRole, addresses: allowed, ...session } = row
    const addresses = allowed ?? []
    const person = login === null || role === null ? null : { login, name, role: givenRole ?? role }
    // A session of a person who is not there is of nobody.
    if (session.personId !== null && person === null) return null
    if (now - session.usedAt < USED_MS) return { ...session, person, addresses }
    const usedAt = this.now()
    await this.rows.update('console_session', { sessionHash }, { usedAt })
    return { ...session, usedAt: now, person, addresses }
  }

  readonly close: ConsoleSessionStore['close'] = async (sessionHash) => {
    await this.rows.remove('console_session', { sessionHash })
  }

  readonly ofPeople: ConsoleSessionStore['ofPeople'] = async (organizationId, idleMs) => {
    const lives = { endsAt: above(this.now()), usedAt: above(this.now(-idleMs)) }
    const rows = await this.db
      .selectFrom('console_session')
      .select((eb) => [
        'personId',
        eb.fn.max('usedAt').as('usedAt'),
        eb.fn.countAll<number>().as('count'),
      ])
      .where(matching<'console_session'>({ organizationId, ...lives }))
      .groupBy('personId')
      .execute()
    return rows.flatMap(({ personId, usedAt, count }) =>
      personId === null ? [] : [{ personId, usedAt, count }],
    )
  }

  readonly purgeExpired: ConsoleSessionStore['purgeExpired'] = async (idleMs) => {
    const over = await this.rows.remove('console_session', { endsAt: atMost(this.now()) })
    const idle = { usedAt: atMost(this.now(-idleMs)) }
    return over + (await this.rows.remove('console_session', idle))
  }
}
