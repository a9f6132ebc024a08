// An answer → a page: records picked, cast, filtered and shaped, and where the next page starts.
import { compilePath, type Answer } from '../../language/expression/pick.ts'
import { namesBelow } from '../../language/expression/path-below.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import { manifestDefect } from '../../language/expression/value-error.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject, ownAt, withMember } from '../../language/json/members.ts'
import { isKnownPlain } from '../../language/json/parse-json.ts'
import { gives } from '../../language/manifest/actions.ts'
import type {
  Action,
  JsonSchema,
  MetaPick,
  ResponseRules,
} from '../../language/manifest/manifest.ts'
import { isCounting, STYLES, turnsPages } from '../../language/manifest/pagination-styles.ts'
import { castElements, compileCasts } from './cast.ts'
import { compileFilter } from './filter-records.ts'
import {
  compileMalformed,
  type Malformed,
  readOrMalformed,
  withResponse,
} from './malformed-answer.ts'
import { compileNextPage } from './next-page.ts'
import type { Page } from './page.ts'
import { describeEnd } from './describe-end.ts'
import { recordListOf } from './record-list.ts'
import { compileShape } from './shape-record.ts'
import { compileTypes } from './type-texts.ts'
import { compileUnmatched } from './unmatched.ts'
import { nodeCrypto } from '../../late-modules.ts'
import { textOf } from './plain-text.ts'

/** Reads a successful answer. `scope.params` are the parameters just used. Changes nothing, shares what it can. */
export type ReadPage = (answer: Answer, scope: Scope) => Page

/**
 * Compiles the reader of an action's answers. `definitions` are those of the manifest.
 *
 * In this order: count the records received (pagination uses this number), find the next page, cast, `where` and
 * `keep`, `set`, `drop`. Of other actions than listings the data is the record, null for delete, for an empty body
 * and for a bare null. In a listing an empty body is a missing record list.
 * Throws `upstream_malformed` when what should be there is not, or repeats the page before; a write was applied then.
 * Source: docs/manifest-language.md, "Answers" and "Pagination".
 */
export function compileReader(
  action: Action,
  definitions: Readonly<Record<string, JsonSchema>> = {},
): ReadPage {
  if (gives(action.name, 'nothing', 'stream')) return () => NOTHING
  return action.response.kind === 'list'
    ? compileListReader(action, definitions)
    : compileRecordReader(action)
}

/**
 * Compiles the page of a listing whose answer an error rule called empty. `meta` is what the manifest says about
 * that case, else its usual names without values.
 */
export function compileEmptyReader(action: Action): ReadPage {
  const { pagination, response } = action
  const readMeta = compileMeta(
    pagination.emptyMeta.length > 0 ? pagination.emptyMeta : pagination.meta,
  )
  const putRecords = compilePage(action)
  const data = response.page === null ? [] : putRecords({}, [])
  return (answer, scope) => ({
    ...NOTHING,
    data,
    records: [],
    meta: readMeta({ ...answer, next: null, body: undefined }, scope),
  })
}

/** A page without its records. */
export type PageSurroundings = Pick<
  Page,
  'meta' | 'next' | 'hasMore' | 'link' | 'filteredOut' | 'unsaidEnd'
>

/** What no page follows, and about which nothing is said. */
export const NO_SURROUNDINGS: PageSurroundings = {
  meta: {},
  next: null,
  hasMore: false,
  link: null,
  filteredOut: null,
  unsaidEnd: null,
}

const NOTHING: Page = {
  ...NO_SURROUNDINGS,
  data: null,
  records: null,
  received: 0,
  mark: () => null,
  plain: true,
}

