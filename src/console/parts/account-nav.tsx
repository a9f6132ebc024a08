// What there is to see of one account, each at an address of its own.
import { type ReactNode, useEffect, useRef } from 'react'
import { addressOf, Link } from '../place.tsx'
import './tabs.css'

export type AccountView = 'overview' | 'logs' | 'sync' | 'explorer' | 'search' | 'settings'

/** In the order of the tabs. */
export const VIEWS: Readonly<
  Record<AccountView, readonly [words: string, to: (id: string) => string]>
> = {
  overview: ['Overview', (id) => addressOf(`/instances/${id}`)],
  logs: ['Logs', (instance) => addressOf('/logs', { instance })],
  sync: ['Sync', (instance) => addressOf('/sync', { instance })],
  explorer: ['Explorer', (instance) => addressOf('/explorer', { instance })],
  search: ['Search', (instance) => addressOf('/search', { instance })],
  settings: ['Settings', (id) => addressOf(`/instances/${id}`, { view: 'settings' })],
}

export function AccountNav(props: {
  readonly id: string
  readonly current: AccountView
}): ReactNode {
  return (
    <LinkTabs
      label="Of this account"
      tabs={Object.entries(VIEWS).map(([view, [words, to]]) => [
        words,
        to(props.id),
        view === props.current,
      ])}
    />
  )
}

/** Tabs that are places. Where they have no room they scroll in their line, with the current one in sight. */
export function LinkTabs(props: {
  readonly label: string
  readonly tabs: readonly (readonly [words: string, to: string, isCurrent: boolean])[]
  readonly className?: string
}): ReactNode {
  const line = useRef<HTMLElement>(null)
  const current = props.tabs.find(([, , isCurrent]) => isCurrent)?.[0]
  useEffect(() => {
    const tab = line.current?.querySelector('[aria-current]')
    tab?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current])
  return (
    <nav className={`tab-list ${props.className ?? ''}`} aria-label={props.label} ref={line}>
      {props.tabs.map(([words, to, isCurrent]) => (
        <Link key={words} className="tab" to={to} current={isCurrent}>
          {words}
        </Link>
      ))}
    </nav>
  )
}
