// Every code of an error: what it means, what to do, who has to act, and whether to try again.
import { type ReactNode, useEffect, useState } from 'react'
import { REMEDIES } from '../../display/error-remedies.ts'
import { type ErrorCode, ERRORS } from '../../errors.ts'
import { hasWords, wordsOf } from '../parts/marked-words.ts'
import { whoActs } from '../../display/who-acts.ts'
import { ROOT } from '../place.tsx'
import { AsMarkdown } from './as-markdown.tsx'
import { NothingCalled, useNamed } from './named.tsx'
import { WithCode } from './with-code.tsx'

const AGAIN = new Map<boolean | 'reads', string>([
  [true, 'yes'],
  [false, 'no'],
  ['reads', 'reads: yes; a write only where it was not applied'],
])

export function ErrorsView(): ReactNode {
  const [wanted, setWanted] = useState('')
  const named = useNamed()
  useEffect(() => {
    document.title = 'Error codes · Tenon'
    // The rows come after the browser has looked for the one that the address names.
    document.getElementById(named)?.scrollIntoView()
    // Later ones the browser finds.
  }, [])
  const rows = (Object.keys(ERRORS) as ErrorCode[]).filter((code) =>
    hasWords(wordsOf(wanted), `${code} ${ERRORS[code].title} ${REMEDIES[code]}`),
  )
  return (
    <article className="reference-page">
      {named === '' || Object.hasOwn(ERRORS, named) ? null : (
        <NothingCalled name={named} what="error code" shown="all of them are below" />
      )}
      <AsMarkdown path="/docs/errors.md" />
      <h1>Error codes</h1>
      <p className="lead">
        The member <code>code</code> of every error. Codes are never renamed; new ones are added.{' '}
        <a href={`${ROOT}/docs`}>Back to the operations</a>
      </p>
      <input
        type="search"
        aria-label="Filter codes"
        placeholder="Filter codes"
        value={wanted}
        onChange={(event) => setWanted(event.target.value)}
      />
      {rows.length === 0 ? <p className="quiet">No code has these letters.</p> : null}
      <dl className="reference-errors">
        {rows.map((code) => {
          const { status, retry, title } = ERRORS[code]
          return (
            <div key={code} id={code}>
              <dt>
                <code>{code}</code>{' '}
                {status === null ? null : <span className="badge">{status}</span>}
                <a className="anchor" href={`#${code}`} aria-label={`Link to ${code}`}>
                  #
                </a>
              </dt>
              <dd>
                <p>
                  {title}. <WithCode text={REMEDIES[code]} />
                </p>
                <p className="fine">
                  Who acts: {whoActs(code)} · again: {AGAIN.get(retry)} ·{' '}
                  <a href={`${ROOT}/console/logs?code=${code}`}>Log entries with it</a>
                </p>
              </dd>
            </div>
          )
        })}
      </dl>
    </article>
  )
}
