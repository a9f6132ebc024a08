// What there is to see of one account, each at an address of its own.
import type { ReactNode } from 'react'
import { addressOf, Link } from '../place.tsx'
import './tabs.css'

export type AccountView = 'overview' | 'logs' | 'sync' | 'explorer' | 'search' | 'settings'

/** In the order of the menu. */
export const VIEWS: Readonly<
  Record<AccountView, readonly [words: string, to: (id: string) => string]>
> = {
  overview: ['Overview', (id) => addressOf(`/instances/${id}`)],
  explorer: ['Explorer', (instance) => addressOf('/explorer', { instance })],
  search: ['Search', (instance) => addressOf('/search', { instance })],
  sync: ['Sync', (instance) => addressOf('/sync', { instance })],
  logs: ['Logs', (instance) => addressOf('/logs', { instance })],
  settings: ['Settings', (id) => addressOf(`/instances/${id}`, { view: 'settings' })],
}

export function AccountNav(props: {
  readonly id: string
  readonly current: AccountView
}): ReactNode {
  return (
    <nav className="tab-list" aria-label="Of this account">
      {Object.entries(VIEWS).map(([view, [words, to]]) => (
        <Link key={view} className="tab" to={to(props.id)} current={view === props.current}>
          {words}
        </Link>
      ))}
    </nav>
  )
}
