// The fields of an endpoint, new or to be changed.
import { type FormEvent, type ReactNode, useState } from 'react'
import type { Webhook } from '../../api/answers.ts'
import type { JsonObject } from '../../api/json-text.ts'
import type { Problem } from '../../api/problem.ts'
import { fieldProblems } from '../../form/field-problems.ts'
import { ProblemNotice } from '../../parts/problem-notice.tsx'
import { EventChoice } from './event-choice.tsx'

const SHOWN: ReadonlySet<string> = new Set(['/url', '/description'])

export function WebhookForm(props: {
  readonly before: Pick<Webhook, 'url' | 'description' | 'event_types'>
  readonly deed: string
  readonly busy: boolean
  readonly problem: Problem | null
  readonly save: (body: JsonObject) => void
  readonly cancel: ReactNode
}): ReactNode {
  const [url, setUrl] = useState(props.before.url)
  const [description, setDescription] = useState(props.before.description)
  const [types, setTypes] = useState(props.before.event_types)
  const problems = fieldProblems(props.problem)
  const urlFault = problems.get('/url')
  const isEmptyChoice = types !== null && types.length === 0
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    props.save({ url: url.trim(), description: description.trim(), event_types: types })
  }
  return (
    <form className="stack" onSubmit={submit}>
      <fieldset>
        <legend>Endpoint</legend>
        <div className="field">
          <div className="field-head">
            <label htmlFor="webhook-url">Address</label>
            <span className="mark-required">required</span>
          </div>
          <input
            id="webhook-url"
            type="url"
            required
            spellCheck={false}
            autoComplete="off"
            placeholder="https://app.example.com/hooks"
            aria-describedby="webhook-url-about"
            aria-invalid={urlFault !== undefined}
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
          <div className="about" id="webhook-url-about">
            A public https address of your app; while developing also one on this machine.
            {urlFault === undefined ? null : <strong className="fault">{urlFault}</strong>}
          </div>
        </div>
        <div className="field">
          <div className="field-head">
            <label htmlFor="webhook-description">Description</label>
          </div>
          <input
            id="webhook-description"
            maxLength={255}
            autoComplete="off"
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
        </div>
      </fieldset>
      <EventChoice chosen={types} change={setTypes} />
      <ProblemNotice problem={props.problem} shown={SHOWN} />
      <div className="actions">
        <button className="primary" disabled={props.busy || isEmptyChoice}>
          {props.busy ? 'Saving …' : props.deed}
        </button>
        {props.cancel}
        {isEmptyChoice ? <p className="fine beside">Tick at least one type of event.</p> : null}
      </div>
    </form>
  )
}
