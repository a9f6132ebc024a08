// JSON that folds, is searched, and tells the path of each part; lines are drawn as far as they are seen.
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  useDeferredValue,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { durationAt, durationWords, epochAt, momentAt } from '../../display/epochs.ts'
import { type Json, type JsonObject, writeJson } from '../api/json-text.ts'
import { Button } from './controls.tsx'
import { firstDepth, linesOf, pathsAbove, pathsWith, type TreeLine } from './json-tree.ts'
import './code-view.css'
import './json-view.css'
import { localMoment } from './moment.ts'
import { Link } from '../place.tsx'
import { type NamesAt, NO_NAMES, type RecordName } from './record-names.ts'
import { CopyButton } from './values.tsx'

const NO_SCHEMAS: readonly null[] = []
const LINE_PX = 21
const MAX_FOUND = 1000
/** Of a value that is longer, the rest is in the line below and in what is copied. */
const MAX_SHOWN = 300

export function JsonView(props: {
  readonly value: Json
  /** What it is searched for at first. */
  readonly sought?: string
  /** Schemas that say what numbers are moments, of the value or of each record in a list: the first that does counts. */
  readonly schemas?: readonly (JsonObject | null)[]
  /** What the records are called that values name. */
  readonly names?: NamesAt
  /** Called before a name leads away. */
  readonly leave?: () => void
}): ReactNode {
  const { value, schemas = NO_SCHEMAS, names: namesAt = NO_NAMES } = props
  const namedBy = ({ names, value: part }: TreeLine): RecordName | null =>
    typeof part === 'object' ? null : (namesAt(names)?.(part) ?? null)
  /** What a value says to people: a moment in their time, or a duration. */
  const momentOf = ({ names, value: part }: TreeLine): string | null => {
    if (typeof part === 'string') return localMoment(momentAt(part, null, names) ?? part)
    if (typeof part !== 'number' && typeof part !== 'bigint') return null
    const moments = schemas.map((schema) => momentAt(part, epochAt(schema, names), names))
    const moment = moments.find((each) => each !== null)
    if (moment !== undefined) return localMoment(moment)
    const durations = schemas.map((schema) => durationWords(part, durationAt(schema, names)))
    return durations.find((each) => each !== null) ?? null
  }
  const depth = useMemo(() => firstDepth(value), [value])
  /** Paths that are folded, or opened, unlike what the depth says. */
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const [depthChosen, setDepthChosen] = useState<number | null>(null)
  const openTo = depthChosen ?? depth
  const lines = useMemo(
    () => linesOf(value, (path, level) => level <= openTo !== turned.has(path)),
    [value, openTo, turned],
  )
  const [active, setActive] = useState('$')
  const at = Math.max(
    0,
    lines.findIndex(({ path }) => path === active),
  )
  const line = lines[at]
  const named = line === undefined ? null : namedBy(line)
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_PX,
    overscan: 3,
    // What a screen reader is told to be at is there.
    rangeExtractor: (range) => {
      const seen = defaultRangeExtractor(range)
      return seen.includes(at) || at >= lines.length ? seen : [...seen, at]
    },
  })
  const [sought, setSought] = useState(props.sought ?? '')
  const text = useDeferredValue(sought.trim())
  const found = useMemo(() => (text === '' ? [] : pathsWith(value, text, MAX_FOUND)), [value, text])
  const foundSet = useMemo(() => new Set(found), [found])
  const hit = found.indexOf(active)

  const turn = ({ path }: TreeLine): void =>
    setTurned((before) => new Set(before.symmetricDifference(new Set([path]))))
  const goTo = (path: string, all = lines): void => {
    setActive(path)
    const index = all.findIndex((each) => each.path === path)
    if (index !== -1) virtual.scrollToIndex(index, { align: 'auto' })
  }
  const step = (by: number): void => {
    const path = found[(Math.max(hit, by > 0 ? -1 : 0) + by + found.length) % found.length]
    if (path === undefined) return
    // What it is in is opened.
    const opened = new Set(turned)
    for (const [level, each] of pathsAbove(path).entries()) {
      if (level + 1 <= openTo) opened.delete(each)
      else opened.add(each)
    }
    setTurned(opened)
    goTo(
      path,
      linesOf(value, (each, level) => level <= openTo !== opened.has(each)),
    )
  }
  const fold = (to: number): void => {
    setTurned(new Set())
    setDepthChosen(to)
    setActive('$')
  }
  const above = (): TreeLine | undefined =>
    lines.slice(0, at).findLast(({ level }) => level < (line?.level ?? 1))
  const show = (index: number): void => {
    const next = lines[Math.min(lines.length - 1, Math.max(0, index))]
    if (next !== undefined) goTo(next.path)
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => show(at + 1),
    ArrowUp: () => show(at - 1),
    PageDown: () => show(at + 15),
    PageUp: () => show(at - 15),
    Home: () => show(0),
    End: () => show(lines.length - 1),
    Enter: () => line?.size != null && turn(line),
    ArrowRight: () => (line?.size != null && !line.isOpen ? turn(line) : show(at + 1)),
    ArrowLeft: () => (line?.isOpen === true ? turn(line) : goTo(above()?.path ?? '$')),
  }
  const press = (event: KeyboardEvent): void => {
    const key = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key]
    if (key === undefined) return
    event.preventDefault()
    key()
  }
  const whole = useMemo(() => writeJson(value, 2), [value])
  return (
    <div className="box json-view">
      <div className="line json-tools" role="search">
        <input
          type="search"
          aria-label="Find in the JSON"
          placeholder="find"
          value={sought}
          onChange={(event) => setSought(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.ctrlKey) return
            event.preventDefault()
            step(event.shiftKey ? -1 : 1)
          }}
        />
        <span className="fine grow" role="status">
          {text === ''
            ? ''
            : `${hit === -1 ? '' : `${hit + 1} of `}${found.length}${found.length === MAX_FOUND ? ' or more' : ''}`}
        </span>
        <Button className="small" onClick={() => fold(Number.POSITIVE_INFINITY)}>
          Unfold
        </Button>
        <Button className="small" onClick={() => fold(2)}>
          Fold
        </Button>
        <CopyButton text={whole} label="Copy JSON" />
      </div>
      <div
        ref={box}
        className="json-lines mono"
        role="tree"
        tabIndex={0}
        aria-label="JSON"
        aria-activedescendant={`${id}${at}`}
        onKeyDown={press}
      >
        {/* For the height alone. */}
        <div role="presentation" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const each = lines[index]
            return each === undefined ? null : (
              <div
                key={each.path}
                id={`${id}${index}`}
                role="treeitem"
                aria-level={each.level}
                aria-posinset={each.place}
                aria-setsize={each.among}
                aria-expanded={each.size === null ? undefined : each.isOpen}
                aria-selected={index === at}
                className={foundSet.has(each.path) ? 'json-line found' : 'json-line'}
                style={{
                  transform: `translateY(${start}px)`,
                  paddingInlineStart: 6 + (each.level - 1) * 16,
                }}
                onClick={() => {
                  setActive(each.path)
                  if (each.size !== null) turn(each)
                }}
              >
                <Line of={each} moment={momentOf(each)} named={namedBy(each)} leave={props.leave} />
              </div>
            )
          })}
        </div>
      </div>
      {line === undefined ? null : (
        <div className="cell-line fine">
          {line.path === '$' ? (
            <p>Choose a line to see its path.</p>
          ) : (
            <>
              <p>
                Path <code>{line.path}</code> {line.size === null ? writeJson(line.value) : ''}
                {named === null ? null : (
                  <>
                    {' '}
                    <Link to={named.to} before={props.leave}>
                      {named.words}
                    </Link>
                  </>
                )}
              </p>
              <div className="actions">
                <CopyButton key={line.path} text={line.path} label="Copy the path" />
              </div>
            </>
          )}
        </div>
      )}
    </div>
  )
}

