// Words of the audit log that more than one screen shows.
import { Fragment, type ReactNode } from 'react'
import { STATES } from '../../display/account-states.ts'
import { actorWords, isByLink, UNNAMED_ACTORS } from '../../display/audit-actions.ts'
import { plainText } from '../../display/plain-text.ts'
import { isStateName } from './state-badge.tsx'
import { Time } from './values.tsx'

/** Who acted, by the name they have now; null: there is none. */
export function actorName(actor: string, name: string | null): string {
  return plainText(actorWords(actor, name))
}

/** The same within a sentence. */
export function actorInSentence(
  actor: string,
  name: string | null,
  token: string | null = null,
): string {
  const words = actorName(actor, name)
  const said = name === null && Object.hasOwn(UNNAMED_ACTORS, actor) ? words.toLowerCase() : words
  return isByLink({ token }) ? `the end user, via a connect link of ${said}` : said
}

/** What an event changed, in the words of the log, which may tell a time. */
export function MemberWords({ of }: { readonly of: string }): ReactNode {
  const [, state = ''] = /^from (\w+)$/.exec(of) ?? []
  if (isStateName(state)) return `from ${STATES[state].label}`
  return plainText(of)
    .split(MOMENT)
    .map((part, at) =>
      at % 2 === 0 ? <Fragment key={at}>{part}</Fragment> : <Time key={at} at={part} exact />,
    )
}

const MOMENT = /(\d{4}-\d\d-\d\dT[\d:.]+Z)/
