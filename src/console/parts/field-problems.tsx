// What is wrong with the lines of a field, told below it.
import type { ReactNode } from 'react'
import type { ProblemBody } from '../api/answers.ts'
import type { Problem } from '../api/problem.ts'
import { plainText } from '../../display/plain-text.ts'

/** `at`: the pointer of the field, which holds a list. */
export function problemsBelow(problem: Problem | null, at: string): ProblemBody['errors'] {
  return (problem?.body.errors ?? []).filter(({ pointer }) => pointer.startsWith(`${at}/`))
}

/** The pointers that stand at their fields already, for the notice of the whole form. */
export function shownBelow(
  problem: Problem | null,
  fields: readonly string[],
): ReadonlySet<string> {
  const all = fields.flatMap((at) => problemsBelow(problem, at))
  return new Set(all.map(({ pointer }) => pointer))
}

export function FieldProblems(props: {
  readonly of: Problem | null
  readonly at: string
}): ReactNode {
  return problemsBelow(props.of, props.at).map(({ pointer, detail }) => (
    <p className="fault" key={pointer}>
      {plainText(detail)}
    </p>
  ))
}
