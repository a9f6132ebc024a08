// The call as code to copy.
import type { ReactNode } from 'react'
import { tokenOf } from '../../code/http-code.ts'
import { CodeView } from '../../parts/code-view.tsx'
import { useSession } from '../../session.ts'
import { type CalledOperation, cliOf, curlOf, pythonOf, typescriptOf } from './call-code.ts'

export function CallCode({ operation }: { readonly operation: CalledOperation }): ReactNode {
  const session = useSession()
  return (
    <>
      <h3>A token first, for 15 minutes</h3>
      <CodeView
        text={tokenOf(operation.origin, session.client_id ?? 'default')}
        label="token"
        language="sh"
      />
      <h3>TypeScript</h3>
      <p className="fine">
        Save it as <code>call.mts</code> in a project that has tenon installed, and run{' '}
        <code>npx node@24 call.mts</code> (Node 24 or later).
      </p>
      <CodeView text={typescriptOf(operation)} label="TypeScript" language="ts" />
      <h3>curl</h3>
      <CodeView text={curlOf(operation)} label="curl" language="sh" />
      <h3>Python</h3>
      <p className="fine">Python 3 alone: it needs no package.</p>
      <CodeView text={pythonOf(operation)} label="Python" language="py" />
      <h3>Command line</h3>
      <p className="fine">In such a project, or in a checkout of tenon.</p>
      <CodeView text={cliOf(operation)} label="command line" language="sh" />
    </>
  )
}
