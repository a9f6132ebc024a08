// Tabs as WAI-ARIA describes them: arrows move, the panel follows.
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

export interface Tab {
  readonly id: string
  readonly title: string
  readonly content: () => ReactNode
}

export function Tabs(props: {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly chosen: string
  readonly choose: (id: string) => void
}): ReactNode {
  const prefix = useId()
  const list = useRef<HTMLDivElement>(null)
  const at = Math.max(
    0,
    props.tabs.findIndex(({ id }) => id === props.chosen),
  )
  const shown = props.tabs[at]
  const move = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = props.tabs.at((at + step) % props.tabs.length)
    if (next === undefined) return
    props.choose(next.id)
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus()
  }
  if (shown === undefined) return null
  return (
    <div className="tabs">
      <div role="tablist" aria-label={props.label} ref={list} onKeyDown={move}>
        {props.tabs.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${prefix}${id}`}
            data-tab={id}
            aria-selected={id === shown.id}
            aria-controls={`${prefix}panel`}
            tabIndex={id === shown.id ? 0 : -1}
            onClick={() => props.choose(id)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${prefix}panel`} aria-labelledby={`${prefix}${shown.id}`}>
        {shown.content()}
      </div>
    </div>
  )
}
