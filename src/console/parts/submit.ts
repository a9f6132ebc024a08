// Sending forms.
import type { FormEvent, KeyboardEvent } from 'react'

/** Does `then` instead of what the browser does with a form. */
export function onSubmit(then: () => void): (event: FormEvent) => void {
  return (event) => {
    event.preventDefault()
    then()
  }
}

/** Ctrl + Enter sends a form, from any of its fields. */
export function submitByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}