const COLOURS: Readonly<Partial<Record<string, string>>> = {
  string: 'code-string',
  number: 'code-number',
  bigint: 'code-number',
  boolean: 'quiet',
  object: 'quiet',
}

/** Drawn again only when the line has become another one, not when the keyboard moves. */
const Line = memo(function Line(props: {
  readonly of: TreeLine
  readonly moment: string | null
  readonly named: RecordName | null
  readonly leave: (() => void) | undefined
}): ReactNode {
  const { of, moment, named } = props
  const { name, value, size, isOpen } = of
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const text = size === null ? writeJson(value) : ''
  return (
    <>
      <span className="json-mark" aria-hidden="true">
        {size === null ? ' ' : isOpen ? '▾' : '▸'}
      </span>
      {name === null ? null : (
        <span className="json-name">
          {typeof name === 'number' ? name : JSON.stringify(name)}:{' '}
        </span>
      )}
      {size === null ? (
        <span className={COLOURS[typeof value]}>
          {text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}
        </span>
      ) : (
        <span>
          {open}
          {isOpen ? '' : '…'}
          {close} <span className="fine">{size}</span>
        </span>
      )}
      {moment === null ? null : <span className="fine"> {moment}</span>}
      {named === null ? null : (
        <span className="fine">
          {' '}
          <Link to={named.to} before={props.leave} tabIndex={-1}>
            {named.words}
          </Link>
        </span>
      )}
    </>
  )
})