function compileRecordReader(action: Action): ReadPage {
  const { response } = action
  const malformed = compileMalformed(action)
  const pick = compilePath(response.at)
  const isWholeBody = response.at.root === 'body' && response.at.steps.length === 0
  const types = compileTypes(response.types)
  const casts = compileCasts(response.casts)
  const shape = compileShape(response)
  return (answer, scope) => {
    if (answer.body === undefined) return NOTHING
    const found = pick(answer, scope) ?? null
    if (found === null) {
      if (isWholeBody || response.missing === 'empty') return NOTHING
      throw malformed(`holds nothing at ${response.at.source}`)
    }
    const plain = isKnownPlain(answer.body)
    const cast = plain ? casts.plain : casts.full
    const read = types === null ? found : types(found)
    const record = cast === null ? read : cast(read)
    if (shape === null) return { ...NOTHING, data: record, plain }
    const inside = withResponse(scope, answer)
    return {
      ...NOTHING,
      data: readOrMalformed(malformed, () => shape(record, inside)),
      plain: false,
    }
  }
}

function compileListReader(
  action: Action,
  definitions: Readonly<Record<string, JsonSchema>>,
): ReadPage {
  const { response, pagination } = action
  const malformed = compileMalformed(action)
  const pickRecords = compileRecords(action, malformed)
  const findSurroundings = compileSurroundings(action, definitions)
  const processRecords = compileProcess(action, malformed)
  const pickPage = response.page === null ? null : compilePath(response.page)
  const putRecords = compilePage(action)
  const marksRecords = isCounting(STYLES[pagination.type])
  let findUnmatched: ReturnType<typeof compileUnmatched> | undefined

  return (answer, scope) => {
    const received = pickRecords(answer, scope)
    const { cursor, ...around } = findSurroundings(answer, scope, received.length)
    const plain = isKnownPlain(answer.body ?? null)
    const { records, filteredOut } = processRecords(received, answer, scope, plain)
    return {
      ...around,
      data: pickPage === null ? records : putRecords(pickPage(answer, scope) ?? {}, records),
      records,
      received: received.length,
      filteredOut,
      plain: plain && response.set.length === 0,
      unmatched: () =>
        (findUnmatched ??= compileUnmatched(action))(answer, scope, isLastPage(around)),
      // Only runs over many pages compare them; hashing would cost more than all the rest.
      mark: () => {
        if (marksRecords) return markOfRecords(received)
        return around.hasMore ? markOfCursor(cursor) : null
      },
    }
  }
}

/** Whether the page is the last one beyond doubt. */
function isLastPage({ hasMore, unsaidEnd: end, meta }: PageSurroundings): boolean {
  if (hasMore) return false
  return end == null || describeEnd('', end, meta) === null
}

/**
 * Compiles what a page of a listing says next to its records, of an answer that may lack them. `received` is how many
 * there were.
 */
export function compileSurroundings(
  action: Action,
  definitions: Readonly<Record<string, JsonSchema>>,
): (
  answer: Answer,
  scope: Scope,
  received: number,
) => PageSurroundings & { readonly cursor: Json } {
  const { pagination } = action
  const findNext = compileNextPage(action, definitions)
  const readMeta = compileMeta(pagination.meta)
  const metaSeesNext = turnsPages(pagination) && pagination.meta.length > 0
  return (answer, scope, received) => {
    const { next, unsaid } = findNext(answer, scope, received)
    const cursor = next?.value ?? null
    return {
      meta: readMeta(metaSeesNext ? { ...answer, next: cursor } : answer, scope),
      next: next?.patch ?? null,
      hasMore: next !== null,
      link: next?.link ?? null,
      filteredOut: null,
      unsaidEnd: unsaid,
      cursor,
    }
  }
}

/**
 * Compiles picks. What a path does not find, or finds null, is null, and left out where it is optional; an object
 * is always there.
 */
function compileMeta(picks: readonly MetaPick[]): (answer: Answer, scope: Scope) => JsonObject {
  if (picks.length === 0) return () => NO_META
  const members = picks.map(({ name, optional, value }) => ({
    name,
    optional,
    read: compileValue(value),
  }))
  return (answer, scope) => {
    const meta: Record<string, Json> = {}
    for (const { name, optional, read } of members) {
      const value = read(answer, scope) ?? null
      if (value !== null || !optional) meta[name] = value
    }
    return meta
  }
}

const NO_META: JsonObject = Object.freeze({})

function compileValue(
  value: MetaPick['value'],
): (answer: Answer, scope: Scope) => Json | undefined {
  switch (value.kind) {
    case 'path':
      return compilePath(value.at)
    case 'constant':
      return () => value.value
    case 'object':
      return compileMeta(value.members)
  }
}

