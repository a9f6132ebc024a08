// The OAuth client of a connector: kept here, changed, removed; the secret goes in and never comes back.
import { type ReactNode, useState } from 'react'
import type { OfferedConnector } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useNews } from '../../api/use-news.ts'
import { useTask } from '../../api/use-answer.ts'
import { fieldProblems } from '../../form/schema-node.ts'
import { ProblemNotice } from '../../parts/answer.tsx'
import { Button, onSubmit, TextField } from '../../parts/controls.tsx'
import { Question } from '../../parts/dialog.tsx'
import { plainText } from '../../../display/plain-text.ts'

const PATH = '/oauth-clients'

export function OAuthClientForm(props: {
  readonly of: OfferedConnector
  /** How many there are of this connector. */
  readonly accounts: number
  readonly reload: () => void
}): ReactNode {
  const { connector_type: type, title, stored, given_by: givenBy } = props.of
  const [id, setId] = useState(stored?.client_id ?? '')
  const [secret, setSecret] = useState('')
  const [asking, setAsking] = useState(false)
  const [news, setNews] = useNews('')
  const task = useTask()
  const { busy, problem, run } = task
  const problems = fieldProblems(problem)
  const isHidden = givenBy.length > 0 && !givenBy.includes('stored')
  const save = (): Promise<void> =>
    run(async () => {
      setNews('')
      const body = { connector_type: type, client_id: id.trim() }
      const given = secret === '' ? {} : { client_secret: secret }
      await call('POST', PATH, { body: { ...body, ...given } })
      setSecret('')
      setNews('Saved. It is used from now on.')
      props.reload()
    })
  const remove = (): Promise<void> =>
    run(async () => {
      await call('DELETE', `${PATH}/${encodeURIComponent(type)}`)
      setAsking(false)
      setId('')
      setNews('Removed.')
      props.reload()
    })
  return (
    <form
      className="stack"
      aria-label={`OAuth client of ${title}`}
      onSubmit={onSubmit(() => void save())}
    >
      {isHidden ? null : (
        <>
          <TextField
            label="Client id"
            required
            maxLength={500}
            spellCheck={false}
            value={id}
            change={setId}
            fault={problems.get('/client_id')}
          />
          <TextField
            label="Client secret"
            type="password"
            autoComplete="new-password"
            maxLength={4000}
            value={secret}
            change={setSecret}
            fault={problems.get('/client_secret')}
            about={
              stored?.has_secret === true
                ? 'One is kept, and never shown. Empty: it stays.'
                : 'It is kept encrypted, and never shown again.'
            }
          />
        </>
      )}
      {isHidden && stored !== null ? (
        <p>
          The client <code>{plainText(stored.client_id)}</code> that is kept here is not used: the
          settings go before it.
        </p>
      ) : null}
      {asking ? null : <ProblemNotice problem={problem} />}
      <p aria-live="polite">{news}</p>
      <div className="actions">
        {isHidden ? null : (
          <button className="primary" disabled={busy || id.trim() === ''}>
            {busy ? 'Saving …' : stored === null ? 'Keep this client' : 'Save'}
          </button>
        )}
        {stored === null ? null : (
          <Button disabled={busy} onClick={() => setAsking(true)}>
            Remove the client
          </Button>
        )}
      </div>
      {asking ? (
        <Question
          title={`Remove the OAuth client of ${title}?`}
          close={() => setAsking(false)}
          keep="Keep it"
          task={task}
          answers={[{ words: 'Remove', look: 'danger', act: () => void remove() }]}
        >
          <p>
            Nobody can connect by consent then, and accounts whose tokens end cannot be refreshed
            until there is a client again
            {props.accounts === 0
              ? '.'
              : `: of the ${props.accounts.toLocaleString('en')} that are connected, those that were connected by consent.`}
          </p>
        </Question>
      ) : null}
    </form>
  )
}
