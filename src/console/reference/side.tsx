// What stands at the left of every page: a list with a field that finds in it; on phones it opens by a button.
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../parts/controls.tsx'

/** `label`: what it lists, as "Operations". */
export function Side(props: { readonly label: string; readonly children: ReactNode }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <nav className="reference-side" aria-label={props.label} data-open={isOpen}>
      <Button className="reference-menu" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Close the list' : `All ${props.label.toLowerCase()}`}
      </Button>
      {props.children}
    </nav>
  )
}

/** The key `/` leads to it. */
export function SideSearch(props: {
  readonly label: string
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
      aria-label={props.label}
      placeholder={`${props.label}  /`}
      value={props.value}
      onChange={(event) => props.change(event.target.value)}
    />
  )
}
