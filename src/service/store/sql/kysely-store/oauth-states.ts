// Consents under way: used up by one conditional update.
import type { OAuthStateRow, OAuthStateStore } from '../../../store/consents.ts'
import type { Tables } from '../schema.ts'
import { audited } from './audit-chain.ts'
import { readRow, writeRow } from './row.ts'
import { StoreGroup } from './store-group.ts'

export class OAuthStates extends StoreGroup implements OAuthStateStore {
  readonly insert: OAuthStateStore['insert'] = async (state, audit) => {
    const fresh = { cookie_hash: null, created_at: this.now(), used_at: null }
    await audited(this.database, audit, (tx) =>
      tx
        .insertInto('oauth_state')
        .values({ ...writeRow(state), ...fresh })
        .execute(),
    )
  }

  readonly bindBrowser: OAuthStateStore['bindBrowser'] = async (ticketHash, cookieHash) => {
    const row = await this.db
      .updateTable('oauth_state')
      .set({ cookie_hash: cookieHash })
      .where('ticket_hash', '=', ticketHash)
      .where((eb) => eb.or([eb('cookie_hash', 'is', null), eb('cookie_hash', '=', cookieHash)]))
      .where('used_at', 'is', null)
      .where('expires_at', '>', this.now())
      .returningAll()
      .executeTakeFirst()
    return row === undefined ? null : toState(row)
  }

  readonly take: OAuthStateStore['take'] = async (stateHash, cookieHash) => {
    const row = await this.db
      .updateTable('oauth_state')
      .set({ used_at: this.now() })
      .where('state_hash', '=', stateHash)
      .where('cookie_hash', '=', cookieHash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', this.now())
      .returningAll()
      .executeTakeFirst()
    return row === undefined ? null : toState(row)
  }

  readonly purgeExpired: OAuthStateStore['purgeExpired'] = () => this.removeExpired('oauth_state')
}

function toState({
  cookie_hash: _cookieHash,
  used_at: _usedAt,
  ...columns
}: Tables['oauth_state']): OAuthStateRow {
  return readRow<OAuthStateRow>(columns)
}
