// JSON as text: it follows the value, and the value follows it.
import { type ComponentProps, type ReactNode, useState } from 'react'
import { type Json, writeJson } from '../api/json-text.ts'
import { jsonIn } from './field-text.ts'
import { JsonArea } from './schema-form.tsx'

export type Taken = { readonly meant: Json } | { readonly fault: string }

export function JsonTextField({
  value,
  take,
  lines: [least, most],
  ...input
}: Omit<ComponentProps<typeof JsonArea>, 'value' | 'text' | 'fault' | 'type' | 'rows'> & {
  readonly value: Json
  /** Takes what was typed over, and says what `value` is then; or why it is not taken. */
  readonly take: (typed: Json | undefined) => Taken
  /** Lines that are shown, at least and at most. */
  readonly lines: readonly [least: number, most: number]
}): ReactNode {
  const now = writeJson(value, 2)
  /** What was typed stands as long as it means the value. */
  const [typed, setTyped] = useState({ text: now, meant: now, fault: '' })
  const isTyped = typed.meant === now
  const text = isTyped ? typed.text : now
  const type = (next: string): void => {
    const read = jsonIn(next)
    const taken = read.fault === null ? take(read.value) : { fault: read.fault }
    setTyped(
      'fault' in taken
        ? { text: next, meant: now, fault: taken.fault }
        : { text: next, meant: writeJson(taken.meant, 2), fault: '' },
    )
  }
  return (
    <JsonArea
      {...input}
      rows={Math.min(most, Math.max(least, text.split('\n').length))}
      text={text}
      fault={isTyped && typed.fault !== '' ? typed.fault : null}
      type={type}
    />
  )
}
