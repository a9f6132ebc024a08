// From a record to what the copy keeps of it: the document, its digest, keys, folded texts and words. Pure.
import { createHash } from 'node:crypto'

import { ConnectorError } from '../errors.ts'
import { compilePath } from '../expression/pick.ts'
import type { Path, PathStep } from '../expression/syntax.ts'
import { isExactNumber } from '../json/exact-number.ts'
import type { Json, JsonObject } from '../json/json.ts'
import { isJsonObject } from '../json/members.ts'
import { canonical } from './canonical.ts'
import { scalarKey } from './key.ts'
import { isScalarType, type Lift, pathBit, type SearchLayout, SLOTS } from './layout.ts'
import { termsOf } from './terms.ts'
import { fold, storable } from './text.ts'
import { fieldValue, reachedValues, readScalar, scalarText } from './values.ts'

/** A record as the copy keeps it. Plain data: it crosses threads as it is. */
export interface CopyRow {
  readonly recordId: string
  /** Id of the parent's record, for entities read per parent. */
  readonly parentId: string | null
  /** JSON text of exactly what `hits[].data` returns. */
  readonly doc: string
  /** 16 bytes, equal for records that differ in spelling only. */
  readonly docHash: Uint8Array
  /** Keys of the lifted values by slot, eight places. */
  readonly slots: readonly (string | null)[]
  /** JSON object: number of the lift → key, for lifts without a slot. */
  readonly lift: string | null
  /** JSON object: number of the lift → folded text, where that is not the key. */
  readonly folded: string | null
  /** The folded texts that are indexed by their parts. */
  readonly sub: string | null
  /** Field number (two base-36 digits) and word, distinct. */
  readonly terms: readonly string[]
  /** Bits of lifted dotted paths at which this record has more than one scalar: their keys do not tell all. */
  readonly mixed: number
}

export interface RowMakerOptions {
  readonly layout: SearchLayout
  /** Where the identity of a record lies; several places make one text. */
  readonly primaryKey: readonly Path[]
  /** Places of the record that do not count as a change. */
  readonly ignore?: readonly Path[]
}

/** Makes rows of records. `parent` is the record of the parent entity and its id, for entities read per parent. */
export type RowMaker = (
  record: Json,
  parent?: { readonly id: string; readonly record: Json },
) => CopyRow

/** Ids longer than this many bytes are refused. */
const LONGEST_ID = 1_000

/**
 * Compiles the way from a record to a row. Throws `upstream_malformed` for a record whose primary key is absent, null,
 * empty, no scalar, or longer than 1,000 bytes.
 */
export function createRowMaker({ layout, primaryKey, ignore = [] }: RowMakerOptions): RowMaker {
  const readKeys = primaryKey.map(compilePath)
  const readFields = layout.fields.map((field) => compilePath(field.from))
  const readDocument = (body: Json, parent: Json | undefined): JsonObject => {
    const members: [string, Json][] = []
    for (const [index, field] of layout.fields.entries()) {
      const value = readFields[index]?.({
        ...NO_ANSWER,
        body,
        ...(parent === undefined ? {} : { parent }),
      })
      if (value !== undefined) members.push([field.name, value])
    }
    return Object.fromEntries(members)
  }
  return (record, parent) => {
    const answer = {
      ...NO_ANSWER,
      body: record,
      ...(parent === undefined ? {} : { parent: parent.record }),
    }
    const recordId = readId(
      readKeys.map((read) => read(answer)),
      layout.entity,
    )
    const document = readDocument(record, parent?.record)
    const compared =
      ignore.length === 0 ? document : readDocument(withoutPaths(record, ignore), parent?.record)
    return {
      ...copyOf(layout, document),
      recordId,
      parentId: parent?.id ?? null,
      doc: JSON.stringify(document),
      docHash: createHash('sha256').update(canonical(compared)).digest().subarray(0, 16),
    }
  }
}

const NO_ANSWER = { status: 200, headers: {}, url: '' }

/**
 * The row of a document that was stored before, under another layout of the same fields: for a new tokeniser. The digest
 * is kept, because what it leaves out is not in the document.
 */
export function rowOfDocument(
  layout: SearchLayout,
  stored: Pick<CopyRow, 'recordId' | 'parentId' | 'doc' | 'docHash'>,
  document: JsonObject,
): CopyRow {
  const { recordId, parentId, doc, docHash } = stored
  return { ...copyOf(layout, document), recordId, parentId, doc, docHash }
}

