// From a record to the row that goes to a store: its document as text, its identity, what tells a change. Pure.
import { hash } from 'node:crypto'

import { ConnectorError } from '../../errors.ts'
import { type Answer, compilePath, type Pick as Read } from '../../language/expression/pick.ts'
import type { Path } from '../../language/expression/syntax.ts'
import { isExactNumber } from '../../language/json/exact-number.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject, isList } from '../../language/json/members.ts'
import { setOwn } from '../../language/json/own.ts'
import { parseJson } from '../../language/json/parse-json.ts'
import { recordKey } from '../../language/json/record-key.ts'
import { canonical, isNumberText } from './key.ts'
import { isRetyped, type LayoutField, type SearchLayout } from './layout.ts'
import { storable } from './text.ts'
import { scalarText } from './values.ts'

/** A record on its way to a copy. Keys and words are made of it by the store, where it is new or changed (`OpenedRow`). */
export interface CopyRow {
  readonly recordId: string
  /** Id of the parent's record, for entities read per parent. */
  readonly parentId: string | null
  /** JSON text of exactly what `hits[].data` returns: every searchable field, null where the record lacks it. */
  readonly doc: string
  /** What tells a change. Null: all of the document. Text: JSON text of what counts. Bytes: a digest that was stored. */
  readonly compared: string | Uint8Array | null
  /** When the request that gave it was begun, where that is not when the batch it is written in was. */
  readonly observedAtMs?: number
}

export interface RowMakerOptions {
  readonly layout: SearchLayout
  /** Where the identity of a record lies; several places make one text. */
  readonly primaryKey: readonly Path[]
  /** Places of the record that do not count as a change. */
  readonly ignore?: readonly Path[]
}

/** The record of the parent entity and its id, for entities read per parent. */
export interface RowParent {
  readonly id: string
  readonly record: Json
}

export type RowMaker = (record: Json, parent?: RowParent) => CopyRow

/** Ids longer than this many bytes cannot be used. */
const MAX_ID_LENGTH = 1_000

/** Why a record cannot be kept; `duplicate`: a later one of its page has its key, and other content. */
export type UnusableReason =
  | 'missing'
  | 'null'
  | 'empty'
  | 'not_scalar'
  | 'not_integer'
  | 'not_text'
  | 'too_long'
  | 'duplicate'

/** Where the key of a record lies that cannot be kept, and why. Never its value. */
export interface UnusableKey {
  readonly path: string
  readonly reason: UnusableReason
}

/** What is wrong with the key of a record of which a RowMaker made no row; null: it failed with something else. */
export function unusableKeyIn(error: unknown): UnusableKey | null {
  return error instanceof UnusableKeyError ? error.key : null
}

class UnusableKeyError extends ConnectorError {
  readonly key: UnusableKey

  constructor(entity: string, key: UnusableKey) {
    const message = `${entity}: the primary key of a record at ${key.path} cannot be used: ${key.reason}`
    super('upstream_malformed', message, { details: { entity, ...key } })
    this.key = key
  }
}

/**
 * Compiles the way from a record to a row. Throws `upstream_malformed` (`unusableKeyIn`) for a record whose primary key is
 * absent, null, empty, no text and no integer, longer than 1,000 bytes, or text that no store can keep (U+0000, half of a
 * surrogate pair).
 */
export function createRowMaker({ layout, primaryKey, ignore = [] }: RowMakerOptions): RowMaker {
  const readKeys = primaryKey.map((path) => ({ path, read: compilePath(path) }))
  const readDocument = compileDocument(layout)
  const fill = compileFill(layout)
  return (record, parent) => {
    const answer = answerOf(record, parent?.record)
    const recordId = readId(readKeys, answer, layout.entity)
    const document = readDocument(answer)
    const compared =
      ignore.length === 0
        ? null
        : JSON.stringify(readDocument(answerOf(ignore.reduce(without, record), parent?.record)))
    return {
      recordId,
      parentId: parent?.id ?? null,
      doc: fill(JSON.stringify(document), document),
      compared,
    }
  }
}

/** Adds the searchable fields that a document lacks as null (service specification, "Search"). `document`: the parsed `doc`. */
export function compileFill({
  fields,
}: Pick<SearchLayout, 'fields'>): (doc: string, document: JsonObject) => string {
  const members = fields.map(({ name }) => ({ name, text: `,${JSON.stringify(name)}:null` }))
  return (doc, document) => {
    let absent = ''
    for (const { name, text } of members) if (!Object.hasOwn(document, name)) absent += text
    if (absent === '') return doc
    return doc === '{}' ? `{${absent.slice(1)}}` : `${doc.slice(0, -1)}${absent}}`
  }
}

function answerOf(body: Json, parent: Json | undefined): Answer {
  return parent === undefined
    ? { status: 200, headers: {}, url: '', body }
    : { status: 200, headers: {}, url: '', body, parent }
}

