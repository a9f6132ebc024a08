// Tabs as WAI-ARIA describes them: arrows move, the panel follows.
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

export function Tabs(props: {
  readonly label: string
  readonly tabs: Readonly<Record<string, readonly [title: string, content: () => ReactNode]>>
  readonly chosen: string
  readonly choose: (id: string) => void
}): ReactNode {
  const prefix = useId()
  const list = useRef<HTMLDivElement>(null)
  const ids = Object.keys(props.tabs)
  const at = Math.max(0, ids.indexOf(props.chosen))
  const shown = ids[at] ?? ''
  const move = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = ids.at((at + step) % ids.length) ?? shown
    props.choose(next)
    list.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus()
  }
  return (
    <div className="tabs">
      <div role="tablist" aria-label={props.label} ref={list} onKeyDown={move}>
        {Object.entries(props.tabs).map(([id, [title]]) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${prefix}${id}`}
            data-tab={id}
            aria-selected={id === shown}
            aria-controls={`${prefix}panel`}
            tabIndex={id === shown ? 0 : -1}
            onClick={() => props.choose(id)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${prefix}panel`} aria-labelledby={`${prefix}${shown}`}>
        {props.tabs[shown]?.[1]()}
      </div>
    </div>
  )
}
