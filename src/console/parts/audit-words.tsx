// Words of the audit log that more than one screen shows.
import { Fragment, type ReactNode } from 'react'
import { UNNAMED_ACTORS } from '../../display/audit-actions.ts'
import { plainText } from './plain-text.ts'
import { Time } from './values.tsx'

/** Who acted, within a sentence. */
export function actorWords(actor: string): string {
  return UNNAMED_ACTORS[actor]?.toLowerCase() ?? plainText(actor.replace(/^person:/, ''))
}

/** What an event changed, in the words of the log, which may tell a time. */
export function MemberWords({ of }: { readonly of: string }): ReactNode {
  return plainText(of)
    .split(MOMENT)
    .map((part, at) =>
      at % 2 === 0 ? <Fragment key={at}>{part}</Fragment> : <Time key={at} at={part} exact />,
    )
}

const MOMENT = /(\d{4}-\d\d-\d\dT[\d:.]+Z)/
