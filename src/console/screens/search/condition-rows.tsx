// The filter builder: one line per condition, typed by the searchable fields; sort, fields, page size.
import { type ReactNode, useId } from 'react'
import { Button, Select, Tick, ticked } from '../../parts/controls.tsx'
import {
  type Choice,
  choicesOf,
  type Condition,
  isWordInOrder,
  type SearchForm,
  takenBy,
  titleOf,
} from './conditions.ts'

const SIZES = [10, 50, 200, 1000] as const

export function ConditionRows(props: {
  readonly form: SearchForm
  readonly types: Readonly<Record<string, string>>
  /** Dotted paths below the fields that are known to lead somewhere. */
  readonly paths: readonly string[]
  readonly change: (form: SearchForm) => void
}): ReactNode {
  const { form, types, change } = props
  const list = useId()
  const names = Object.keys(types)
  const set = (id: number, part: Partial<Condition>): void =>
    change({
      ...form,
      conditions: form.conditions.map((each) =>
        each.id === id ? fitting({ ...each, ...part }, types) : each,
      ),
    })
  const nextId = Math.max(-1, ...form.conditions.map(({ id }) => id)) + 1
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
        {form.conditions.map((condition, index) => (
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
            <Select
              label="Condition"
              value={condition.operator}
              options={choicesOf(types[condition.field.trim()]).map((operator) => [
                operator,
                titleOf(operator),
              ])}
              // One of these options.
              choose={(operator) => set(condition.id, { operator: operator as Choice })}
            />
            <ValueInput
              condition={condition}
              type={types[condition.field.trim()]}
              change={(value) => set(condition.id, { value })}
            />
            <Button
              className="small"
              aria-label={`Remove condition ${index + 1}`}
              onClick={() =>
                change({
                  ...form,
                  conditions: form.conditions.filter(({ id }) => id !== condition.id),
                })
              }
            >
              ✕
            </Button>
            {isWordInOrder(condition, types[condition.field.trim()]) ? (
              <small className="hint">
                Texts are compared letter by letter; a moment is written 2026-11-01T00:00:00Z.
              </small>
            ) : null}
          </div>
        ))}
        <div className="actions">
          <Button
            className="small"
            onClick={() => {
              const added = { id: nextId, field: '', operator: 'eq', value: '' } as const
              change({ ...form, conditions: [...form.conditions, added] })
            }}
          >
            Add a condition
          </Button>
          {form.conditions.length < 2 ? null : (
            <Select
              className="inline"
              label="Match"
              value={form.match}
              options={[
                ['all', 'all of them'],
                ['any', 'any of them'],
              ]}
              choose={(match) => change({ ...form, match: match === 'any' ? 'any' : 'all' })}
            />
          )}
        </div>
      </fieldset>
      <div className="filters">
        <Select
          label="Sort by"
          value={form.sortField}
          options={[['', 'score'], ...names.map((name) => [name, name] as const)]}
          choose={(sortField) => change({ ...form, sortField })}
        />
        {form.sortField === '' ? null : (
          <Select
            label="Order"
            value={form.sortOrder}
            options={[
              ['desc', 'descending'],
              ['asc', 'ascending'],
            ]}
            choose={(order) => change({ ...form, sortOrder: order === 'asc' ? 'asc' : 'desc' })}
          />
        )}
        <Select
          label="Page size"
          value={String(form.limit)}
          options={SIZES.map((size) => [String(size), size])}
          choose={(size) => change({ ...form, limit: Number(size) })}
        />
      </div>
      <details className="columns">
        <summary>Fields ({form.fields.length === 0 ? 'all' : form.fields.length})</summary>
        <div className="column-list">
          {names.map((name) => (
            <Tick
              key={name}
              words={name}
              checked={form.fields.includes(name)}
              change={(checked) => change({ ...form, fields: ticked(form.fields, name, checked) })}
            />
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
      <Select
        label="Value"
        value={condition.value}
        options={[
          ['', 'choose'],
          ['true', 'yes'],
          ['false', 'no'],
        ]}
        choose={change}
      />
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
