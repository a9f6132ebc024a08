// A JSON value as lines that fold, and the paths of its parts.
import { isObject, type Json } from '../api/json-text.ts'

export interface TreeLine {
  /** `$.data[0].name`: as manifests write it. */
  readonly path: string
  /** From 1. */
  readonly level: number
  /** Of a member its name, of an element its place; null: the whole. */
  readonly name: string | number | null
  /** The members that lead to it, without places in lists. */
  readonly names: readonly string[]
  readonly value: Json
  /** Members or elements; null: it holds none, and cannot be folded. */
  readonly size: number | null
  readonly isOpen: boolean
  /** Its place among those around it, from 1, and how many there are. */
  readonly place: number
  readonly among: number
}

const WHOLE = '$'
/** Beyond this many lines only what is near the top is open at first. */
const OPEN_LINES = 3000

export function linesOf(whole: Json, isOpen: (path: string, level: number) => boolean): TreeLine[] {
  const lines: TreeLine[] = []
  const add = (line: Omit<TreeLine, 'size' | 'isOpen'>): void => {
    const within = membersOf(line.value)
    const open = within.length > 0 && isOpen(line.path, line.level)
    lines.push({ ...line, size: within.length === 0 ? null : within.length, isOpen: open })
    if (!open) return
    within.forEach(([name, value], index) =>
      add({
        path: pathTo(line.path, name),
        level: line.level + 1,
        name,
        names: typeof name === 'string' ? [...line.names, name] : line.names,
        value,
        place: index + 1,
        among: within.length,
      }),
    )
  }
  add({ path: WHOLE, level: 1, name: null, names: [], value: whole, place: 1, among: 1 })
  return lines
}

/** How deep a value is opened at first: everything, unless that is very long. */
export function firstDepth(whole: Json): number {
  const count = (value: Json, left: number): number =>
    membersOf(value).reduce((rest, [, each]) => (rest <= 0 ? rest : count(each, rest)), left - 1)
  return count(whole, OPEN_LINES) > 0 ? Number.POSITIVE_INFINITY : 2
}

/** Paths of names and values that have the text, up to `most`; letters of both cases are the same. */
export function pathsWith(whole: Json, text: string, most: number): string[] {
  const wanted = text.toLowerCase()
  const found: string[] = []
  const look = (path: string, name: string | number | null, value: Json): void => {
    if (found.length >= most) return
    const isNamed = typeof name === 'string' && name.toLowerCase().includes(wanted)
    const isValue =
      (typeof value !== 'object' || value === null) &&
      // A text needs no quotes to be searched.
      (typeof value === 'string' ? value : String(value)).toLowerCase().includes(wanted)
    if (isNamed || isValue) found.push(path)
    for (const [each, below] of membersOf(value)) look(pathTo(path, each), each, below)
  }
  look(WHOLE, null, whole)
  return found
}

/** The paths that a path leads through, without itself. */
export function pathsAbove(path: string): readonly string[] {
  return [...path.matchAll(/(?:^\$|\.[\w$]+|\[\d+\]|\["(?:[^"\\]|\\.)*"\])/g)]
    .map(({ index }) => path.slice(0, index))
    .filter((each) => each !== '')
}

function pathTo(path: string, name: string | number): string {
  if (typeof name === 'number') return `${path}[${name}]`
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`
}

function membersOf(value: Json): readonly (readonly [string | number, Json])[] {
  if (Array.isArray(value)) return value.map((each: Json, index) => [index, each] as const)
  return isObject(value) ? Object.entries(value) : []
}
