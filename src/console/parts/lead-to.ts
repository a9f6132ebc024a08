// The outcome of a task is seen and has the keyboard, wherever on the screen it stands.
import { useLayoutEffect, useRef } from 'react'

/** Calls `then` together with the change of the page by which the outcome appears: nobody can act between the two. */
export function useEnded(busy: boolean, then: () => void): void {
  const before = useRef(busy)
  useLayoutEffect(() => {
    if (before.current && !busy) then()
    before.current = busy
    // What `then` does is for this moment alone.
  }, [busy])
}

/** Leads to the first field of `form` that has a fault, else to `outcome`, which must be able to take the focus. */
export function leadTo(form: HTMLElement | null, outcome: HTMLElement | null): void {
  const fault = form?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? null
  if (fault !== null) {
    fault.focus({ preventScroll: true })
    fault.scrollIntoView({ block: 'center' })
    return
  }
  outcome?.focus({ preventScroll: true })
  // The whole of it where that fits, else its beginning.
  outcome?.scrollIntoView({ block: 'nearest' })
}

/** For a form and the notice of its problem: once the form was answered, the keyboard is at the fault or the notice. */
export function useFormEnd(busy: boolean) {
  const form = useRef<HTMLFormElement>(null)
  const notice = useRef<HTMLDivElement>(null)
  useEnded(busy, () => leadTo(form.current, notice.current))
  return { form, notice }
}
