// The call as code to copy.
import type { ReactNode } from 'react'
import { tokenOf } from '../../code/http-code.ts'
import { CodeTabs } from '../../parts/code-tabs.tsx'
import { CodeView } from '../../parts/code-view.tsx'
import { useSession } from '../../session.ts'
import { type CalledOperation, cliOf, curlOf, pythonOf, typescriptOf } from './call-code.ts'

export function CallCode({ operation }: { readonly operation: CalledOperation }): ReactNode {
  const session = useSession()
  return (
    <>
      <CodeTabs
        texts={{
          curl: curlOf(operation),
          typescript: typescriptOf(operation),
          python: pythonOf(operation),
          command: cliOf(operation),
        }}
        notes={NOTES}
      />
      <h3>The token that it takes, for 15 minutes</h3>
      <CodeView
        text={tokenOf(operation.origin, session.client_id ?? 'default')}
        label="token"
        language="sh"
      />
    </>
  )
}

const NOTES = {
  typescript: (
    <>
      Save it as <code>call.mts</code> in a project that has tenon installed, and run{' '}
      <code>npx node@24 call.mts</code> (Node 24 or later).
    </>
  ),
  python: 'Python 3 alone: it needs no package.',
  command: 'In a project that has tenon installed, or in a checkout of tenon.',
} as const
