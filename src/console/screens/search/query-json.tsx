// The query as JSON: it follows the rows, and the rows follow it.
import { type ReactNode, useState } from 'react'
import { type JsonObject, writeJson } from '../../api/json-text.ts'
import { jsonIn } from '../../form/field-text.ts'
import { JsonArea } from '../../form/schema-form.tsx'
import { CopyButton } from '../../parts/values.tsx'
import { formOf, type SearchForm, searchParams } from './groups.ts'

export function QueryJson(props: {
  readonly params: JsonObject
  readonly types: Readonly<Record<string, string>>
  readonly isOpen: boolean
  readonly change: (form: SearchForm) => void
}): ReactNode {
  const { params, types } = props
  const now = writeJson(params, 2)
  /** What was typed stands as long as it means what the rows say. */
  const [typed, setTyped] = useState({ text: now, meant: now, fault: '' })
  const isTyped = typed.meant === now
  const text = isTyped ? typed.text : now
  const type = (next: string): void => {
    const { value, fault } = jsonIn(next)
    const form = value === undefined || fault !== null ? null : formOf(value, types)
    if (form === null) {
      const words = fault ?? 'This is no search yet: { "query": { … } }, see the documentation.'
      setTyped({ text: next, meant: now, fault: words })
      return
    }
    setTyped({ text: next, meant: writeJson(searchParams(form, types), 2), fault: '' })
    props.change(form)
  }
  return (
    <details className="part" open={props.isOpen}>
      <summary>Query as JSON</summary>
      <p className="actions">
        <CopyButton text={text} label="Copy query" />
      </p>
      <JsonArea
        aria-label="Query as JSON"
        rows={Math.min(16, Math.max(8, text.split('\n').length))}
        text={text}
        fault={isTyped && typed.fault !== '' ? typed.fault : null}
        type={type}
      />
    </details>
  )
}
