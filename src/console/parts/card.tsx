// A part of a screen with its title, what it is about, and what can be done in it.
import { type ReactNode, useId } from 'react'
import { Link } from '../place.tsx'
import './card.css'

export interface CardWords {
  readonly title: string
  /** What it is for, in one line. */
  readonly about?: string
}

export function Card(
  props: CardWords & {
    /** Where its title leads. */
    readonly to?: string
    readonly actions?: ReactNode
    readonly children: ReactNode
  },
): ReactNode {
  const id = useId()
  return (
    <section className="box panel" aria-labelledby={id}>
      <header>
        <div>
          <h2 id={id}>
            {props.to === undefined ? props.title : <Link to={props.to}>{props.title}</Link>}
          </h2>
          {props.about === undefined ? null : <p className="quiet">{props.about}</p>}
        </div>
        {props.actions === undefined ? null : <div className="actions">{props.actions}</div>}
      </header>
      {props.children}
    </section>
  )
}
