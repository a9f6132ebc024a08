// One condition: a field, what is asked of it by its type, and with what.
import { type ReactNode, useId } from 'react'
import { type Epoch, epochAt } from '../../../display/epochs.ts'
import type { JsonObject } from '../../api/json-text.ts'
import { MomentPicker } from '../../form/moment-picker.tsx'
import { Select } from '../../parts/controls.tsx'
import type { NamesAt } from '../../parts/record-names.ts'
import {
  type Choice,
  choicesOf,
  type Condition,
  isWordInOrder,
  namedBy,
  takenBy,
  titleOf,
} from './conditions.ts'

export function ConditionRow(props: {
  readonly condition: Condition
  readonly types: Readonly<Record<string, string>>
  /** The schema of a record; null: nobody knows it. */
  readonly record: JsonObject | null
  /** What the records are called that values name. */
  readonly names: NamesAt
  /** The list of fields and paths. */
  readonly list: string
  readonly isWrong: boolean
  readonly change: (condition: Condition) => void
}): ReactNode {
  const { condition, types, isWrong } = props
  const type = types[condition.field.trim()]
  const named = namedBy(condition, props.names)
  const nameId = useId()
  const set = (part: Partial<Condition>): void =>
    props.change(fitting({ ...condition, ...part }, types))
  return (
    <div className="condition">
      <label>
        Field
        <input
          list={props.list}
          placeholder="field, or dotted.path"
          spellCheck={false}
          autoComplete="off"
          aria-invalid={isWrong}
          value={condition.field}
          onChange={(event) => set({ field: event.target.value })}
        />
      </label>
      <Select
        label="Condition"
        value={condition.operator}
        options={choicesOf(type).map((operator) => [operator, titleOf(operator)])}
        // One of these options.
        choose={(operator) => set({ operator: operator as Choice })}
      />
      <ValueInput
        condition={condition}
        type={type}
        epoch={epochAt(props.record, condition.field.trim().split('.'))}
        describedBy={named === '' ? undefined : nameId}
        change={(value) => set({ value })}
      />
      {named === '' ? null : (
        <small id={nameId} className="named">
          {named}
        </small>
      )}
      {isWordInOrder(condition, type) ? (
        <small className="quiet">
          Texts are compared letter by letter; a moment is written 2026-11-01T00:00:00Z.
        </small>
      ) : null}
    </div>
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
  /** What kind of moment its numbers are; null: none. */
  readonly epoch: Epoch | null
  readonly describedBy: string | undefined
  readonly change: (value: string) => void
}): ReactNode {
  const { condition, type, epoch, describedBy, change } = props
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
  const input = (
    <label>
      {takes === 'list' ? 'Values, with commas between' : 'Value'}
      <input
        spellCheck={false}
        autoComplete="off"
        aria-describedby={describedBy}
        value={condition.value}
        onChange={(event) => change(event.target.value)}
      />
    </label>
  )
  return takes === 'list' || epoch === null ? (
    input
  ) : (
    <MomentPicker format={epoch} text={condition.value} type={change}>
      {input}
    </MomentPicker>
  )
}
