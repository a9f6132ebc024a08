// An account among the filters of a list, of which the address has the id.
import type { ReactNode } from 'react'
import type { Instance } from '../api/answers.ts'
import { call, instancePath } from '../api/call.ts'
import { useAnswer } from '../api/use-answer.ts'
import { AccountBox } from './account-box.tsx'
import { Button } from './controls.tsx'

export function AccountFilter(props: {
  /** '': of any account. */
  readonly id: string
  readonly choose: (id: string) => void
}): ReactNode {
  const { id } = props
  const account = useAnswer(`filtered by ${id}`, async (signal) =>
    id === '' ? null : await call<Instance>('GET', instancePath(id), { signal }),
  )
  return (
    <div>
      <AccountBox
        label="Account"
        chosen={account.kind === 'ready' ? account.value : null}
        choose={props.choose}
      />
      {id === '' ? null : (
        <Button className="plain" onClick={() => props.choose('')}>
          Any account
        </Button>
      )}
    </div>
  )
}
