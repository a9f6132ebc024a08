// What became of a change that failed, where that is not plain.
import type { ReactNode } from 'react'
import type { AnsweredOperation } from '../api/answers.ts'

export function OutcomeNote(props: {
  readonly outcome: string | null
  readonly steps: AnsweredOperation['steps']
}): ReactNode {
  if (props.outcome !== 'uncertain') return null
  const named = (outcome: string): string =>
    (props.steps ?? [])
      .filter((step) => step.outcome === outcome)
      .map(({ name }) => name)
      .join(', ')
  const [done, unknown] = [named('applied'), named('uncertain')]
  if (done === '')
    return (
      <p>Nobody knows whether the change was made. Look at the third party before you repeat it.</p>
    )
  return unknown === '' ? (
    <p>
      Done: {done}. Not done: {named('not_applied')}. Repeat only what is missing.
    </p>
  ) : (
    <p>
      Done: {done}. Not known: {unknown}. Look at the third party before you repeat that.
    </p>
  )
}
