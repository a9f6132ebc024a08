// What went wrong and the way out.
import type { ReactNode, Ref } from 'react'
import { type Problem, WAYS_OUT } from '../api/problem.ts'
import { OutcomeNote } from './outcome-note.tsx'
import { Button } from './controls.tsx'

/** `shown`: pointers whose problems stand at their fields already. */
export function ProblemNotice(props: {
  readonly problem: Problem | null
  readonly shown?: ReadonlySet<string>
  readonly retry?: () => void
  /** For the focus, once the problem is shown. */
  readonly place?: Ref<HTMLDivElement>
}): ReactNode {
  if (props.problem === null) return null
  const {
    title,
    detail,
    code,
    errors,
    upstream,
    request_id: requestId,
    outcome,
    steps,
  } = props.problem.body
  const rest = errors.filter(
    (each) => each.detail !== detail && !(props.shown?.has(each.pointer) ?? false),
  )
  // To try again is no way out of not knowing.
  const way = outcome === 'uncertain' ? undefined : WAYS_OUT[code]
  const isRepeated = rest.some((each) => detail.includes(each.detail))
  const marked = errors.filter((each) => props.shown?.has(each.pointer) ?? false).length
  const sentence = isRepeated
    ? null
    : marked > 0 && marked === errors.length
      ? `Look at the marked ${marked === 1 ? 'field' : 'fields'}.`
      : innermost(detail)
  return (
    <div
      className="notice bad"
      role="alert"
      {...(props.place === undefined ? {} : { ref: props.place, tabIndex: -1 })}
    >
      <p>
        <strong>{title}.</strong> {sentence}
      </p>
      {way === undefined ? null : <p>{way}</p>}
      <OutcomeNote outcome={outcome} steps={steps ?? null} />
      {rest.length === 0 ? null : (
        <ul>
          {rest.map((each) => (
            <li key={`${each.pointer} ${each.code}`}>
              {each.pointer === '' ? null : <code>{each.pointer}</code>} {each.detail}
              {each.allowed === undefined ? null : `: ${each.allowed.map(String).join(', ')}`}
            </li>
          ))}
        </ul>
      )}
      {upstream?.body == null || upstream.body === '' ? null : (
        <details>
          <summary>What the third party answered ({upstream.status})</summary>
          <pre tabIndex={0}>{upstream.body}</pre>
        </details>
      )}
      <p className="fine">
        <code>{code}</code>
        {requestId === '' ? null : <> · request {requestId}</>}
      </p>
      {props.retry === undefined ? null : <Button onClick={props.retry}>Try again</Button>}
    </div>
  )
}

/** What the third party said, where the text ends with that: the title says the rest. */
function innermost(detail: string): string {
  return /\(status \d+\): (.+)$/s.exec(detail)?.[1] ?? detail
}