function compileRecords(
  { response }: Action,
  malformed: Malformed,
): (answer: Answer, scope: Scope) => readonly Json[] {
  const { at, missing } = response
  const pick = compilePath(at)
  const isEmpty = compileEmptyElement(response)
  const list = recordListOf(response)
  return (answer, scope) => {
    const found = pick(answer, scope) ?? null
    if (found === null) {
      if (missing === 'empty' || isEmpty(answer, scope)) return []
      throw malformed(`holds no ${list.what} at ${at.source}`)
    }
    const records = list.read(found)
    if (records !== null) return records
    const article = list.what === 'list' ? 'a' : 'an'
    throw malformed(`holds something else than ${article} ${list.what} at ${at.source}`)
  }
}

/** XML has no empty list: the element around the records is there, and none of theirs. */
function compileEmptyElement({
  decode,
  at,
}: ResponseRules): (answer: Answer, scope: Scope) => boolean {
  if (decode !== 'xml' || at.steps.length < 2) return () => false
  const pick = compilePath({ ...at, steps: at.steps.slice(0, -1) })
  return (answer, scope) => pick(answer, scope) !== undefined
}

type Processed = Pick<Page, 'filteredOut'> & { readonly records: readonly Json[] }

/** Cast, filter, shape. Without any of them the list itself comes back. */
function compileProcess(
  { response }: Action,
  malformed: Malformed,
): (received: readonly Json[], answer: Answer, scope: Scope, plain: boolean) => Processed {
  const types = compileTypes(response.types)
  const casts = compileCasts(response.casts)
  const filterOf = compileFilter(response)
  const shape = compileShape(response)
  return (received, answer, scope, plain) => {
    const cast = plain ? casts.plain : casts.full
    const read = types === null ? received : received.map(types)
    const typed = cast === null ? read : castElements(read, cast)
    const keeps = filterOf(scope)
    if (keeps === null && shape === null) return { records: typed, filteredOut: null }
    return readOrMalformed(malformed, () => {
      const kept = keeps === null ? typed : typed.filter(keeps)
      const filteredOut = keeps === null ? null : typed.length - kept.length
      if (shape === null) return { records: kept, filteredOut }
      const inside = withResponse(scope, answer)
      return { records: kept.map((record) => shape(record, inside)), filteredOut }
    })
  }
}

/** What an answer delivers with other records in the place of its own; of an action that lists nothing the first one. */
export function dataWith(
  action: Action,
  { page, data }: { readonly page: Pick<Page, 'records'>; readonly data: Json },
  records: readonly Json[],
): Json {
  if (page.records === null) return records[0] ?? null
  return page.records === data ? records : compilePage(action)(data, records)
}

/** Puts records into a page object at their place; the object comes back as itself when they are there already. */
type PutRecords = (page: Json, records: readonly Json[]) => Json

/**
 * Compiles the way from a page object to its records. `page` has to be a beginning of `at`, and what follows names
 * members only: else `internal_error`, for such records cannot be put back.
 */
function compilePage({ response: { page, at } }: Action): PutRecords {
  const names = page === null ? [] : namesBelow(page, at)
  if (names === null)
    throw manifestDefect(`the records at ${at.source} are not a member of ${page?.source ?? ''}`)
  if (names.length === 0) return (_page, records) => records
  return (value, records) =>
    ownAt(value, names) === records
      ? value
      : withMember(isJsonObject(value) ? value : {}, names, records)
}

/** The mark of a page that has a next one: 22 characters, which do not tell the cursor. */
function markOfCursor(next: Json): string {
  return digest(textOf(next) ?? '')
}

/** The mark of a page that is found by counting: its first and last record as they came; null for an empty page. */
function markOfRecords(records: readonly Json[]): string | null {
  return records.length === 0 ? null : digest(JSON.stringify([records[0], records.at(-1)]))
}

/** 128 bits are enough to tell a hundred thousand pages apart. */
function digest(text: string): string {
  return nodeCrypto().hash('sha256', text, 'base64url').slice(0, 22)
}
