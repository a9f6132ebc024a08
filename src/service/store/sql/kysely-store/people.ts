// People of the console, and the sessions that they open.
import type { PersonStore } from '../../../store/people.ts'
import { uuidv7 } from '../../../store/uuid.ts'
import { Undone } from '../database.ts'
import { appendAudit, audited } from './audit-chain.ts'
import { StoreGroup } from './store-group.ts'

export class People extends StoreGroup implements PersonStore {
  readonly signIn: PersonStore['signIn'] = async (person, { sessionHash, lifeMs }, audit) =>
    await this.rows.transaction(async (tx) => {
      const { login, name, role, organizationId } = person
      const isNew = { givenRole: null, removedAt: null, createdAt: this.now() }
      // A removal of the person waits for this row, and then removes the session.
      const { personId, removedAt } = await tx.db
        .insertInto('console_person')
        .values({ ...person, ...isNew, personId: uuidv7(Date.now()), signedInAt: this.now() })
        .onConflict((conflict) =>
          conflict
            .columns(['organizationId', 'issuer', 'subject'])
            .doUpdateSet({ login, name, role, signedInAt: this.now() }),
        )
        .returning(['personId', 'removedAt'])
        .executeTakeFirstOrThrow()
      if (removedAt !== null) throw new Undone(null)
      const session = { sessionHash, organizationId, clientId: null, personId }
      const times = { createdAt: this.now(), usedAt: this.now(), endsAt: this.now(lifeMs) }
      await tx.insert('console_session', { ...session, ...times })
      await appendAudit(tx, audit)
      return await tx.find('console_session', { sessionHash })
    })

  readonly list: PersonStore['list'] = (organizationId) =>
    this.rows.list('console_person', { organizationId }, { by: ['login', 'personId'] })

  readonly update: PersonStore['update'] = async (organizationId, personId, change, audit) =>
    await audited(this.rows, audit, async (tx) => {
      const { givenRole, isRemoved } = change
      const removedAt = isRemoved === undefined ? undefined : isRemoved ? this.now() : null
      const place = { organizationId, personId }
      const row = await tx.change('console_person', place, { personId, givenRole, removedAt })
      if (row !== null && isRemoved === true) await tx.remove('console_session', { personId })
      return row
    })
}
