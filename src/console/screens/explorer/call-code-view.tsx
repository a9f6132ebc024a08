// The call as code to copy.
import type { ReactNode } from 'react'
import { CodeBlock } from '../../parts/code-block.tsx'
import { type CalledOperation, cliOf, curlOf, typescriptOf } from './call-code.ts'

export function CallCode(props: { readonly operation: CalledOperation }): ReactNode {
  return (
    <>
      <h3>TypeScript</h3>
      <CodeBlock text={typescriptOf(props.operation)} label="TypeScript" />
      <h3>curl</h3>
      <CodeBlock text={curlOf(props.operation)} label="curl" />
      {/* The command line has no copy to search. */}
      {props.operation.action === 'search' ? null : (
        <>
          <h3>Command line</h3>
          <CodeBlock text={cliOf(props.operation)} label="command line" />
        </>
      )}
    </>
  )
}
