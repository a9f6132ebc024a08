// What became of a request: that it is under way, what it brought, that there is nothing, or what went wrong.
import { refresh } from '../api/fresh.ts'
import { type Answer, useGet } from '../api/use-answer.ts'
import type { RightName } from '../../display/rights.ts'
import { beginning } from '../../display/sentence.ts'
import { leftAloneUntil } from '../../display/sync-times.ts'
import { Button } from './controls.tsx'
import { ErrorCode } from './error-code.tsx'
import { Time } from './values.tsx'
import { Link } from '../place.tsx'
import { createContext, type ReactNode, type Ref, useContext, useEffect, useState } from 'react'
import { useRefusals } from '../session.ts'
import { isOfRole, type Problem, wayOut } from '../api/problem.ts'
import './answer.css'

export function Loaded<T>(props: {
  readonly of: Answer<T>
  readonly children: (value: T) => ReactNode
}): ReactNode {
  switch (props.of.kind) {
    case 'loading':
      return <Skeleton />
    case 'failed':
      return <ProblemNotice problem={props.of.problem} retry={props.of.reload} />
    case 'ready':
      return <Kept of={props.of}>{props.children(props.of.value)}</Kept>
  }
}

/** What stands around has said already that it was loaded earlier. */
const IsToldEarlier = createContext(false)

function Kept(props: {
  readonly of: Pick<Answer<unknown>, 'reload'> & { readonly stale: Problem | null }
  readonly children: ReactNode
}): ReactNode {
  const { stale, reload } = props.of
  const isTold = useContext(IsToldEarlier)
  const again = (): void => {
    reload()
    refresh()
  }
  return (
    <>
      {stale === null || isTold ? null : (
        <div className="notice bad" role="alert">
          <p>
            <strong>{stale.body.title}.</strong> What you see below was loaded earlier.
          </p>
          <Button onClick={again}>Try again</Button>
        </div>
      )}
      <IsToldEarlier value={isTold || stale !== null}>{props.children}</IsToldEarlier>
    </>
  )
}

/** What was done, for those who see and those who hear; null: nothing yet. */
export function News({ of: words }: { readonly of: string | null }): ReactNode {
  return (
    <div aria-live="polite" className="news">
      {words === null ? null : (
        <div className="notice">
          <p>{words}</p>
        </div>
      )}
    </div>
  )
}

/** Something is under way whose shape is about this. */
export function Skeleton({ lines = 4 }: { readonly lines?: number }): ReactNode {
  return (
    <div className="skeleton" role="status">
      <span className="unseen">Loading …</span>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} aria-hidden="true" />
      ))}
    </div>
  )
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as in useGet, the screen names what the path answers
export function Fetched<T>(props: {
  readonly path: string
  readonly children: (value: T) => ReactNode
}): ReactNode {
  return <Loaded of={useGet<T>(props.path)}>{props.children}</Loaded>
}

export function Empty(props: {
  readonly title: string
  readonly children: ReactNode
  /** A way out: where it leads, as a button unless it is plain. */
  readonly action?: {
    readonly words: string
    readonly to: string
    readonly plain?: boolean
    readonly needs?: RightName
  }
}): ReactNode {
  const { title, children, action } = props
  return (
    <div className="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {action === undefined ? null : (
        <Link
          to={action.to}
          needs={action.needs}
          className={action.plain === true ? '' : 'button primary'}
        >
          {action.words}
        </Link>
      )}
    </div>
  )
}

const SECOND_MS = 1000

export function Working(props: { readonly words: string; readonly stop: () => void }): ReactNode {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const since = performance.now()
    const timer = window.setInterval(
      () => setSeconds(Math.floor((performance.now() - since) / SECOND_MS)),
      SECOND_MS,
    )
    return () => window.clearInterval(timer)
  }, [])
  return (
    <>
      <Button onClick={props.stop}>Stop</Button>
      <span className="working fine">
        <span role="status">{props.words} …</span>
        {/* Said once; the seconds are for those who see them. */}
        <span aria-hidden="true">{seconds === 0 ? '' : ` ${seconds} s`}</span>
      </span>
    </>
  )
}

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
  const way = wayOut(props.problem.body)
  const { leftAloneUntil: until, askedAgainAt: again } = props.problem
  const isRepeated = rest.some((each) => detail.includes(each.detail))
  const marked = errors.filter((each) => props.shown?.has(each.pointer) ?? false).length
  const sentence = isRepeated
    ? null
    : marked > 0 && marked === errors.length
      ? `Look at the marked ${marked === 1 ? 'field' : 'fields'}.`
      : isOfRole(props.problem.body)
        ? `${beginning(detail)}.`
        : beginning(innermost(detail))
  return (
    <div
      className="notice bad"
      role="alert"
      {...(props.place === undefined ? {} : { ref: props.place, tabIndex: -1 })}
    >
      <p>
        <strong>{isOfRole(props.problem.body) ? 'Not allowed for your role' : title}.</strong>{' '}
        {sentence}
      </p>
      {way === undefined ? null : <p>{way}</p>}
      {until === null ? null : (
        <p>
          {beginning(leftAloneUntil(Date.now(), until))} <Time at={until} exact />.
        </p>
      )}
      {again === null ? null : (
        <p>
          The third party can be asked again from <Time at={again} exact />.
        </p>
      )}
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
        {isOfRole(props.problem.body) ? null : (
          <>
            <ErrorCode of={code} />
            {upstream?.status == null ? null : <> · the third party answered {upstream.status}</>}
            {requestId === '' ? null : ' · '}
          </>
        )}
        {requestId === '' ? null : <>request {requestId}</>}
      </p>
      {props.retry === undefined ? null : <Button onClick={props.retry}>Try again</Button>}
    </div>
  )
}

/** What the third party said, where one sentence comes before that: the title says it. */
function innermost(detail: string): string {
  return /^(?:(?!\. ).)+\(status \d+\)\. (The third party said: .+)$/s.exec(detail)?.[1] ?? detail
}

export function OutcomeNote(props: {
  readonly outcome: string | null
  readonly steps: readonly { readonly name: string; readonly outcome: string }[] | null
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
      <p>
        It is not known whether the change was made. Look at the third party before you repeat it.
      </p>
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

/** Above what a role may look at and not send: that it may not, before anything is filled in. */
export function RoleNotice({ needs }: { readonly needs: RightName }): ReactNode {
  const refusal = useRefusals()(needs)
  return refusal === null ? null : <p className="notice">{refusal}.</p>
}
