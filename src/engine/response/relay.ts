// Records that are only pointed at: their bytes go on to the caller without being parsed and written again.
import { isUtf8 } from 'node:buffer'
import { namesBelow } from '../../language/expression/path-below.ts'
import type { Answer } from '../../language/expression/pick.ts'
import type { Path, Scope } from '../../language/expression/syntax.ts'
import { JsonBytes } from '../../language/json/json-bytes.ts'
import type { Json } from '../../language/json/json.ts'
import { JsonError, parseJson } from '../../language/json/parse-json.ts'
import { type JsonPlaces, scanJson } from '../../language/json/scan-json.ts'
import { gives } from '../../language/manifest/actions.ts'
import type {
  Action,
  JsonSchema,
  MetaPick,
  Paged,
  Pagination,
  ResponseRules,
} from '../../language/manifest/manifest.ts'
import { pathsOfStyle, STYLES, turnsPages } from '../../language/manifest/pagination-styles.ts'
import { compileCasts } from './cast.ts'
import { isJsonType, readContentType } from './content-type.ts'
import { pathsOfFlag } from './page-end.ts'
import { compileSurroundings, NO_SURROUNDINGS, type PageSurroundings } from './read-page.ts'

/** A successful answer, its records untouched. */
export interface Relayed {
  readonly data: JsonBytes
  /** Records of a listing that came. */
  readonly received: number
  /** The body with an empty list, or null, in the place of what `data` holds: all that the manifest looks at. */
  readonly rest: Json
}

/** The way around parsing of one action. */
export interface Relay {
  /**
   * Takes the body of a success apart; null: read it in the ordinary way, which also finds what is wrong with it.
   * Nothing that is no JSON in UTF-8 within the bounds of depth passes.
   */
  open(body: Buffer, contentType: string | undefined): Relayed | null
  /** `answer.body` is the rest. Throws like the ordinary reader. */
  read(relayed: Relayed, answer: Answer, scope: Scope): PageSurroundings
}

/**
 * Compiles the relay of an action; null where its manifest looks into the records or changes them: filters, `set`,
 * `drop`, texts that must be made of integers, tests of errors or values of paging that lie inside.
 * Source: the service's HTTP contract, "Execute".
 */
export function compileRelay(
  action: Action,
  definitions: Readonly<Record<string, JsonSchema>> = {},
): Relay | null {
  const names = relayedNames(action)
  if (names === null) return null
  const { response } = action
  const isList = response.kind === 'list'
  const casts = compileCasts(response.casts)
  if (casts.plain !== null) return null
  const path = names.map((name) => Buffer.from(name))
  const dataLevel = response.page === null ? names.length : response.page.steps.length
  const readAround = isList ? compileSurroundings(action, definitions) : null
  return {
    open(body, contentType) {
      if (!isPlainJson(body, contentType) || !isUtf8(body)) return null
      const text = withoutMark(body)
      const places = scanJson(text, path)
      if (places === null || (places.hasLongIntegers && casts.full !== null)) return null
      if (isList ? places.elements === null : !isContainer(text, places)) return null
      const rest = restOf(text, places, isList)
      if (rest === undefined) return null
      const bytes = text.subarray(places.starts[dataLevel], places.ends[dataLevel])
      return { data: new JsonBytes(bytes), received: places.elements ?? 0, rest }
    },
    read(relayed, answer, scope) {
      return readAround === null ? NO_SURROUNDINGS : readAround(answer, scope, relayed.received)
    },
  }
}

/** The names that lead to what is passed on; null: it is looked at. */
function relayedNames(action: Action): readonly string[] | null {
  const { name, steps, response, pagination, forEach } = action
  if (forEach !== undefined) return null
  const [step] = steps
  if (step === undefined || steps.length > 1 || gives(name, 'nothing')) return null
  if (step.poll !== null || step.records !== undefined) return null
  if (response.decode !== 'json' || response.kind === 'stream' || response.single) return null
  if (!hasOnly(response, RESPONSE_WORDS)) return null
  const { keep, where, set, drop, keyed, grouped, unpack } = response
  if (unpack !== undefined) return null
  if (keyed !== undefined || grouped !== undefined) return null
  if (keep !== null || where.length > 0 || set.length > 0 || drop.length > 0) return null
  const names = namesBelow(BODY, response.at)
  if (names === null) return null
  const looks: Path[] = []
  for (const { status, body } of step.errors) {
    const meetsSuccess = status.length === 0 || status.some(([from, to]) => from < 300 && to >= 200)
    if (meetsSuccess) looks.push(...body.map(({ at }) => at))
  }
  if (response.kind === 'list') {
    const read = pathsOfPagination(pagination)
    if (read === null) return null
    looks.push(...read)
  }
  return looks.some((path) => meets(path, names)) ? null : names
}

