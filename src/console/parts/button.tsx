// Buttons that do something at once. A form is sent by a plain `<button>`.
import type { ComponentProps, ReactNode } from 'react'

export function Button(props: ComponentProps<'button'>): ReactNode {
  return <button type="button" {...props} />
}

/** Leafing through pages. Null: there is no page on that side. */
export function TurnPages(props: {
  readonly words?: readonly [back: string, next: string]
  readonly back: (() => void) | null
  readonly next: (() => void) | null
  readonly busy?: boolean
}): ReactNode {
  const [back, next] = props.words ?? ['Previous page', 'Next page']
  const turn = (words: string, go: (() => void) | null): ReactNode => (
    <Button className="small" disabled={props.busy === true || go === null} onClick={() => go?.()}>
      {words}
    </Button>
  )
  return (
    <div className="actions">
      {turn(back, props.back)}
      {turn(next, props.next)}
    </div>
  )
}
