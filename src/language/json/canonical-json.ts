// JSON text that is the same for the same value, whatever the order of its members.
import { isExactNumber } from './exact-number.ts'
import type { Json, JsonObject } from './json.ts'

/** The value as JSON with members in the order of their names. Numbers keep their digits. */
export function canonicalJson(value: Json): string {
  return textOf(value, 0)
}

/** A value this deep is written without recursion, which is slower. */
const MAX_RECURSION = 100

function textOf(value: Json, depth: number): string {
  if (typeof value !== 'object' || value === null || isExactNumber(value))
    return JSON.stringify(value)
  if (depth === MAX_RECURSION) return textOfDeep(value)
  if (Array.isArray(value)) {
    let list = '['
    for (let at = 0; at < value.length; at++)
      list += `${at === 0 ? '' : ','}${textOf((value[at] as Json | undefined) ?? null, depth + 1)}`
    return `${list}]`
  }
  const members = value as JsonObject
  let object = '{'
  for (const name of Object.keys(members).sort())
    object += `${object === '{' ? '' : ','}${JSON.stringify(name)}:${textOf(members[name] ?? null, depth + 1)}`
  return `${object}}`
}

function textOfDeep(value: Json): string {
  const writing = new CanonicalWriting(value)
  writing.writeOn(() => false)
  return writing.text
}

interface Open {
  readonly container: JsonObject | readonly Json[]
  /** In their order; null: it is a list. */
  readonly names: readonly string[] | null
  readonly count: number
  next: number
}

/** Values between two looks at the time. */
const VALUES_BETWEEN_LOOKS = 64

/** The text that `canonicalJson` gives, written in slices: a large value takes longer than others should wait. */
export class CanonicalWriting {
  readonly #open: Open[] = []
  /** What earlier slices have written. */
  readonly #written: string[] = []
  #pieces: string[] = []

  constructor(value: Json) {
    this.#begin(value)
  }

  /** Writes on until the end, or until `isOver`, which is asked every 64 values; true: all is written. */
  writeOn(isOver: () => boolean): boolean {
    for (let values = 1; this.#writeNext(); values++) {
      if (values % VALUES_BETWEEN_LOOKS === 0 && isOver()) break
    }
    this.#written.push(this.#pieces.join(''))
    this.#pieces = []
    return this.#open.length === 0
  }

  get text(): string {
    return this.#written.join('')
  }

  /** The next value or end of what is open; false: all is written. */
  #writeNext(): boolean {
    const open = this.#open.at(-1)
    if (open === undefined) return false
    const { container, names, count } = open
    const at = open.next++
    if (at === count) {
      this.#pieces.push(names === null ? ']' : '}')
      this.#open.pop()
      return true
    }
    if (at > 0) this.#pieces.push(',')
    if (names === null) this.#begin((container as readonly Json[])[at] ?? null)
    else {
      const name = names[at] ?? ''
      this.#pieces.push(JSON.stringify(name), ':')
      this.#begin((container as JsonObject)[name] ?? null)
    }
    return true
  }

  #begin(value: Json): void {
    if (typeof value !== 'object' || value === null || isExactNumber(value)) {
      this.#pieces.push(JSON.stringify(value))
      return
    }
    const names = Array.isArray(value) ? null : Object.keys(value).sort()
    const container: JsonObject | readonly Json[] = value
    const count = names === null ? (container as readonly Json[]).length : names.length
    this.#pieces.push(names === null ? '[' : '{')
    this.#open.push({ container, names, count, next: 0 })
  }
}
