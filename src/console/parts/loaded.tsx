// Shows what was loaded, or that it is on its way, or why it is not there.
import type { ReactNode } from 'react'
import type { Answer } from '../api/use-answer.ts'
import { ProblemNotice } from './problem-notice.tsx'
import { Button } from './button.tsx'

export function Loaded<T>(props: {
  readonly of: Answer<T>
  readonly children: (value: T) => ReactNode
}): ReactNode {
  switch (props.of.kind) {
    case 'loading':
      return (
        <p className="loading" role="status">
          Loading …
        </p>
      )
    case 'failed':
      return <ProblemNotice problem={props.of.problem} retry={props.of.reload} />
    case 'ready':
      return (
        <>
          {props.of.stale === null ? null : (
            <div className="notice bad" role="alert">
              <p>
                <strong>{props.of.stale.body.title}.</strong> What stands below was so before.
              </p>
              <Button onClick={props.of.reload}>Try again</Button>
            </div>
          )}
          {props.children(props.of.value)}
        </>
      )
  }
}
