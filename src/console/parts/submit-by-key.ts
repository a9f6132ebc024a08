// Ctrl + Enter sends a form, from any of its fields.
import type { KeyboardEvent } from 'react'

export function submitByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}
