// Listings and single records.
import type { Json } from '../../language/json/json.ts'
import { own } from '../../language/json/own.ts'
import { pagingOf } from '../../language/manifest/pagination-styles.ts'
import { applyQuery } from '../data/apply-query.ts'
import { filterRows, sortRows } from '../data/narrow.ts'
import type { Making, Row } from '../data/world.ts'
import { VendorRefusal } from '../wire/refusal.ts'
import { scalarText } from '../wire/same-scalar.ts'
import { propertiesOf, schemaAt } from '../wire/schema-places.ts'
import { valueAnswer } from '../wire/wire-answer.ts'
import type { WireAnswer } from '../wire/wire-answer.ts'
import { writePath } from '../wire/write-path.ts'
import type { Draft } from '../wire/write-path.ts'
import { choose, findParent, findTarget, makingOf, refuse, showRow, withEnvelope } from './doing.ts'
import type { Doing } from './doing.ts'
import { writeFileLink } from './file-link.ts'
import { cutPage, CursorRefused, LINK_PARAMETER, listingKey } from './page.ts'
import type { Page } from './page.ts'
import { requestFilters } from './request-filters.ts'
import { writePage, writePageObject } from './write-page.ts'

const DEFAULT_PAGE_SIZE = 20
const DEFAULT_PAGE_MAX = 100

/** A page of the rows that the request asks for. */
export function answerList(doing: Doing): WireAnswer {
  refuse(doing, null)
  const parent = findParent(doing, 'listing')
  const { world, rules, understood } = doing
  const { action, step } = understood.route
  const making = makingOf(doing)
  const listing = `${step.name} ${listingKey(action, understood.params)}`
  const found = doing.listings.rows(listing, world.version, () => findRows(doing, parent, making))
  refuseEmpty(doing, found.length)
  const page = pageOf(doing, found)
  const records = page.rows.map((row) => choose(doing, row, world.show(row, making)))
  const draft: Draft = { body: undefined, headers: {} }
  writeRecords(draft, doing, records)
  writeFileLinks(draft, doing)
  const unsaid = [...doing.demo.page.unsaid, ...rules.page.unsaid]
  const resultNames = propertiesOf(action.result).map(([name]) => name)
  writePageObject(draft, action, resultNames, page, unsaid)
  writePage(draft, action.pagination, page, unsaid)
  const body = withEnvelope(doing, draft.body, { ...making, page })
  return valueAnswer(rules.status ?? 200, body, {
    decode: action.response.decode,
    headers: draft.headers,
  })
}

/** The rows that pass the filters and the query of the request, in its order. */
function findRows(doing: Doing, parent: Row | null, making: Making): readonly Row[] {
  const { world, set, rules, understood } = doing
  if (set === null) return []
  const { entity } = understood.route
  const all = (parent === null ? world.rows(set) : world.below(set, parent)).map((row) => ({
    row,
    seen: { ...row.columns, ...world.show(row, making) },
  }))
  const members = propertiesOf(entity.record).map(([name]) => name)
  const ownId = entity.name.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('_', '')
  const filters = rules.filters ?? requestFilters(understood, members, ownId)
  const filtered = applyQuery(filterRows(all, filters, making), rules.query, making)
  return sortRows(filtered, rules.sort, making).map(({ row }) => row)
}

/** One record. */
export function answerGet(doing: Doing): WireAnswer {
  const row = findTarget(doing)
  refuse(doing, row)
  const making = makingOf(doing, row)
  if (doing.rules.answer !== null) {
    return valueAnswer(doing.rules.status ?? 200, doing.rules.answer(making))
  }
  return recordAnswer(doing, doing.rules.status ?? 200, showRow(doing, row))
}

/** An answer with one record where the manifest looks for it. */
export function recordAnswer(doing: Doing, status: number, record: Json): WireAnswer {
  const { response } = doing.understood.route.action
  const draft: Draft = { body: undefined, headers: {} }
  if (!writePath(draft, response.at, record)) draft.body = record
  const body = withEnvelope(doing, draft.body, makingOf(doing))
  return valueAnswer(status, body, { decode: response.decode, headers: draft.headers })
}

function writeRecords(draft: Draft, doing: Doing, records: readonly Json[]): void {
  const { action, step } = doing.understood.route
  const { single, at } = action.response
  if (!single) writePath(draft, step.records ?? at, records)
  else if (records[0] !== undefined) writePath(draft, step.records ?? at, records[0])
}

/** Without demo data, the records of a listing have the files that other actions look for in it. */
function writeFileLinks(draft: Draft, doing: Doing): void {
  if (doing.demo.sets.some(({ name }) => name === doing.set)) return
  for (const action of doing.downloads) writeFileLink(draft, doing, action)
}

/** Some vendors say "not found" when a filter matches nothing. */
function refuseEmpty(doing: Doing, found: number): void {
  const text = doing.rules.empty ?? doing.demo.empty
  if (found > 0 || text === null) return
  const message = text.message?.(makingOf(doing))
  throw new VendorRefusal('not_found', scalarText(message) ?? 'Nothing found', {
    status: text.status ?? 404,
    isWorded: true,
  })
}

function pageOf<T>(doing: Doing, rows: readonly T[]): Page<T> {
  const { demo, rules, request, understood } = doing
  const { action } = understood.route
  const size = pagingOf(action.pagination)?.size ?? null
  const schema =
    size === null ? null : schemaAt(action.params.schema, size, doing.manifest.definitions)
  const maximum = own(schema, 'maximum')
  const max =
    rules.page.max ?? demo.page.max ?? (typeof maximum === 'number' ? maximum : DEFAULT_PAGE_MAX)
  const sizes = { size: rules.page.size ?? demo.page.size ?? DEFAULT_PAGE_SIZE, max }
  const link = request.query.find(([name]) => name === LINK_PARAMETER)?.[1]
  try {
    const page = cutPage(rows, action, understood.params, sizes, link)
    return { ...page, nextUrl: nextUrl(doing, page.next) }
  } catch (error) {
    if (error instanceof CursorRefused) throw new VendorRefusal('cursor', error.message)
    throw error
  }
}

/** The request's own address with the moving parameter moved on. */
function nextUrl(doing: Doing, next: string | number | null): string | null {
  if (next === null) return null
  const paging = pagingOf(doing.understood.route.action.pagination)
  const url = new URL(doing.request.target, doing.origin())
  const name = paging === null || paging.by === 'address' ? undefined : paging.param.at(-1)
  url.searchParams.set(name ?? LINK_PARAMETER, String(next))
  return url.href
}
