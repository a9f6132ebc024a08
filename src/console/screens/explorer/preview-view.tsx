// What would be sent to the third party, secrets masked. Nothing is sent for it.
import { type ReactNode, useEffect, useState } from 'react'
import type { Instance, Preview } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { writeJson } from '../../api/json-text.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { curlLines } from './curl-lines.ts'
import type { CalledOperation } from './call-code.ts'

const REST_MS = 300

export function PreviewView(props: {
  readonly instance: Instance
  readonly operation: CalledOperation
}): ReactNode {
  const { entity, action, params } = props.operation
  const text = writeJson({ entity, action, params })
  const settled = useSettled(text)
  const preview = useAnswer(settled, (signal) =>
    call<Preview>('POST', `/integrations/connectors/${props.instance.id}/preview`, {
      body: { entity, action, params },
      signal,
    }),
  )
  return (
    <>
      <p className="quiet">
        What the parameters above become. Secrets are masked, and nothing is sent for this.
      </p>
      <Loaded of={preview}>
        {({ requests }) =>
          requests.map(({ curl, after }, index) => (
            <div key={curl}>
              {after === null ? null : <p className="fine">{after}</p>}
              <CodeBlock text={curlLines(curl)} label={`request ${index + 1} as curl`} />
            </div>
          ))
        }
      </Loaded>
    </>
  )
}

/** The text once nobody has changed it for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(text), REST_MS)
    return () => window.clearTimeout(timer)
  }, [text])
  return settled
}
