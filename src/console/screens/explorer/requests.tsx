// Requests to a third party as curl.
import type { ReactNode } from 'react'
import type { Preview } from '../../api/answers.ts'
import { CodeBlock } from '../../parts/code-block.tsx'

export function Requests(props: { readonly requests: Preview['requests'] }): ReactNode {
  return props.requests.map(({ curl, after }, index) => (
    <div key={index}>
      {after === null ? null : <p className="fine">{after}</p>}
      <CodeBlock text={curlLines(curl)} label={`request ${index + 1} as curl`} />
    </div>
  ))
}

/** The same command with a line for each option. */
function curlLines(curl: string): string {
  return curl.replaceAll(/ (?=(?:-H|--data-raw|--data-binary|-F) )/g, ' \\\n  ')
}
