// A question over the screen, or a sheet at its side. React Aria keeps the focus inside, closes it on Escape, and gives the
// focus back; into a shadow tree focus-place.ts does.
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import type { Task } from '../api/use-answer.ts'
import { Button } from './controls.tsx'
import { ProblemNotice } from './answer.tsx'
import { useFocusPlace } from './focus-place.ts'
import './dialog.css'

export function Dialog(props: {
  readonly title: string
  readonly close: () => void
  readonly wide?: boolean
  /** At the side of the screen, which stays in sight. */
  readonly sheet?: boolean
  /** What it shows is lost when it is closed: only one of its buttons closes it. */
  readonly isFirm?: boolean
  /** It is there to be read: it has the focus as a whole, not its first field. */
  readonly isRead?: boolean
  readonly children: ReactNode
}): ReactNode {
  return (
    <ModalOverlay
      isOpen
      isDismissable={props.isFirm !== true}
      isKeyboardDismissDisabled={props.isFirm === true}
      className={props.sheet === true ? 'cover at-side' : 'cover'}
      onOpenChange={(isOpen) => {
        if (!isOpen) props.close()
      }}
    >
      <Modal className="modal">
        <AriaDialog
          aria-label={props.title}
          className={props.wide === true ? 'dialog wide' : 'dialog'}
        >
          <Begin isRead={props.isRead === true}>
            <header>
              <h2>{props.title}</h2>
              {props.isFirm === true ? null : (
                <Button className="plain-icon" aria-label="Close" onClick={props.close}>
                  <X size={16} aria-hidden />
                </Button>
              )}
            </header>
            {props.children}
          </Begin>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

/** What is asked for has the focus first, not the way out; without a field, the dialog. */
function Begin(props: { readonly isRead: boolean; readonly children: ReactNode }): ReactNode {
  const { isRead, children } = props
  const place = useRef<HTMLDivElement>(null)
  useFocusPlace()
  useEffect(() => {
    if (!isRead) place.current?.querySelector<HTMLElement>('input, textarea, select')?.focus()
  }, [])
  return (
    <div ref={place} className="dialog-body">
      {children}
    </div>
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
