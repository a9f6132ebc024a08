// All parameters as one JSON object.
import type { ReactNode } from 'react'
import { isObject, type JsonObject } from '../../api/json-text.ts'
import { JsonTextField } from '../../form/json-text-field.tsx'

export function ParamsJson(props: {
  readonly value: JsonObject
  readonly change: (value: JsonObject) => void
}): ReactNode {
  return (
    <div className="field">
      <JsonTextField
        aria-label="Parameters as JSON"
        lines={[6, 24]}
        value={props.value}
        take={(typed = {}) => {
          if (!isObject(typed)) return { fault: 'This must be a JSON object: { … }' }
          props.change(typed)
          return { meant: typed }
        }}
      />
    </div>
  )
}
