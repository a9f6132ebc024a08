// When what fails is tried again: ahead, now, or not yet although it was due.
import type { ReactNode } from 'react'
import { useDue, useTick } from '../api/fresh.ts'
import { DUE_FOR_MS } from '../api/pace.ts'
import { Time } from './values.tsx'

/** The words around a moment, as the place has them. */
interface Words {
  readonly ahead: string
  readonly due: string
  readonly now: string
  readonly overdue: string
}

const WORDS = {
  /** Among other facts of a line. */
  fact: {
    ahead: 'next attempt',
    due: 'next attempt due now',
    now: 'being tried now',
    overdue: 'next attempt due',
  },
  /** A sentence without its end. */
  short: {
    ahead: 'Next attempt',
    due: 'Next attempt due now',
    now: 'It is being tried now',
    overdue: 'Next attempt due',
  },
  whole: {
    ahead: 'The next attempt is',
    due: 'The next attempt is due now',
    now: 'It is being tried again now',
    overdue: 'The next attempt was due',
  },
} as const satisfies Readonly<Record<string, Words>>

/** Null: it is being tried. */
export function NextAttempt(props: {
  readonly at: string | null
  readonly as: keyof typeof WORDS
}): ReactNode {
  const { at } = props
  useTick()
  useDue(at)
  const words = WORDS[props.as]
  const lateMs = at === null ? 0 : Date.now() - Date.parse(at)
  if (at !== null && lateMs < 0)
    return (
      <>
        {words.ahead} <Time at={at} isNext />
      </>
    )
  if (at === null) return words.now
  // A service that has the time tries it at once: what was due long ago waits for something.
  if (lateMs < DUE_FOR_MS) return words.due
  return (
    <>
      {words.overdue} <Time at={at} />
    </>
  )
}
