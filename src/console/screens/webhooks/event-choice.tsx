// Which events an endpoint wants.
import type { ReactNode } from 'react'
import { EVENT_TYPES } from '../../../client/webhooks/event.ts'
import { Choice, ticked } from '../../parts/inputs.tsx'

/** `chosen`: null means all, also those to come. */
export function EventChoice(props: {
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
        <ul className="plain-list event-types">
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
