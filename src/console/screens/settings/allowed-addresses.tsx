// From where an application may be used: a field, and a question where the list has not the address of who fills it in.
import { type ReactNode, useState } from 'react'
import type { CheckedAddresses } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import type { Problem } from '../../api/problem.ts'
import type { useTask } from '../../api/use-answer.ts'
import { Button } from '../../parts/controls.tsx'
import { FieldProblems, problemsBelow } from '../../parts/field-problems.tsx'

export interface AllowedAddresses {
  /** One per line. */
  readonly text: string
  readonly change: (text: string) => void
  /** Whether people know that their own address is not in the list. */
  readonly isMissing: boolean
  /** Saves, or asks first. */
  readonly ask: (save: () => void) => void
}

export function useAllowedAddresses(
  before: readonly string[],
  task: ReturnType<typeof useTask>,
): AllowedAddresses {
  const [text, setText] = useState(before.join('\n'))
  const [missing, setMissing] = useState(false)
  return {
    text,
    change: (changed) => {
      setText(changed)
      setMissing(false)
    },
    isMissing: missing,
    ask: (save) => {
      const addresses = linesOf(text)
      const isAsked = addresses.length > 0 && addresses.join('\n') !== before.join('\n')
      if (!isAsked || missing) return save()
      let contains = false
      const check = task.run(async (signal) => {
        const body = { addresses }
        const path = '/settings/addresses'
        const found = await call<CheckedAddresses>('POST', path, { body, signal })
        contains = found.contains
        setMissing(!found.contains)
      })
      void check.then(() => (contains ? save() : undefined))
    },
  }
}

export function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

export function AllowedAddressesField(props: {
  readonly of: AllowedAddresses
  readonly problem: Problem | null
  /** From where people come; null: it is not known. */
  readonly own: string | null
  /** They are signed in with this application. */
  readonly isOwn: boolean
}): ReactNode {
  const { text, change, isMissing } = props.of
  const own = props.own ?? 'an address that is not known'
  const lines = linesOf(text)
  const add = (): void => change([...lines, props.own].join('\n'))
  return (
    <>
      <label>
        Allowed addresses, one per line
        <textarea
          rows={3}
          value={text}
          placeholder="203.0.113.0/24"
          onChange={(event) => change(event.target.value)}
          spellCheck={false}
          aria-invalid={problemsBelow(props.problem, '/addresses').length > 0}
        />
      </label>
      <FieldProblems of={props.problem} at="/addresses" />
      <p className="fine">
        Addresses and networks, IPv4 or IPv6, that its secrets and its own tokens are good from.
        Left empty, from everywhere. Tokens for end users are not limited by it. You come from{' '}
        <code>{own}</code>.
      </p>
      {isMissing ? (
        <div className="notice" role="alert">
          <p>
            This list does not have the address that you come from, <code>{own}</code>.{' '}
            {props.isOwn
              ? 'You are signed in with this application: you will be refused from the next request on, and cannot sign in with its secret from here. To undo that takes another administrator, or the operator with tenon apps update.'
              : 'Its secret and its own tokens will be refused from here, at the console as well.'}
          </p>
          {props.own === null ? null : <Button onClick={add}>Add {props.own}</Button>}
        </div>
      ) : null}
    </>
  )
}
