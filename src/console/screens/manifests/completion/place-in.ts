// Where in a YAML document the cursor is: below which keys, and whether a key or a value is being written. The document
// is being typed, so it is read by its indentation and brackets, and need not be whole.
import { flowPlace } from './flow-place.ts'
import {
  endOfLine,
  type FoundPlace,
  type Members,
  type Place,
  scalarIn,
  type Step,
  unquoted,
} from './place.ts'

/** A block mapping or list that is still open. */
interface Frame {
  readonly kind: 'map' | 'list'
  readonly indent: number
  readonly members: Members
  key: Step
}

interface Reading {
  readonly text: string
  readonly cursor: number
  readonly frames: Frame[]
  readonly names: Map<string, Set<string>>
  found: FoundPlace | null
  /** The cursor is where nothing can be completed. */
  isOver: boolean
}

const KEY = /^("[^"]*"|'[^']*'|[^\s"'#{}[\],&*!|>%@`-][^#]*?|-[^\s#][^#]*?)\s*:(?=\s|$)/

/** Null: in a comment, a text of several lines, or quotes. */
export function placeIn(text: string, cursor: number): Place | null {
  const reading: Reading = {
    text,
    cursor,
    frames: [],
    names: new Map(),
    found: null,
    isOver: false,
  }
  let from = 0
  while (from <= text.length) from = readLine(reading, from)
  const { found, isOver, names } = reading
  if (found === null || isOver) return null
  const { own, ...place } = found
  const siblings = new Map([...place.siblings].filter(([name]) => name !== own))
  return { ...place, siblings, names }
}

/** Reads from the beginning of a line; gives the beginning of the next one that is not read yet. */
function readLine(reading: Reading, from: number): number {
  const { text, cursor } = reading
  const to = endOfLine(text, from)
  const isHere = cursor >= from && cursor <= to
  const line = text.slice(from, to)
  let column = line.length - line.trimStart().length
  let rest = line.slice(column)
  if (rest === '' && !isHere) return to + 1
  if (rest.startsWith('#')) {
    if (isHere && cursor > from + column) reading.isOver = true
    return to + 1
  }
  // On an empty line the cursor says how deep the next key will be.
  if (rest === '') column = cursor - from
  while (rest === '-' || rest.startsWith('- ')) {
    open(reading.frames, 'list', column)
    const width = rest.length - rest.slice(1).trimStart().length
    column += rest === '-' ? 1 : width
    rest = rest.slice(width)
  }
  const key = KEY.exec(rest)
  if (key === null) return readScalar(reading, { from, to, column, rest, isHere })
  const [whole, written = ''] = key
  const frame = open(reading.frames, 'map', column)
  const name = unquoted(written)
  frame.key = name
  noteName(reading, name)
  const keyFrom = from + column
  const colon = keyFrom + whole.length
  if (isHere && cursor >= keyFrom && cursor < colon) {
    reading.found = keyPlace(reading, frame, keyFrom, name)
    frame.members.set(name, null)
    return to + 1
  }
  return readValue(reading, { frame, name, from: colon, to, column, isHere })
}

/** A line that is no key yet: the beginning of one, or an element of a list. */
function readScalar(
  reading: Reading,
  line: {
    readonly from: number
    readonly to: number
    readonly column: number
    readonly rest: string
    readonly isHere: boolean
  },
): number {
  const start = line.from + line.column
  if (/^[{[]/.test(line.rest)) {
    const path = reading.frames.map(({ key }) => key)
    return readFlow(reading, { path, from: start, indent: line.column - 1 })
  }
  if (!line.isHere || reading.cursor < start) return line.to + 1
  if (/^["']|\s#/.test(reading.text.slice(start, reading.cursor))) {
    reading.isOver = true
    return line.to + 1
  }
  const frame = open(reading.frames, 'map', line.column)
  reading.found = keyPlace(reading, frame, start, null)
  return line.to + 1
}

function readValue(
  reading: Reading,
  line: {
    readonly frame: Frame
    readonly name: string
    readonly from: number
    readonly to: number
    readonly column: number
    readonly isHere: boolean
  },
): number {
  const { text, cursor } = reading
  const { frame, name } = line
  const written = text.slice(line.from, line.to)
  const start = line.from + written.length - written.trimStart().length
  const rest = text.slice(start, line.to)
  const path = reading.frames.map(({ key }) => key)
  if (/^[{[]/.test(rest) && cursor !== start) {
    frame.members.set(name, null)
    return readFlow(reading, { path, from: start, indent: line.column })
  }
  const isWritten = line.isHere && cursor > line.from
  if (isWritten) {
    // At the end of a line with spaces behind the colon the value begins at the cursor.
    const begin = Math.min(start, cursor)
    const typed = text.slice(begin, cursor)
    if (/^["'|>]|(^|\s)#/.test(typed)) reading.isOver = true
    else
      reading.found = {
        kind: 'value',
        path,
        from: begin,
        typed,
        siblings: frame.members,
        own: null,
        indent: null,
      }
  }
  if (!isWritten || rest !== '') frame.members.set(name, scalarIn(rest))
  return /^[|>]/.test(rest) ? behindBlock(reading, line.to + 1, line.column) : line.to + 1
}

function readFlow(
  reading: Reading,
  flow: { readonly path: readonly Step[]; readonly from: number; readonly indent: number },
): number {
  const { text, cursor } = reading
  const { end, place, isOver } = flowPlace(text, cursor, flow)
  if (place !== null) reading.found = place
  if (isOver) reading.isOver = true
  return endOfLine(text, end) + 1
}

/** Behind a text of several lines, which is all that is deeper than its key. */
function behindBlock(reading: Reading, from: number, indent: number): number {
  const { text, cursor } = reading
  let at = from
  while (at <= text.length) {
    const to = endOfLine(text, at)
    const line = text.slice(at, to)
    if (line.trim() !== '' && line.length - line.trimStart().length <= indent) break
    if (cursor >= at && cursor <= to && cursor - at > indent) reading.isOver = true
    at = to + 1
  }
  // An empty line behind it may begin something new.
  return cursor >= from && cursor < at && !reading.isOver ? from : at
}

/** The open mapping or list of this column, once everything deeper is closed. */
function open(frames: Frame[], kind: Frame['kind'], indent: number): Frame {
  // A list may stand as deep as the key it belongs to.
  const isOver = (frame: Frame): boolean =>
    frame.indent > indent || (kind === 'map' && frame.indent === indent && frame.kind === 'list')
  const left = frames.findLastIndex((frame) => !isOver(frame)) + 1
  frames.splice(left)
  const top = frames.at(-1)
  if (top !== undefined && top.indent === indent && top.kind === kind) {
    if (typeof top.key === 'number') top.key += 1
    return top
  }
  const frame: Frame = { kind, indent, members: new Map(), key: kind === 'list' ? 0 : '' }
  frames.push(frame)
  return frame
}

function keyPlace(
  { text, cursor, frames }: Reading,
  frame: Frame,
  from: number,
  own: string | null,
): FoundPlace {
  return {
    kind: 'key',
    path: frames.slice(0, frames.indexOf(frame)).map(({ key }) => key),
    from: Math.min(from, cursor),
    typed: text.slice(Math.min(from, cursor), cursor),
    siblings: frame.members,
    own,
    indent: frame.indent,
  }
}

function noteName({ frames, names }: Reading, name: string): void {
  const [top] = frames
  if (frames.length !== 2 || typeof top?.key !== 'string') return
  const known = names.get(top.key) ?? new Set()
  names.set(top.key, known.add(name))
}
