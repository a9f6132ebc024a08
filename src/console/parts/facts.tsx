// Facts with their names. What is null is left out.
import { Fragment, type ReactNode } from 'react'

export function Facts(props: {
  readonly of: readonly (readonly [name: string, fact: ReactNode])[]
}): ReactNode {
  return (
    <dl className="facts">
      {props.of.map(([name, fact]) =>
        fact === null ? null : (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </Fragment>
        ),
      )}
    </dl>
  )
}
