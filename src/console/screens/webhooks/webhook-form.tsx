// The fields of an endpoint, new or to be changed.
import { type ReactNode, useState } from 'react'
import { EVENT_TYPES } from '../../../client/webhooks/event.ts'
import type { Webhook } from '../../api/answers.ts'
import type { JsonObject } from '../../api/json-text.ts'
import type { Task } from '../../api/use-answer.ts'
import { fieldProblems } from '../../form/schema-node.ts'
import { Button, Choice, onSubmit, TextField, ticked } from '../../parts/controls.tsx'
import { ProblemNotice } from '../../parts/answer.tsx'
import './webhooks.css'

const SHOWN: ReadonlySet<string> = new Set(['/url', '/description'])

export function WebhookForm(props: {
  readonly before: Pick<Webhook, 'url' | 'description' | 'event_types'>
  readonly words: string
  readonly task: Task
  readonly save: (body: JsonObject) => void
  readonly cancel: ReactNode
}): ReactNode {
  const [url, setUrl] = useState(props.before.url)
  const [description, setDescription] = useState(props.before.description)
  const [types, setTypes] = useState(props.before.event_types)
  const { busy, problem } = props.task
  const problems = fieldProblems(problem)
  const isEmptyChoice = types !== null && types.length === 0
  const submit = onSubmit(() =>
    props.save({ url: url.trim(), description: description.trim(), event_types: types }),
  )
  return (
    <form className="stack" onSubmit={submit}>
      <fieldset>
        <legend>Endpoint</legend>
        <TextField
          label="Address"
          type="url"
          required
          spellCheck={false}
          placeholder="https://app.example.com/hooks"
          about="A public https address of your app; while developing also one on this machine."
          fault={problems.get('/url')}
          value={url}
          change={setUrl}
        />
        <TextField
          label="Description"
          maxLength={255}
          fault={problems.get('/description')}
          value={description}
          change={setDescription}
        />
      </fieldset>
      <EventChoice chosen={types} change={setTypes} />
      <ProblemNotice problem={problem} shown={SHOWN} />
      <div className="actions">
        <Button type="submit" className="primary" needs="webhooks" disabled={busy || isEmptyChoice}>
          {busy ? 'Saving …' : props.words}
        </Button>
        {props.cancel}
        {isEmptyChoice ? <p className="fine beside">Tick at least one type of event.</p> : null}
      </div>
    </form>
  )
}

/** Which events an endpoint wants. `chosen`: null means all, also those to come. */
function EventChoice(props: {
  readonly chosen: readonly string[] | null
  readonly change: (chosen: readonly string[] | null) => void
}): ReactNode {
  const { chosen, change } = props
  return (
    <fieldset>
      <legend>Events</legend>
      <div className="choices">
        <Choice
          name="events"
          title="All events"
          words="Also types that later versions add."
          checked={chosen === null}
          choose={() => change(null)}
        />
        <Choice
          name="events"
          title="Some of them"
          words="Only the types that are ticked below."
          checked={chosen !== null}
          choose={() => change(chosen ?? [])}
        />
      </div>
      {chosen === null ? null : (
        <ul className="event-types">
          {Object.entries(EVENT_TYPES).map(([type, words]) => (
            <li key={type}>
              <label className="tick">
                <input
                  type="checkbox"
                  checked={chosen.includes(type)}
                  onChange={(event) => change(ticked(chosen, type, event.target.checked))}
                />
                <span>
                  <code>{type}</code>
                  <small>{words}</small>
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  )
}