/** The identity of a record as text: text as it is, an integer by its digits, several parts as a JSON array. */
function readId(parts: readonly (Json | undefined)[], entity: string): string {
  const texts = parts.map((part) => {
    const isText = typeof part === 'string' || typeof part === 'number' || isExactNumber(part)
    const text = isText ? scalarText(part) : null
    return text === '' ? null : text
  })
  const [only] = texts
  const id = texts.length === 1 ? only : JSON.stringify(texts)
  if (texts.includes(null) || id === null || id === undefined)
    throw malformed(entity, 'a record has no primary key, or one that is no text and no number')
  if (storable(id) !== id || Buffer.byteLength(id) > LONGEST_ID)
    throw malformed(
      entity,
      `the primary key of a record is not text of at most ${LONGEST_ID} bytes`,
    )
  return id
}

function malformed(entity: string, message: string): ConnectorError {
  return new ConnectorError('upstream_malformed', `${entity}: ${message}`, { details: { entity } })
}

type Copied = Pick<CopyRow, 'slots' | 'lift' | 'folded' | 'sub' | 'terms' | 'mixed'>

function copyOf(layout: SearchLayout, document: JsonObject): Copied {
  const slots: (string | null)[] = Array.from({ length: SLOTS }, () => null)
  const lift: Record<string, string> = {}
  const folded: Record<string, string> = {}
  const parts: string[] = []
  let mixed = 0
  for (const [number, at] of layout.lifts.entries()) {
    const value = readLift(layout, at, document)
    if (value === 'mixed') mixed |= 1 << pathBit(layout, at)
    if (value === null || value === 'mixed') continue
    if (at.slot === null) lift[number] = value.key
    else slots[at.slot - 1] = value.key
    if (value.text === null) continue
    if (value.text !== value.plainKey) folded[number] = value.text
    if (at.substring) parts.push(value.text)
  }
  const terms: string[] = []
  for (const [field, found] of termsOf(layout, document)) {
    const prefix = fieldPrefix(field)
    for (const word of found) terms.push(prefix + word)
  }
  return {
    slots,
    lift: jsonOrNull(lift),
    folded: jsonOrNull(folded),
    sub: parts.length === 0 ? null : parts.join('\n'),
    terms,
    mixed,
  }
}

/** The two characters that keep the words of one field apart from those of others. */
export function fieldPrefix(field: number): string {
  return field.toString(36).padStart(2, '0')
}

function jsonOrNull(object: Readonly<Record<string, string>>): string | null {
  return Object.keys(object).length === 0 ? null : JSON.stringify(object)
}

interface LiftedValue {
  /** As stored. */
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
  layout: SearchLayout,
  lift: Lift,
  document: JsonObject,
): LiftedValue | null | 'mixed' {
  const field = layout.fields[lift.field]
  if (field === undefined) return null
  const value = fieldValue(document, field)
  if (lift.path.length === 0 && isScalarType(field.type)) {
    const scalar = readScalar(field.type, value)
    if (scalar === null) return null
    const text = field.type === 'string' ? scalarText(value) : null
    return { key: scalar.key, plainKey: scalar.key, text: text === null ? null : fold(text) }
  }
  const reached = reachedValues(value, lift.path)
  const [only] = reached
  if (only === undefined || (reached.length === 1 && only === null)) return null
  const scalar = scalarKey(only)
  if (reached.length > 1 || scalar === null) return 'mixed'
  const text = typeof only === 'string' ? fold(only) : null
  return { key: KIND_LETTERS[scalar.kind] + scalar.key, plainKey: scalar.key, text }
}

/** A copy of the record without what lies at the paths. */
function withoutPaths(record: Json, paths: readonly Path[]): Json {
  return paths.reduce((value, path) => without(value, path.steps), record)
}

function without(value: Json, [step, ...rest]: readonly PathStep[]): Json {
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
      return rest.length === 0 ? [] : [without(element, rest)]
    })
  if (!isJsonObject(value)) return value
  const members: [string, Json][] = []
  for (const name of Object.keys(value)) {
    const member = value[name]
    if (member === undefined) continue
    if (!hits(name, null, 0)) members.push([name, member])
    else if (rest.length > 0) members.push([name, without(member, rest)])
  }
  return Object.fromEntries(members)
}

/** Array.isArray does not narrow readonly arrays out of a union. */
function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
