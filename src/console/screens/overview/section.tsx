// A part of the overview, with its title.
import type { ReactNode } from 'react'

export function Section(props: {
  readonly title: string
  readonly children: ReactNode
}): ReactNode {
  return (
    <section className="box pile home-part" aria-label={props.title}>
      <h2>{props.title}</h2>
      {props.children}
    </section>
  )
}
