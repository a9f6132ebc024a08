// Connect pages under way: one attempt at a time, and one success.
import type { ConnectSessionRow, ConnectSessionStore } from '../../../store/connect-sessions.ts'
import type { Tables } from '../schema.ts'
import { audited } from './audit-chain.ts'
import { readRow, writeRow } from './row.ts'
import { StoreGroup } from './store-group.ts'

export class ConnectSessions extends StoreGroup implements ConnectSessionStore {
  readonly insert: ConnectSessionStore['insert'] = async ({ madeBy = null, ...session }, audit) => {
    const values = {
      ...writeRow({ ...session, attempts: 0, problem: null, connectedId: null }),
      held_until: 0,
      made_by: madeBy,
      created_at: this.now(),
    }
    await audited(this.database, audit, (tx) =>
      tx.insertInto('connect_session').values(values).execute(),
    )
  }

  readonly find: ConnectSessionStore['find'] = async (tokenHash) => {
    const row = await this.db
      .selectFrom('connect_session')
      .selectAll()
      .where('token_hash', '=', tokenHash)
      .where('expires_at', '>', this.now())
      .executeTakeFirst()
    return row === undefined ? null : toSession(row)
  }

  readonly hold: ConnectSessionStore['hold'] = async (tokenHash, ms) => {
    const row = await this.db
      .updateTable('connect_session')
      .set((eb) => ({
        held_until: this.now(ms),
        attempts: eb('attempts', '+', 1),
        problem: null,
      }))
      .where('token_hash', '=', tokenHash)
      .where('connected_id', 'is', null)
      .where('held_until', '<=', this.now())
      .where('expires_at', '>', this.now())
      .returningAll()
      .executeTakeFirst()
    return row === undefined ? null : toSession(row)
  }

  readonly release: ConnectSessionStore['release'] = async (tokenHash, problem) => {
    await this.db
      .updateTable('connect_session')
      .set({ held_until: 0, ...writeRow({ problem }) })
      .where('token_hash', '=', tokenHash)
      .where('connected_id', 'is', null)
      .execute()
  }

  readonly finish: ConnectSessionStore['finish'] = async (tokenHash, connectedId) => {
    await this.db
      .updateTable('connect_session')
      .set({ connected_id: connectedId, held_until: 0, problem: null })
      .where('token_hash', '=', tokenHash)
      .execute()
  }

  readonly purgeExpired: ConnectSessionStore['purgeExpired'] = () =>
    this.removeExpired('connect_session')
}

function toSession(row: Tables['connect_session']): ConnectSessionRow {
  const { held_until: _heldUntil, made_by: _madeBy, ...columns } = row
  return readRow<ConnectSessionRow>(columns)
}
