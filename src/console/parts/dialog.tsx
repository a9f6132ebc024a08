// A question over the screen. The browser's own dialog keeps the focus inside and closes on Escape.
import { type ReactNode, useEffect, useRef } from 'react'
import type { Task } from '../api/use-answer.ts'
import { Button } from './controls.tsx'
import { ProblemNotice } from './answer.tsx'

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
        <Button className="small" aria-label="Close" onClick={props.close}>
          ✕
        </Button>
      </header>
      {props.children}
    </dialog>
  )
}

/** A dialog that asks before something is done; each answer is a button next to the one that closes it. */
export function Question(props: {
  readonly title: string
  readonly close: () => void
  readonly keep?: string
  /** What an answer starts. */
  readonly task?: Pick<Task, 'busy' | 'problem'>
  readonly answers: readonly {
    readonly words: string
    readonly look: 'danger' | 'primary'
    readonly act: () => void
  }[]
  readonly children: ReactNode
}): ReactNode {
  return (
    <Dialog title={props.title} close={props.close}>
      {props.children}
      <ProblemNotice problem={props.task?.problem ?? null} />
      <div className="actions">
        <Button onClick={props.close}>{props.keep ?? 'Cancel'}</Button>
        {props.answers.map(({ words, look, act }) => (
          <Button key={words} className={look} disabled={props.task?.busy} onClick={act}>
            {words}
          </Button>
        ))}
      </div>
    </Dialog>
  )
}
