// Connect pages under way: one attempt at a time, and one success.
import type { ConnectSessionStore } from '../../../store/connect-sessions.ts'
import { above, atMost, oneMore, without } from '../statements.ts'
import { audited } from './audit-chain.ts'
import { StoreGroup } from './store-group.ts'

export class ConnectSessions extends StoreGroup implements ConnectSessionStore {
  readonly insert: ConnectSessionStore['insert'] = async ({ madeBy = null, ...session }, audit) => {
    const untried = { attempts: 0, problem: null, connectedId: null, heldUntil: 0 }
    const row = { ...session, ...untried, madeBy, createdAt: this.now() }
    await audited(this.rows, audit, (tx) => tx.insert('connect_session', row))
  }

  readonly find: ConnectSessionStore['find'] = async (tokenHash) => {
    const wanted = { tokenHash, expiresAt: above(this.now()) }
    return without(await this.rows.find('connect_session', wanted), 'heldUntil', 'madeBy')
  }

  readonly findExpired: ConnectSessionStore['findExpired'] = async (tokenHash) => {
    const wanted = { tokenHash, expiresAt: atMost(this.now()) }
    return without(await this.rows.find('connect_session', wanted), 'heldUntil', 'madeBy')
  }

  readonly hold: ConnectSessionStore['hold'] = async (tokenHash, ms) => {
    const isFree = {
      connectedId: null,
      heldUntil: atMost(this.now()),
      expiresAt: above(this.now()),
    }
    const attempt = { heldUntil: this.now(ms), attempts: oneMore('attempts'), problem: null }
    const row = await this.rows.change('connect_session', { tokenHash, ...isFree }, attempt)
    return without(row, 'heldUntil', 'madeBy')
  }

  readonly release: ConnectSessionStore['release'] = async (tokenHash, problem) => {
    const isOpen = { tokenHash, connectedId: null }
    await this.rows.update('connect_session', isOpen, { heldUntil: 0, problem })
  }

  readonly finish: ConnectSessionStore['finish'] = async (tokenHash, connectedId) => {
    const finished = { connectedId, heldUntil: 0, problem: null }
    await this.rows.update('connect_session', { tokenHash }, finished)
  }

  readonly purgeExpired: ConnectSessionStore['purgeExpired'] = () =>
    this.rows.remove('connect_session', { expiresAt: atMost(this.now()) })
}
