// A question over the screen. The browser's own dialog keeps the focus inside and closes on Escape.
import { type ReactNode, useEffect, useRef } from 'react'

export function Dialog(props: {
  readonly title: string
  readonly close: () => void
  readonly wide?: boolean
  readonly children: ReactNode
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
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
