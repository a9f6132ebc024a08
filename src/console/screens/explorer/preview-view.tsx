// What would be sent to the third party, secrets masked. Nothing is sent for it.
import type { ReactNode } from 'react'
import type { Instance, Preview } from '../../api/answers.ts'
import { call, instancePath } from '../../api/call.ts'
import { writeJson } from '../../api/json-text.ts'
import { useAnswer, useSettled } from '../../api/use-answer.ts'
import { CodeView } from '../../parts/code-view.tsx'
import { Loaded } from '../../parts/answer.tsx'
import type { CalledOperation } from './call-code.ts'

const REST_MS = 300

export function PreviewView(props: {
  readonly instance: Instance
  readonly operation: CalledOperation
}): ReactNode {
  const { entity, action, params } = props.operation
  const settled = useSettled(writeJson({ entity, action, params }), REST_MS)
  const preview = useAnswer(settled, (signal) =>
    call<Preview>('POST', `${instancePath(props.instance.id)}/preview`, {
      body: { entity, action, params },
      signal,
    }),
  )
  const { last } = preview
  return (
    <>
      <p className="quiet">
        What the parameters above become. Secrets are masked, and nothing is sent for this.
      </p>
      {preview.kind === 'loading' && last !== null ? (
        <Requests requests={last.requests} />
      ) : (
        <Loaded of={preview}>{({ requests }) => <Requests requests={requests} />}</Loaded>
      )}
    </>
  )
}

export function Requests(props: { readonly requests: Preview['requests'] }): ReactNode {
  return props.requests.map(({ curl, after }, index) => (
    <div key={index}>
      {after === null ? null : <p className="fine">{after}</p>}
      <CodeView text={curlLines(curl)} label={`request ${index + 1} as curl`} />
    </div>
  ))
}

/** The same command with a line for each option. */
function curlLines(curl: string): string {
  return curl.replaceAll(/ (?=(?:-H|--data-raw|--data-binary|-F) )/g, ' \\\n  ')
}