/** The paths by which a pagination reads an answer; null: it reads the whole, or in a way that is not known here. */
function pathsOfPagination(pagination: Pagination): readonly Path[] | null {
  // A compiled manifest may come from a version that knows more styles, and more of a style.
  if (!Object.hasOwn(STYLES, pagination.type)) return null
  const members: Words = STYLES[pagination.type].members
  if (!hasOnly(pagination, { ...PAGINATION_WORDS, ...members })) return null
  const meta = pathsOfMeta(pagination.meta)
  if (!turnsPages(pagination)) return meta
  // Templates see the whole body.
  if (pagination.carry.length > 0) return null
  const flags = [...pathsOfFlag(pagination.more), ...pathsOfFlag(pagination.last)]
  return [...meta, ...flags, ...pathsOfStyle(pagination)]
}

const BODY: Path = { root: 'body', steps: [], source: '$' }

type Words<Name extends string = string> = Readonly<Record<Name, 'path' | 'value' | true>>

/** What is looked at above. A word that is not listed here may read records, so there is no relay for it. */
const RESPONSE_WORDS: Words<keyof ResponseRules> = {
  decode: true,
  kind: true,
  at: true,
  page: true,
  single: true,
  keyed: true,
  grouped: true,
  missing: true,
  where: true,
  keep: true,
  set: true,
  drop: true,
  casts: true,
  types: true,
  unpack: true,
}
/** Of the members of a style its entry says which are paths. */
const PAGINATION_WORDS: Words<keyof Paged | 'type'> = {
  type: true,
  param: true,
  size: true,
  more: true,
  last: true,
  silentEnd: true,
  carry: true,
  meta: true,
  emptyMeta: true,
}

function hasOnly(block: object, words: Words): boolean {
  return Object.keys(block).every((name) => Object.hasOwn(words, name))
}

function pathsOfMeta(picks: readonly MetaPick[]): readonly Path[] {
  return picks.flatMap(({ value }) => {
    if (value.kind === 'constant') return []
    return value.kind === 'path' ? [value.at] : pathsOfMeta(value.members)
  })
}

/** Whether a path may lead into the value under these names, or to something that holds it. */
function meets({ root, steps }: Path, names: readonly string[]): boolean {
  if (root !== 'body') return false
  for (const [index, name] of names.entries()) {
    const step = steps[index]
    if (step?.kind === 'member' && step.name !== name) return false
  }
  return true
}

function isPlainJson(body: Buffer, contentType: string | undefined): boolean {
  if (body.length === 0) return false
  const announced = readContentType(contentType)
  if (announced === null) return true
  const { type, charset } = announced
  return isJsonType(type) && (charset === null || charset === 'utf-8')
}

function withoutMark(body: Buffer): Buffer {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body
}

/** A record, or a list where one is expected; scalars and null are left to the ordinary reader. */
function isContainer(text: Buffer, { starts }: JsonPlaces): boolean {
  const first = text[starts.at(-1) ?? 0]
  return first === 0x7b || first === 0x5b
}

const EMPTY_LIST = Buffer.from('[]')
const NO_RECORD = Buffer.from('null')

function restOf(text: Buffer, { starts, ends }: JsonPlaces, isList: boolean): Json | undefined {
  const hole = isList ? EMPTY_LIST : NO_RECORD
  if (starts.length === 1) return isList ? [] : null
  const around = [text.subarray(0, starts.at(-1)), hole, text.subarray(ends.at(-1))]
  try {
    return parseJson(Buffer.concat(around).toString())
  } catch (error) {
    if (error instanceof JsonError) return undefined
    throw error
  }
}
