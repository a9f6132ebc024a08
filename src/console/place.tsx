// Where in the console we are: the path below /console, and the query; links to other places.
import {
  type ComponentType,
  type MouseEvent,
  type ReactNode,
  useMemo,
  useSyncExternalStore,
} from 'react'
import type { RightName } from '../display/rights.ts'
import { useRefusals } from './session.ts'

/** What stands before the paths of the service: pages have their files at `…/console/assets`, or `…/docs/assets`. */
export const ROOT: string =
  /^(.*)\/(?:console|docs)\/assets\//.exec(new URL(import.meta.url).pathname)?.[1] ?? ''
/** Where the console lies: below other paths in a host app. */
export const BASE: string = `${ROOT}/console`
const MOVED = 'tenon:moved'

/** Whether another place was gone to since the page was loaded. */
export let hasMoved = false
window.addEventListener('popstate', () => (hasMoved = true))

export interface Place {
  /** `/instances/…`, never empty. */
  readonly path: string
  readonly query: URLSearchParams
}

function placeAt(href: string): Place {
  const { pathname, searchParams } = new URL(href)
  const path = pathname.slice(BASE.length).replace(/\/+$/, '')
  return { path: path === '' ? '/overview' : path, query: searchParams }
}

function subscribe(listen: () => void): () => void {
  window.addEventListener('popstate', listen)
  window.addEventListener(MOVED, listen)
  return () => {
    window.removeEventListener('popstate', listen)
    window.removeEventListener(MOVED, listen)
  }
}

export function usePlace(): Place {
  const href = useSyncExternalStore(subscribe, () => window.location.href)
  return useMemo(() => placeAt(href), [href])
}

export function addressOf(path: string, query: Readonly<Record<string, string>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== '')
  return BASE + path + (given.length === 0 ? '' : `?${String(new URLSearchParams(given))}`)
}

/** Goes to an address of the console. `replace` leaves no way back. */
export function goTo(address: string, { replace = false } = {}): void {
  const isElsewhere = new URL(address, window.location.href).pathname !== window.location.pathname
  hasMoved ||= !replace
  if (replace) window.history.replaceState(null, '', address)
  else window.history.pushState(null, '', address)
  window.dispatchEvent(new Event(MOVED))
  if (isElsewhere) window.scrollTo(0, 0)
}

export function Link(props: {
  readonly to: string
  /** Who lacks this right is led nowhere, and reads why. */
  readonly needs?: RightName | undefined
  readonly className?: string
  readonly current?: boolean
  readonly before?: (() => void) | undefined
  readonly title?: string
  /** In what has keys of its own, where Tab leads past it. */
  readonly tabIndex?: -1
  readonly children: ReactNode
}): ReactNode {
  const refusal = useRefusals()(props.needs)
  const follow = (event: MouseEvent): void => {
    // A new tab or window is the browser's business.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    props.before?.()
    goTo(props.to)
  }
  if (refusal !== null)
    return (
      <span
        role="link"
        tabIndex={0}
        className={props.className}
        aria-disabled="true"
        title={refusal}
      >
        {props.children}
      </span>
    )
  return (
    <a
      href={props.to}
      className={props.className}
      title={props.title}
      tabIndex={props.tabIndex}
      aria-current={props.current === true ? 'page' : undefined}
      onClick={follow}
    >
      {props.children}
    </a>
  )
}

export interface ScreenProps {
  /** Of paths with an id; else empty. */
  readonly id: string
  readonly query: URLSearchParams
}

export interface ScreenEntry {
  /** `{id}` stands for digits, letters a to f and hyphens. */
  readonly path: string
  /** Screens of one area light up the same line of the menu. */
  readonly area: string
  /** The line of the menu; absent: the screen is reached from others. */
  readonly inMenu?: string
  /** What people call it, too: the palette finds it by these words, and as addresses they lead there. */
  readonly alsoCalled?: string
  /** The letter that leads there behind `g`. */
  readonly key?: string
  readonly icon?: ComponentType<{ readonly size?: number; readonly 'aria-hidden'?: boolean }>
  readonly show: ComponentType<ScreenProps>
}
