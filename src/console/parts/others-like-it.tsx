// Ways from one of a list to those that have a value in common with it.
import type { ReactNode } from 'react'
import { Link } from '../place.tsx'
import './others-like-it.css'

export function OthersLikeIt(props: {
  /** What stands before the ways. */
  readonly words: string
  /** null: it has no such value. */
  readonly lists: readonly (readonly [words: string, address: string | null])[]
}): ReactNode {
  return (
    <ul className="others-like-it fine" aria-label={props.words}>
      <li aria-hidden="true">{props.words}</li>
      {props.lists.map(([words, address]) =>
        address === null ? null : (
          <li key={words}>
            <Link to={address}>{words}</Link>
          </li>
        ),
      )}
    </ul>
  )
}
