// Moments as people read them, with the exact one on hover.
import type { ReactNode } from 'react'

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

export function Time(props: { readonly at: string | null; readonly none?: string }): ReactNode {
  if (props.at === null) return <span className="quiet">{props.none ?? 'never'}</span>
  return (
    <time dateTime={props.at} title={props.at}>
      {distance(Date.parse(props.at) - Date.now())}
    </time>
  )
}

function distance(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const step = STEPS.find(([, size]) => Math.abs(seconds) >= size)
  if (step === undefined) return seconds > 5 ? `in ${seconds} seconds` : ms > 0 ? 'now' : 'just now'
  const [unit, size] = step
  return RELATIVE.format(Math.trunc(seconds / size), unit)
}
