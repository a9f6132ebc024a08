// The head of a sheet that shows one of a list: ways to the ones around it, and copies of its address and of all it says.
import { type ReactNode, useEffect } from 'react'
import { writeJson } from '../api/json-text.ts'
import { TurnPages } from './controls.tsx'
import './sheet-steps.css'
import { singleKeys } from './single-keys.ts'
import { CopyButton } from './values.tsx'

export function SheetSteps(props: {
  readonly id: string
  /** The ids of the list, in their order. */
  readonly among: readonly string[]
  readonly show: (id: string) => void
  /** Its address. */
  readonly link: string
  /** All that is said of it; null: not known yet. */
  readonly whole: Parameters<typeof writeJson>[0] | null
}): ReactNode {
  const { id, among, link, whole } = props
  const at = among.indexOf(id)
  const stepTo = (other: string | undefined): (() => void) | null =>
    at < 0 || other === undefined ? null : () => props.show(other)
  const previous = stepTo(among[at - 1])
  const next = stepTo(among[at + 1])
  useStepKeys(previous, next)
  return (
    <div className="sheet-steps">
      <TurnPages words={['Previous', 'Next']} back={previous} next={next} />
      <span className="fine" role="status">
        {at < 0 ? '' : `Entry ${at + 1} of the ${among.length} shown`}
      </span>
      <CopyButton
        key={id}
        text={window.location.origin + link}
        label="Copy link to this entry"
        words="Copy link"
      />
      {whole === null ? null : (
        <CopyButton
          key={`${id} JSON`}
          text={writeJson(whole, 2)}
          label="Copy as JSON"
          words="Copy as JSON"
        />
      )}
    </div>
  )
}

const STEPS: Readonly<Record<string, 'previous' | 'next'>> = {
  k: 'previous',
  ArrowUp: 'previous',
  ArrowLeft: 'previous',
  j: 'next',
  ArrowDown: 'next',
  ArrowRight: 'next',
}

/** Leads through the entries; a text that scrolls keeps its arrows. */
function useStepKeys(previous: (() => void) | null, next: (() => void) | null): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, target } = event
      const way = Object.hasOwn(STEPS, key) ? STEPS[key] : undefined
      const hasOther = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey
      if (way === undefined || hasOther || (key.length === 1 && !singleKeys())) return
      if (target instanceof Element && target.matches('pre, input, textarea, select')) return
      event.preventDefault()
      const go = way === 'next' ? next : previous
      go?.()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [previous, next])
}
