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
  return (
    <div className="field">
      <JsonArea
        aria-label="Parameters as JSON"
        rows={Math.min(24, Math.max(6, text.split('\n').length))}
        text={text}
        fault={faultIn(text)}
        type={(next) => {
          setText(next)
          const read = jsonIn(next)
          if (!('value' in read)) return
          if (read.value === undefined) props.change({})
          else if (isObject(read.value)) props.change(read.value)
        }}
      />
    </div>
  )
}

function faultIn(text: string): string | null {
  const read = jsonIn(text)
  if ('fault' in read) return read.fault
  return read.value === undefined || isObject(read.value)
    ? null
    : 'This must be a JSON object: { … }'
}
