// The filter builder: groups of conditions, moved by drag and by keys, each with what the service said of it.
import {
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { type JsonObject, writeJson } from '../../api/json-text.ts'
import { Button, Select } from '../../parts/controls.tsx'
import type { NamesAt } from '../../parts/record-names.ts'
import { ConditionRow } from './condition-row.tsx'
import {
  type Group,
  inserted,
  isGroup,
  type Match,
  moved,
  NEW_CONDITION,
  nextId,
  type Part,
  replaced,
  stepped,
} from './groups.ts'

const MATCHES: readonly (readonly [Match, string])[] = [
  ['all', 'all of these'],
  ['any', 'any of these'],
  ['not_all', 'not all of these'],
  ['none', 'none of these'],
]

interface Builder {
  readonly types: Readonly<Record<string, string>>
  /** The schema of a record; null: nobody knows it. */
  readonly record: JsonObject | null
  /** What the records are called that values name. */
  readonly names: NamesAt
  /** The list of fields and paths. */
  readonly list: string
  /** What is wrong with a condition, by its id. */
  readonly problems: ReadonlyMap<number, string>
  readonly root: Group
  readonly change: (root: Group) => void
  readonly dragged: number | null
  readonly drag: (id: number | null) => void
  readonly move: (id: number, by: 1 | -1) => void
  readonly numbers: ReadonlyMap<number, number>
}

export function FilterTree(
  props: Pick<Builder, 'types' | 'record' | 'names' | 'list' | 'problems' | 'root' | 'change'>,
): ReactNode {
  const { root, change } = props
  const [dragged, drag] = useState<number | null>(null)
  const tree = useRef<HTMLDivElement>(null)
  const stepping = useRef<number | null>(null)
  useLayoutEffect(() => {
    // Among other parts the handle is another one: the keyboard goes with it.
    if (stepping.current === null) return
    tree.current?.querySelector<HTMLElement>(`[data-handle="${stepping.current}"]`)?.focus()
    stepping.current = null
  }, [root])
  const move = (id: number, by: 1 | -1): void => {
    stepping.current = id
    change(stepped(root, id, by))
  }
  const numbers = numbered(root)
  return (
    <div ref={tree}>
      <GroupBox builder={{ ...props, dragged, drag, move, numbers }} group={root} />
    </div>
  )
}

/** Conditions and groups, each kind from 1 on as they are read. */
function numbered(root: Group): ReadonlyMap<number, number> {
  const numbers = new Map<number, number>()
  let [conditions, groups] = [0, 0]
  const walk = (group: Group): void => {
    for (const part of group.parts) {
      numbers.set(part.id, isGroup(part) ? ++groups : ++conditions)
      if (isGroup(part)) walk(part)
    }
  }
  walk(root)
  return numbers
}

function GroupBox({
  builder,
  group,
}: {
  readonly builder: Builder
  readonly group: Group
}): ReactNode {
  const { root, change, numbers, dragged } = builder
  const isRoot = group.id === root.id
  const number = numbers.get(group.id)
  const put = (part: Part): void => change(inserted(root, group.id, group.parts.length, part))
  const id = nextId(root)
  const removeButton = (part: Part, what: string): ReactNode => (
    <Button
      className="small"
      aria-label={`Remove ${what}`}
      onClick={() => change(replaced(root, part.id, null))}
    >
      ✕
    </Button>
  )
  return (
    <div
      className={isRoot ? 'part filter-group root' : 'part filter-group'}
      role="group"
      aria-label={isRoot ? 'Conditions' : `Group ${number}`}
      {...dropOn(builder, group.id)}
    >
      <div className="group-head">
        {isRoot ? null : <Handle builder={builder} id={group.id} label={`Move group ${number}`} />}
        <Select
          className="inline"
          label="Match"
          value={group.match}
          options={MATCHES}
          // One of these options.
          choose={(match) => {
            const next = { ...group, match: match as Match }
            change(isRoot ? next : replaced(root, group.id, next))
          }}
        />
        {isRoot ? null : removeButton(group, `group ${number}`)}
      </div>
      {group.parts.map((part) =>
        isGroup(part) ? (
          <GroupBox key={part.id} builder={builder} group={part} />
        ) : (
          <div
            key={part.id}
            className={dragged === part.id ? 'filter-row dragged' : 'filter-row'}
            role="group"
            aria-label={`Condition ${numbers.get(part.id)}`}
            {...dropOn(builder, part.id)}
          >
            <Handle
              builder={builder}
              id={part.id}
              label={`Move condition ${numbers.get(part.id)}`}
            />
            {'filter' in part ? (
              <code className="written">{writeJson(part.filter)}</code>
            ) : (
              <ConditionRow
                condition={part}
                types={builder.types}
                record={builder.record}
                names={builder.names}
                list={builder.list}
                isWrong={builder.problems.has(part.id)}
                change={(next) => change(replaced(root, part.id, next))}
              />
            )}
            {removeButton(part, `condition ${numbers.get(part.id)}`)}
            {builder.problems.has(part.id) ? (
              <strong className="fault">{builder.problems.get(part.id)}</strong>
            ) : null}
          </div>
        ),
      )}
      <div className="actions">
        <Button className="small" onClick={() => put({ id, ...NEW_CONDITION })}>
          Add a condition
        </Button>
        <Button
          className="small"
          onClick={() => put({ id, match: 'any', parts: [{ id: id + 1, ...NEW_CONDITION }] })}
        >
          Add a group
        </Button>
      </div>
    </div>
  )
}

function dropOn({ dragged, drag, root, change }: Builder, target: number) {
  return {
    onDragOver: (event: DragEvent) => {
      if (dragged !== null) event.preventDefault()
    },
    onDrop: (event: DragEvent) => {
      // The innermost one that it is dropped on counts.
      event.stopPropagation()
      if (dragged === null) return
      event.preventDefault()
      drag(null)
      change(moved(root, dragged, target))
    },
  }
}

function Handle(props: {
  readonly builder: Builder
  readonly id: number
  readonly label: string
}): ReactNode {
  const { builder, id, label } = props
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    builder.move(id, event.key === 'ArrowUp' ? -1 : 1)
  }
  return (
    <button
      type="button"
      className="handle"
      data-handle={id}
      draggable
      aria-label={`${label}: up and down arrows`}
      title="Drag it, or press the up and down arrows"
      onKeyDown={press}
      onDragStart={(event) => {
        event.stopPropagation()
        // Firefox drags nothing without data.
        event.dataTransfer.setData('text/plain', String(id))
        event.dataTransfer.effectAllowed = 'move'
        builder.drag(id)
      }}
      onDragEnd={() => builder.drag(null)}
    >
      ⠿
    </button>
  )
}
