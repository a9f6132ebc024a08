// All parameters as one JSON object.
import { type ReactNode, useState } from 'react'
import { isObject, type JsonObject, writeJson } from '../../api/json-text.ts'
import { jsonIn } from '../../form/field-text.ts'
import { JsonArea } from '../../form/schema-form.tsx'

export function ParamsJson(props: {
  readonly value: JsonObject
  readonly change: (value: JsonObject) => void
}): ReactNode {
  const [text, setText] = useState(() => writeJson(props.value, 2))
  const { value: read = {}, fault } = jsonIn(text)
  return (
    <div className="field">
      <JsonArea
        aria-label="Parameters as JSON"
        rows={Math.min(24, Math.max(6, text.split('\n').length))}
        text={text}
        fault={fault ?? (isObject(read) ? null : 'This must be a JSON object: { … }')}
        type={(next) => {
          setText(next)
          const { value = {}, fault } = jsonIn(next)
          if (fault === null && isObject(value)) props.change(value)
        }}
      />
    </div>
  )
}
