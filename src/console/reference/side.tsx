// What stands at the left of every page: a search in all of the documentation, and a list; on phones that opens by a button.
import {
  type KeyboardEvent as Pressed,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Button } from '../parts/controls.tsx'
import { Hits } from './hits.tsx'

/** What a link from elsewhere looks for. */
const ASKED = new URLSearchParams(window.location.search).get('q') ?? ''

/** `label`: what it lists, as "Operations". */
export function Side(props: {
  readonly label: string
  readonly className?: string
  readonly children: ReactNode
}): ReactNode {
  const { label, className = '' } = props
  const [wanted, setWanted] = useState(ASKED)
  const [isOpen, setOpen] = useState(ASKED !== '')
  const onClick = ({ target }: MouseEvent): void => {
    if (target instanceof Element && target.closest('a') !== null) setOpen(false)
  }
  return (
    <nav
      className="reference-side"
      aria-label={label}
      data-open={isOpen}
      onClick={onClick}
      onKeyDown={onKey}
    >
      <SideSearch
        value={wanted}
        change={(value) => {
          setWanted(value)
          setOpen(true)
        }}
      />
      <Button className="reference-menu" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Close the list' : `All ${label.toLowerCase()}`}
      </Button>
      <div className={`reference-list side-list ${className}`}>
        {wanted.trim() === '' ? props.children : <Hits typed={wanted} />}
      </div>
    </nav>
  )
}

/** What the link of what is shown has; the list, which scrolls on its own, brings it into sight. */
export function currentIf(isCurrent: boolean) {
  return isCurrent ? ({ 'aria-current': 'page', ref: intoSight } as const) : {}
}

function intoSight(link: HTMLElement | null): void {
  const list = link?.closest('.reference-side') ?? null
  if (link === null || list === null) return
  const [place, sight] = [link.getBoundingClientRect(), list.getBoundingClientRect()]
  if (place.top < sight.top || place.bottom > sight.bottom)
    list.scrollTop += place.top - sight.top - sight.height / 3
}

/** The arrows lead from the field through the links below it and back; Enter in the field opens the first that is found. */
function onKey(event: Pressed<HTMLElement>): void {
  const { key, target, currentTarget } = event
  const isOpening =
    key === 'Enter' && target instanceof HTMLInputElement && target.value.trim() !== ''
  const step = key === 'ArrowDown' || isOpening ? 1 : key === 'ArrowUp' ? -1 : 0
  const stops = [...currentTarget.querySelectorAll<HTMLElement>('input, .reference-list a')]
  const next = stops[stops.findIndex((each) => each === target) + step]
  if (step === 0 || next === undefined) return
  event.preventDefault()
  if (isOpening) next.click()
  else next.focus()
}

/** The key `/` leads to it. */
function SideSearch(props: {
  readonly value: string
  readonly change: (value: string) => void
}): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const jump = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, textarea, select')
      if (event.key !== '/' || isTyping !== null) return
      event.preventDefault()
      input.current?.focus()
    }
    window.addEventListener('keydown', jump)
    return () => window.removeEventListener('keydown', jump)
  }, [])
  return (
    <input
      ref={input}
      type="search"
      aria-label="Search the documentation"
      placeholder="Search the documentation  /"
      value={props.value}
      onChange={(event) => props.change(event.target.value)}
    />
  )
}
