// All parameters as one JSON object.
import { type ReactNode, useState } from 'react'
import { isObject, type JsonObject, writeJson } from '../../api/json-text.ts'
import { jsonIn } from '../../form/field-text.ts'

export function ParamsJson(props: {
  readonly value: JsonObject
  readonly change: (value: JsonObject) => void
}): ReactNode {
  const [text, setText] = useState(() => writeJson(props.value, 2))
  const fault = faultIn(text)
  return (
    <div className="field">
      <textarea
        className="mono"
        aria-label="Parameters as JSON"
        aria-invalid={fault !== null}
        rows={Math.min(24, Math.max(6, text.split('\n').length))}
        spellCheck={false}
        value={text}
        ref={(area) => area?.setCustomValidity(fault ?? '')}
        onChange={(event) => {
          setText(event.target.value)
          const read = jsonIn(event.target.value)
          if (!('value' in read)) return
          if (read.value === undefined) props.change({})
          else if (isObject(read.value)) props.change(read.value)
        }}
      />
      {fault === null ? null : <strong className="fault">{fault}</strong>}
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
