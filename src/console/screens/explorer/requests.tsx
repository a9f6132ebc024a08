// Requests to a third party as curl.
import type { ReactNode } from 'react'
import type { Preview } from '../../api/answers.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { curlLines } from './curl-lines.ts'

export function Requests(props: { readonly requests: Preview['requests'] }): ReactNode {
  return props.requests.map(({ curl, after }, index) => (
    <div key={index}>
      {after === null ? null : <p className="fine">{after}</p>}
      <CodeBlock text={curlLines(curl)} label={`request ${index + 1} as curl`} />
    </div>
  ))
}
