// The filter builder: one line per condition, typed by the searchable fields; sort, fields, page size.
import { type ReactNode, useId } from 'react'
import {
  type Choice,
  choicesOf,
  type Condition,
  isWordInOrder,
  type SearchWish,
  takenBy,
  titleOf,
} from './conditions.ts'

const SIZES = [10, 50, 200, 1000] as const

export function ConditionRows(props: {
  readonly wish: SearchWish
  readonly types: Readonly<Record<string, string>>
  /** Dotted paths below the fields that are known to lead somewhere. */
  readonly paths: readonly string[]
  readonly change: (wish: SearchWish) => void
}): ReactNode {
  const { wish, types, change } = props
  const list = useId()
  const names = Object.keys(types)
  const set = (id: number, part: Partial<Condition>): void =>
    change({
      ...wish,
      conditions: wish.conditions.map((each) =>
        each.id === id ? fitting({ ...each, ...part }, types) : each,
      ),
    })
  const nextId = Math.max(-1, ...wish.conditions.map(({ id }) => id)) + 1
  return (
    <>
      <datalist id={list}>
        {names.map((name) => (
          <option key={name} value={name}>
            {types[name]}
          </option>
        ))}
        {props.paths.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      <fieldset className="conditions">
        <legend>Conditions</legend>
        {wish.conditions.map((condition, index) => (
          <div
            key={condition.id}
            className="condition"
            role="group"
            aria-label={`Condition ${index + 1}`}
          >
            <label>
              Field
              <input
                list={list}
                placeholder="field, or dotted.path"
                spellCheck={false}
                autoComplete="off"
                value={condition.field}
                onChange={(event) => set(condition.id, { field: event.target.value })}
              />
            </label>
            <label>
              Condition
              <select
                value={condition.operator}
                onChange={(event) =>
                  // The options below.
                  set(condition.id, { operator: event.target.value as Choice })
                }
              >
                {choicesOf(types[condition.field.trim()]).map((operator) => (
                  <option key={operator} value={operator}>
                    {titleOf(operator)}
                  </option>
                ))}
              </select>
            </label>
            <ValueInput
              condition={condition}
              type={types[condition.field.trim()]}
              change={(value) => set(condition.id, { value })}
            />
            <button
              type="button"
              className="small"
              aria-label={`Remove condition ${index + 1}`}
              onClick={() =>
                change({
                  ...wish,
                  conditions: wish.conditions.filter(({ id }) => id !== condition.id),
                })
              }
            >
              ✕
            </button>
            {isWordInOrder(condition, types[condition.field.trim()]) ? (
              <small className="hint">
                Texts are compared letter by letter; a moment is written 2026-11-01T00:00:00Z.
              </small>
            ) : null}
          </div>
        ))}
        <div className="actions">
          <button
            type="button"
            className="small"
            onClick={() =>
              change({
                ...wish,
                conditions: [
                  ...wish.conditions,
                  { id: nextId, field: '', operator: 'eq', value: '' },
                ],
              })
            }
          >
            Add a condition
          </button>
          {wish.conditions.length < 2 ? null : (
            <label className="inline">
              Match
              <select
                value={wish.match}
                onChange={(event) =>
                  change({ ...wish, match: event.target.value === 'any' ? 'any' : 'all' })
                }
              >
                <option value="all">all of them</option>
                <option value="any">any of them</option>
              </select>
            </label>
          )}
        </div>
      </fieldset>
      <div className="filters">
        <label>
          Sort by
          <select
            value={wish.sortField}
            onChange={(event) => change({ ...wish, sortField: event.target.value })}
          >
            <option value="">score</option>
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {wish.sortField === '' ? null : (
          <label>
            Order
            <select
              value={wish.sortOrder}
              onChange={(event) =>
                change({ ...wish, sortOrder: event.target.value === 'asc' ? 'asc' : 'desc' })
              }
            >
              <option value="desc">descending</option>
              <option value="asc">ascending</option>
            </select>
          </label>
        )}
        <label>
          Page size
          <select
            value={wish.limit}
            onChange={(event) => change({ ...wish, limit: Number(event.target.value) })}
          >
            {SIZES.map((size) => (
              <option key={size} value={size}>
                {size}
              </option>
            ))}
          </select>
        </label>
      </div>
      <details className="columns">
        <summary>Fields ({wish.fields.length === 0 ? 'all' : wish.fields.length})</summary>
        <div className="column-list">
          {names.map((name) => (
            <label key={name} className="inline">
              <input
                type="checkbox"
                checked={wish.fields.includes(name)}
                onChange={(event) =>
                  change({
                    ...wish,
                    fields: event.target.checked
                      ? [...wish.fields, name]
                      : wish.fields.filter((each) => each !== name),
                  })
                }
              />{' '}
              {name}
            </label>
          ))}
        </div>
      </details>
    </>
  )
}

/** With another field the operator may not be there any more. */
function fitting(condition: Condition, types: Readonly<Record<string, string>>): Condition {
  const possible = choicesOf(types[condition.field.trim()])
  const [first = 'eq'] = possible
  return possible.includes(condition.operator) ? condition : { ...condition, operator: first }
}

function ValueInput(props: {
  readonly condition: Condition
  readonly type: string | undefined
  readonly change: (value: string) => void
}): ReactNode {
  const { condition, type, change } = props
  const takes = takenBy(condition.operator)
  if (takes === 'nothing') return <span />
  if (type === 'boolean' && takes === 'value') {
    return (
      <label>
        Value
        <select value={condition.value} onChange={(event) => change(event.target.value)}>
          <option value="">choose</option>
          <option value="true">yes</option>
          <option value="false">no</option>
        </select>
      </label>
    )
  }
  return (
    <label>
      {takes === 'list' ? 'Values, with commas between' : 'Value'}
      <input
        spellCheck={false}
        autoComplete="off"
        value={condition.value}
        onChange={(event) => change(event.target.value)}
      />
    </label>
  )
}
