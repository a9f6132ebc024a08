// Which events an endpoint wants.
import type { ReactNode } from 'react'
import { EVENT_TYPES } from '../../../client/webhooks/event.ts'

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
        <label className="choice">
          <input
            type="radio"
            name="events"
            checked={chosen === null}
            onChange={() => change(null)}
          />
          <span>
            <strong>All events</strong>
            <small>Also types that later versions add.</small>
          </span>
        </label>
        <label className="choice">
          <input
            type="radio"
            name="events"
            checked={chosen !== null}
            onChange={() => change(chosen ?? [])}
          />
          <span>
            <strong>Some of them</strong>
            <small>Only the types that are ticked below.</small>
          </span>
        </label>
      </div>
      {chosen === null ? null : (
        <ul className="plain-list event-types">
          {Object.entries(EVENT_TYPES).map(([type, words]) => (
            <li key={type}>
              <label className="tick">
                <input
                  type="checkbox"
                  checked={chosen.includes(type)}
                  onChange={(event) =>
                    change(
                      event.target.checked
                        ? [...chosen, type]
                        : chosen.filter((each) => each !== type),
                    )
                  }
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
