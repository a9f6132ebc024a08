// The cursor within { … } or [ … ].
import { endOfLine, type FoundPlace, type Members, scalarIn, type Step, unquoted } from './place.ts'

interface Bracket {
  readonly kind: 'map' | 'list'
  readonly members: Members
  /** Of a list the index. */
  key: Step
  isValue: boolean
  /** Where the word that is being read began; null: between words. */
  from: number | null
}

export interface FlowEnd {
  /** The offset behind the last bracket, or where the reading gave up because a bracket is missing. */
  readonly end: number
  readonly place: FoundPlace | null
  readonly isOver: boolean
}

/** Reads from an opening bracket on. `indent` is that of the key it belongs to: what is not deeper is not within. */
export function flowPlace(
  text: string,
  cursor: number,
  flow: { readonly path: readonly Step[]; readonly from: number; readonly indent: number },
): FlowEnd {
  const open: Bracket[] = []
  let place: FlowEnd['place'] = null
  let isOver = false
  let at = flow.from
  for (; at <= text.length; at++) {
    if (at === cursor && open.length > 0) place = placeAt(text, cursor, flow.path, open)
    if (at === text.length) break
    const sign = text[at] ?? ''
    const top = open.at(-1)
    if (sign === '{' || sign === '[') {
      if (top !== undefined) settle(top, null)
      open.push(bracket(sign === '{' ? 'map' : 'list'))
    } else if (sign === '}' || sign === ']') {
      if (top !== undefined) settle(top, wordAt(text, top, at))
      open.pop()
      if (open.length === 0) return { end: at + 1, place, isOver }
    } else if (sign === '"' || sign === "'") {
      const close = text.indexOf(sign, at + 1)
      const end = close === -1 ? text.length : close
      if (cursor > at && cursor <= end) isOver = true
      if (top !== undefined) top.from ??= at
      at = end
    } else if (sign === ',') {
      if (top !== undefined) next(top, wordAt(text, top, at))
    } else if (sign === '#' && /\s/.test(text[at - 1] ?? ' ')) {
      const end = endOfLine(text, at)
      if (cursor > at && cursor <= end) isOver = true
      at = end - 1
    } else if (sign === ':' && /[\s"']|^$/.test(text[at + 1] ?? '')) {
      if (top?.kind === 'map' && !top.isValue) {
        top.key = unquoted(wordAt(text, top, at) ?? '')
        top.isValue = true
        top.from = null
      }
    } else if (sign === '\n') {
      if (isDedented(text, at + 1, flow.indent)) return { end: at, place, isOver }
    } else if (sign !== ' ' && top !== undefined) top.from ??= at
  }
  return { end: text.length, place, isOver }
}

function bracket(kind: Bracket['kind']): Bracket {
  return { kind, members: new Map(), key: kind === 'list' ? 0 : '', isValue: false, from: null }
}

/** A member of a mapping is known with its value. */
function settle(top: Bracket, word: string | null): void {
  if (top.kind === 'map' && top.isValue)
    top.members.set(String(top.key), word === null ? null : scalarIn(word))
}

function next(top: Bracket, word: string | null): void {
  settle(top, word)
  if (typeof top.key === 'number') top.key += 1
  top.isValue = false
  top.from = null
}

function wordAt(text: string, { from }: Bracket, to: number): string | null {
  return from === null ? null : text.slice(from, to).trim()
}

function placeAt(
  text: string,
  cursor: number,
  path: readonly Step[],
  open: readonly Bracket[],
): FlowEnd['place'] {
  const top = open.at(-1)
  if (top === undefined) return null
  const from = top.from ?? cursor
  const outer = [...path, ...open.slice(0, -1).map(({ key }) => key)]
  const isKey = top.kind === 'map' && !top.isValue
  return {
    kind: isKey ? 'key' : 'value',
    path: isKey ? outer : [...outer, top.key],
    from,
    typed: text.slice(from, cursor),
    siblings: top.members,
    own: isKey ? keyAt(text, from) : null,
    indent: null,
  }
}

/** The whole word there where a colon follows it. */
function keyAt(text: string, from: number): string | null {
  return /^([^\s:,{}[\]]+):/.exec(text.slice(from))?.[1] ?? null
}

function isDedented(text: string, from: number, indent: number): boolean {
  const line = text.slice(from, endOfLine(text, from))
  return line.trim() !== '' && line.length - line.trimStart().length <= indent
}
