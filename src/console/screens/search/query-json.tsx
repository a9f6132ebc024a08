// The query as JSON: it follows the rows, and the rows follow it.
import type { ReactNode } from 'react'
import { type JsonObject, writeJson } from '../../api/json-text.ts'
import { JsonTextField } from '../../form/json-text-field.tsx'
import { CopyButton } from '../../parts/values.tsx'
import { formOf, type SearchForm, searchParams } from './groups.ts'

export function QueryJson(props: {
  readonly params: JsonObject
  readonly types: Readonly<Record<string, string>>
  readonly latest: string | null
  readonly isOpen: boolean
  readonly change: (form: SearchForm) => void
}): ReactNode {
  const { params, types, latest } = props
  return (
    <details className="part" open={props.isOpen}>
      <summary>Query as JSON</summary>
      <p className="actions">
        <CopyButton text={writeJson(params, 2)} label="Copy query" />
      </p>
      <JsonTextField
        aria-label="Query as JSON"
        lines={[8, 16]}
        value={params}
        take={(typed = null) => {
          const form = formOf(typed, types)
          if (form === null)
            return { fault: 'This is no search yet: { "query": { … } }, see the documentation.' }
          props.change(form)
          return { meant: searchParams(form, types, latest) }
        }}
      />
    </details>
  )
}
