// Before something is deleted at the third party: what, and on whose account.
import type { ReactNode } from 'react'
import type { Instance } from '../../api/answers.ts'
import { type Json, type JsonObject, writeJson } from '../../api/json-text.ts'
import { requiredOf } from '../../form/schema-node.ts'
import { Question } from '../../parts/dialog.tsx'
import { Facts } from '../../parts/values.tsx'
import type { CalledOperation } from './call-code.ts'

export function DeleteQuestion(props: {
  readonly instance: Instance
  readonly operation: CalledOperation
  /** Of the parameters: those that it requires name what is deleted. */
  readonly schema: JsonObject
  readonly close: () => void
  readonly confirm: () => void
}): ReactNode {
  const { instance, operation } = props
  const { entity, action, params } = operation
  const target = [...requiredOf(props.schema)]
    .flatMap((name) => (params[name] === undefined ? [] : [inWords(params[name])]))
    .join(', ')
  return (
    <Question
      title={target === '' ? `Run ${entity}.${action}?` : `Delete ${target}?`}
      close={props.close}
      keep="Keep it"
      answers={[{ words: 'Delete', look: 'danger', act: props.confirm }]}
    >
      <p>
        <code>
          {entity}.{action}
        </code>{' '}
        deletes it at the third party, on the account {instance.name}.
      </p>
      <Facts of={Object.entries(params).map(([name, value]) => [name, inWords(value)])} />
    </Question>
  )
}

function inWords(value: Json): string {
  return typeof value === 'string' ? value : writeJson(value)
}
