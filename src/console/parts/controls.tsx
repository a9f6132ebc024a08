// Buttons, inputs with their labels, and what sends a form.
import {
  type ComponentProps,
  type FormEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
} from 'react'
import type { RightName } from '../../display/rights.ts'
import { useRefusals } from '../session.ts'
import { plainText } from '../../display/plain-text.ts'
import './controls.css'

/** `needs`: who lacks this right reads why it is disabled; the keyboard reaches it all the same, to hear that. */
export function Button({
  needs,
  ...props
}: ComponentProps<'button'> & { readonly needs?: RightName | undefined }): ReactNode {
  const refusal = useRefusals()(needs)
  const barred =
    refusal === null
      ? {}
      : { disabled: false, 'aria-disabled': true, title: refusal, onClick: stay }
  return <button type="button" {...props} {...barred} />
}

/** Enter in a field of a form presses its button, too. */
function stay(event: MouseEvent): void {
  event.preventDefault()
}

/** Turns pages. Null: there is no page on that side; where there is none on both, there is nothing to turn. */
export function TurnPages(props: {
  readonly words?: readonly [back: string, next: string]
  readonly back: (() => void) | null
  readonly next: (() => void) | null
  readonly busy?: boolean
}): ReactNode {
  const [back, next] = props.words ?? ['Previous page', 'Next page']
  if (props.back === null && props.next === null) return null
  const turn = (words: string, go: (() => void) | null): ReactNode => (
    <Button className="small" disabled={props.busy === true || go === null} onClick={() => go?.()}>
      {words}
    </Button>
  )
  return (
    <div className="actions">
      {turn(back, props.back)}
      {turn(next, props.next)}
    </div>
  )
}

/** One of several values; `options` are values and the words for them. A value of an address that is none of them stands as it is. */
export function Select(props: {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, words: ReactNode])[]
  readonly choose: (value: string) => void
  readonly className?: string
}): ReactNode {
  const isKnown = props.value === '' || props.options.some(([value]) => value === props.value)
  const options = isKnown
    ? props.options
    : [...props.options, [props.value, plainText(props.value)] as const]
  return (
    <label className={props.className}>
      {props.label}
      <select value={props.value} onChange={(event) => props.choose(event.target.value)}>
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}

export function Tick(props: {
  readonly words: string
  readonly checked: boolean
  readonly change: (checked: boolean) => void
  readonly className?: string
}): ReactNode {
  return (
    <label className={props.className ?? 'inline'}>
      <input
        type="checkbox"
        checked={props.checked}
        onChange={(event) => props.change(event.target.checked)}
      />{' '}
      {props.words}
    </label>
  )
}

/** One of several ways that exclude each other, with what it means. */
export function Choice(props: {
  readonly name: string
  readonly title: string
  readonly words: string
  readonly checked: boolean
  readonly choose: () => void
}): ReactNode {
  return (
    <label className="choice">
      <input type="radio" name={props.name} checked={props.checked} onChange={props.choose} />
      <span>
        <strong>{props.title}</strong>
        <small>{props.words}</small>
      </span>
    </label>
  )
}

export function ticked<T>(list: readonly T[], value: T, checked: boolean): readonly T[] {
  return checked ? [...list, value] : list.filter((each) => each !== value)
}

/** A line of text, with what it is about and what the service said of it. */
export function TextField({
  label,
  about,
  fault,
  change,
  ...input
}: ComponentProps<'input'> & {
  readonly label: string
  readonly about?: string | undefined
  readonly fault?: string | undefined
  readonly change: (text: string) => void
}): ReactNode {
  const id = useId()
  return (
    <div className="field">
      <div className="line field-head">
        <label htmlFor={id}>{label}</label>
        {input.required === true ? <span className="mark-required">required</span> : null}
      </div>
      <input
        id={id}
        autoComplete="off"
        aria-describedby={`${id}about`}
        aria-invalid={fault !== undefined}
        onChange={(event) => change(event.target.value)}
        {...input}
      />
      <div className="about fine" id={`${id}about`}>
        {about}
        {fault === undefined ? null : <strong className="fault">{fault}</strong>}
      </div>
    </div>
  )
}

export function onSubmit(then: () => void): (event: FormEvent) => void {
  return (event) => {
    event.preventDefault()
    then()
  }
}

/** Ctrl + Enter sends the form of a screen, wherever on the screen the keyboard is; not while a dialog has it. */
export function useSubmitKey(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey } = event
      if (key !== 'Enter' || !(ctrlKey || metaKey) || event.defaultPrevented) return
      if (document.querySelector('[role="dialog"]') !== null) return
      event.preventDefault()
      form.current?.requestSubmit()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [form])
}