function compileDocument(layout: SearchLayout): (answer: Answer) => JsonObject {
  const fields = layout.fields.map((field) => ({ name: field.name, read: compileField(field) }))
  // Plain assignment of `__proto__` would set the prototype, and is several times faster for all others.
  const isPlain = fields.every(({ name }) => name !== '__proto__')
  return (answer) => {
    const document: Record<string, Json> = {}
    for (const { name, read } of fields) {
      const value = read(answer)
      if (value === undefined) continue
      if (isPlain) document[name] = value
      else setOwn(document, name, value)
    }
    return document
  }
}

/** Members of the record keep their form. What is taken from elsewhere is written in the type that the field declares. */
function compileField(field: LayoutField): Read {
  const read = compilePath(field.from)
  if (!isRetyped(field)) return read
  return (answer) => {
    const value = read(answer)
    const isNumeric = typeof value === 'string' && isNumberText(value)
    return isNumeric && (field.type === 'number' || INTEGER_TEXT.test(value))
      ? parseJson(value)
      : value
  }
}

const INTEGER_TEXT = /^-?\d+$/

export function documentOf(doc: string): JsonObject {
  // Written by us as an object.
  return parseJson(doc, { maxDepth: 1_000 }) as JsonObject
}

/** 16 bytes, equal for rows that differ in spelling only. `document`: what `doc` says, where it is parsed already. */
export function digestOf(
  { doc, compared }: Pick<CopyRow, 'doc' | 'compared'>,
  document?: JsonObject,
): Uint8Array {
  if (typeof compared === 'object' && compared !== null) return compared
  const counted =
    compared === null ? withoutNulls(document ?? documentOf(doc)) : documentOf(compared)
  return hash('sha256', canonical(counted), 'buffer').subarray(0, 16)
}

/** Fields that are null say as much as fields that are not there. */
function withoutNulls(document: JsonObject): JsonObject {
  if (!Object.values(document).includes(null)) return document
  return Object.fromEntries(Object.entries(document).filter((entry) => entry[1] !== null))
}

/** The identity of a record as text: text as it is, an integer by its digits, several parts as a JSON array. */
function readId(
  keys: readonly { readonly path: Path; readonly read: Read }[],
  answer: Answer,
  entity: string,
): string {
  const parts: string[] = []
  for (const { path, read } of keys) {
    const part = read(answer)
    const reason = whyUnusable(part)
    if (reason !== null) throw new UnusableKeyError(entity, { path: path.source, reason })
    parts.push(scalarText(part) ?? '')
  }
  const id = recordKey(parts)
  // A single part that is as long was found above.
  if (parts.length > 1 && Buffer.byteLength(id) > MAX_ID_LENGTH)
    throw new UnusableKeyError(entity, { path: keys[0]?.path.source ?? '', reason: 'too_long' })
  return id
}

/** Null: the part of a key can be used. */
function whyUnusable(part: Json | undefined): UnusableReason | null {
  if (part === undefined) return 'missing'
  if (part === null) return 'null'
  const isNumber = typeof part === 'number' || isExactNumber(part)
  if (typeof part !== 'string' && !isNumber) return 'not_scalar'
  const text = scalarText(part) ?? ''
  if (isNumber) return isInteger(text) ? null : 'not_integer'
  if (text === '') return 'empty'
  if (storable(text) !== text) return 'not_text'
  return Buffer.byteLength(text) > MAX_ID_LENGTH ? 'too_long' : null
}

/** Of a number as it is written: whether its value is an integer. */
function isInteger(text: string): boolean {
  return INTEGER_TEXT.test(text) ? text.length <= MAX_ID_LENGTH : Number.isInteger(Number(text))
}

/** A copy of the value without what lies at the end of the steps. */
function without(value: Json, { steps: [step, ...rest] }: Pick<Path, 'steps'>): Json {
  if (step === undefined || typeof value !== 'object' || value === null) return value
  const hits = (name: string, index: number | null, length: number): boolean => {
    if (step.kind === 'all') return true
    if (step.kind === 'member') return index === null && step.name === name
    return (
      step.kind === 'index' &&
      index !== null &&
      index === (step.index < 0 ? length + step.index : step.index)
    )
  }
  if (isList(value))
    return value.flatMap((element, index) => {
      if (!hits('', index, value.length)) return [element]
      return rest.length === 0 ? [] : [without(element, { steps: rest })]
    })
  if (!isJsonObject(value)) return value
  const members: [string, Json][] = []
  for (const name of Object.keys(value)) {
    const member = value[name]
    if (member === undefined) continue
    if (!hits(name, null, 0)) members.push([name, member])
    else if (rest.length > 0) members.push([name, without(member, { steps: rest })])
  }
  return Object.fromEntries(members)
}
