// A question over the screen. The browser's own dialog keeps the focus inside and closes on Escape.
import { type ReactNode, useEffect, useRef } from 'react'

export function Dialog(props: {
  readonly title: string
  readonly close: () => void
  readonly wide?: boolean
  readonly children: ReactNode
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const opener = useRef<Element | null>(null)
  useEffect(() => {
    opener.current ??= document.activeElement
    dialog.current?.showModal()
    // What is asked for comes first, not the way out.
    dialog.current?.querySelector<HTMLElement>('input, textarea, select')?.focus()
    return () => {
      // The keyboard goes on where it was, unless the browser closed the dialog before and the focus has moved since.
      const isNowhere = document.activeElement === null || document.activeElement === document.body
      if (isNowhere && opener.current instanceof HTMLElement) opener.current.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className={props.wide === true ? 'wide' : undefined}
      aria-label={props.title}
      onClose={props.close}
    >
      <header>
        <h2>{props.title}</h2>
        <button type="button" className="small" aria-label="Close" onClick={props.close}>
          ✕
        </button>
      </header>
      {props.children}
    </dialog>
  )
}
