// What a store keeps of a document in addition to its text: keys, folded texts, words. Made when it is needed, once per row.
import type { JsonObject } from '../../language/json/json.ts'
import { scalarKey } from './key.ts'
import {
  isScalarType,
  type LayoutField,
  type Lift,
  pathBit,
  type SearchLayout,
  SLOTS,
} from './layout.ts'
import { type CopyRow, digestOf, documentOf } from './row.ts'
import { fold } from './text.ts'
import {
  fieldValue,
  reachedValues,
  readScalar,
  type RecordTerms,
  scalarText,
  termsOf,
} from './values.ts'

/** What a record is found by, but for its words. */
export interface RowIndex {
  /** Keys of the lifted values by slot, eight places. */
  readonly slots: readonly (string | null)[]
  /** JSON object: number of the lift → key, for lifts without a slot. */
  readonly lift: string | null
  /** JSON object: number of the lift → folded text, where that is not the key. */
  readonly folded: string | null
  /** The folded texts that are indexed by their parts. */
  readonly sub: string | null
  /** Bits of lifted dotted paths at which this record has more than one scalar: their keys do not tell all. */
  readonly mixed: number
}

/** The bit of `mixed`, next to those of paths, of records with more words than are searched. */
export const CUT_WORDS: number = 1 << 30

/** A row with what is made of its document. Of a row that turns out to be unchanged, nothing is made. */
export class OpenedRow {
  readonly row: CopyRow
  readonly #layout: SearchLayout
  #parsed: JsonObject | undefined
  #bytes: Uint8Array | undefined
  #made: RowIndex | undefined
  #worded: RecordTerms | undefined

  constructor(layout: SearchLayout, row: CopyRow) {
    this.#layout = layout
    this.row = row
  }

  get document(): JsonObject {
    this.#parsed ??= documentOf(this.row.doc)
    return this.#parsed
  }

  /** 16 bytes, equal for records that differ in spelling only. */
  get digest(): Uint8Array {
    this.#bytes ??= digestOf(this.row, this.row.compared === null ? this.document : undefined)
    return this.#bytes
  }

  get index(): RowIndex {
    this.#made ??= indexDocument(this.#layout, this.document)
    return this.#made
  }

  get terms(): RecordTerms {
    this.#worded ??= termsOf(this.#layout, this.document, this.row.doc.length)
    return this.#worded
  }

  /** Makes all of these now, so that nobody waits for them later. */
  prepare(): void {
    for (const member of ['digest', 'index', 'terms'] as const) void this[member]
  }
}

function indexDocument(layout: SearchLayout, document: JsonObject): RowIndex {
  const slots: (string | null)[] = Array.from({ length: SLOTS }, () => null)
  const lift: Record<string, string> = {}
  const folded: Record<string, string> = {}
  const parts: string[] = []
  let mixed = 0
  for (const reader of readersOf(layout)) {
    const value = readLift(reader, document)
    if (value === null) continue
    if (value === 'mixed') {
      mixed |= reader.bit
      continue
    }
    const { number, slot } = reader
    if (slot === null) lift[number] = value.key
    else slots[slot - 1] = value.key
    if (value.text === null) continue
    if (value.text !== value.plainKey) folded[number] = value.text
    if (reader.substring) parts.push(value.text)
  }
  return {
    slots,
    lift: jsonOrNull(lift),
    folded: jsonOrNull(folded),
    sub: parts.length === 0 ? null : parts.join('\n'),
    mixed,
  }
}

/** The two characters that keep the words of one field apart from those of others. */
export function fieldPrefix(field: number): string {
  return field.toString(36).padStart(2, '0')
}

function jsonOrNull(object: Readonly<Record<string, string>>): string | null {
  for (const _ in object) return JSON.stringify(object)
  return null
}

interface LiftReader extends Pick<Lift, 'path' | 'slot' | 'substring'> {
  readonly number: number
  readonly field: LayoutField
  readonly isScalar: boolean
  /** Its bit in `mixed`. */
  readonly bit: number
}

const readers = new WeakMap<SearchLayout, readonly LiftReader[]>()

function readersOf(layout: SearchLayout): readonly LiftReader[] {
  const known = readers.get(layout)
  if (known !== undefined) return known
  const made = layout.lifts.flatMap((lift, number): LiftReader[] => {
    const { path, slot, substring } = lift
    const field = layout.fields[lift.field]
    if (field === undefined) return []
    const isScalar = path.length === 0 && isScalarType(field.type)
    const bit = path.length === 0 ? 0 : 1 << pathBit(layout, lift)
    return [{ number, field, path, isScalar, slot, substring, bit }]
  })
  readers.set(layout, made)
  return made
}

interface LiftedValue {
  readonly key: string
  /** Without the letter that tells its kind. */
  readonly plainKey: string
  /** Its whole folded text; null for what is no text. */
  readonly text: string | null
}

/** Letters before the keys of dotted paths, whose values have no declared kind. */
export const KIND_LETTERS = { boolean: 'b', number: 'n', text: 's' } as const

/** The lifted value; null for none, `mixed` where a path reaches more than one scalar. */
function readLift(
  { field, path, isScalar }: LiftReader,
  document: JsonObject,
): LiftedValue | null | 'mixed' {
  const value = fieldValue(document, field)
  if (isScalar) {
    const scalar = readScalar(field.type, value)
    if (scalar === null) return null
    const text = field.type === 'string' ? scalarText(value) : null
    return { key: scalar.key, plainKey: scalar.key, text: text === null ? null : fold(text) }
  }
  const reached = reachedValues(value, path)
  const [only] = reached
  if (only === undefined || (reached.length === 1 && only === null)) return null
  const scalar = scalarKey(only)
  if (reached.length > 1 || scalar === null) return 'mixed'
  const text = typeof only === 'string' ? fold(only) : null
  return { key: KIND_LETTERS[scalar.kind] + scalar.key, plainKey: scalar.key, text }
}
