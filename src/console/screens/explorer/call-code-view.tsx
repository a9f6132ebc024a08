// The call as code to copy.
import type { ReactNode } from 'react'
import { CodeBlock } from '../../parts/values.tsx'
import { useSession } from '../../session.ts'
import { type CalledOperation, cliOf, curlOf, tokenOf, typescriptOf } from './call-code.ts'

export function CallCode({ operation }: { readonly operation: CalledOperation }): ReactNode {
  const session = useSession()
  return (
    <>
      <h3>A token first, for 15 minutes</h3>
      <CodeBlock text={tokenOf(operation.origin, session.client_id ?? 'default')} label="token" />
      <h3>TypeScript</h3>
      <p className="fine">
        Save it as <code>call.mts</code> in a project that has tenon installed, and run{' '}
        <code>npx node@24 call.mts</code> (Node 24 or later).
      </p>
      <CodeBlock text={typescriptOf(operation)} label="TypeScript" />
      <h3>curl</h3>
      <CodeBlock text={curlOf(operation)} label="curl" />
      <h3>Command line</h3>
      <p className="fine">In such a project, or in a checkout of tenon.</p>
      <CodeBlock text={cliOf(operation)} label="command line" />
    </>
  )
}
