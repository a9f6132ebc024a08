// Listings and single records.
import type { Json } from '../../language/json/json.ts'
import { isJsonObject, isList, ownAt } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import type { Action } from '../../language/manifest/manifest.ts'
import { memberOfLast, pagingOf } from '../../language/manifest/pagination-styles.ts'
import { applyQuery } from '../data/apply-query.ts'
import { singular } from '../data/default-sets.ts'
import { filterRows, sortRows } from '../data/narrow.ts'
import type { Filter } from '../data/demo-types.ts'
import type { Context, Row } from '../data/world.ts'
import { VendorRefusal } from '../wire/refusal.ts'
import { scalarText } from '../wire/same-scalar.ts'
import { propertiesOf, schemaAt } from '../wire/schema-places.ts'
import type { Understood } from '../wire/understand.ts'
import { valueAnswer, type WireAnswer } from '../wire/wire-answer.ts'
import { type Draft, writePath } from '../wire/write-path.ts'
import {
  type Call,
  choose,
  contextOf,
  findParent,
  findTarget,
  refuse,
  showRow,
  withEnvelope,
} from './vendor-call.ts'
import { writeFileLink } from './files-and-jobs.ts'
import { CursorRefused, cutPage, LINK_PARAMETER, listingKey, type Page } from './page.ts'
import { writePage, writePageObject } from './write-page.ts'

const DEFAULT_PAGE_SIZE = 20
const DEFAULT_PAGE_MAX = 100

export function answerList(call: Call): WireAnswer {
  refuse(call, null)
  const parent = findParent(call, 'listing')
  const { world, rules, understood } = call
  const { action, step } = understood.route
  const context = contextOf(call)
  const listing = `${step.name} ${listingKey(action, understood.params)}`
  const found = call.listings.rows(listing, world.version, () => findRows(call, parent, context))
  refuseEmpty(call, found.length)
  const page = pageOf(call, found)
  const records = page.rows.map((row) => choose(call, row, world.show(row, context)))
  const draft: Draft = { body: undefined, headers: {} }
  writeRecords(draft, call, records)
  writeFileLinks(draft, call, page.rows[0] ?? null)
  const unsaid = [...call.demo.page.unsaid, ...rules.page.unsaid]
  const resultNames = propertiesOf(action.result).map(([name]) => name)
  writePageObject(draft, action, resultNames, { page, unsaid })
  writePage(draft, action.pagination, page, unsaid)
  const body = withEnvelope(call, draft.body, { ...context, page })
  return valueAnswer(rules.status ?? 200, body, draft.headers, action.response)
}

function findRows(call: Call, parent: Row | null, context: Context): readonly Row[] {
  const { world, set, rules, understood } = call
  if (set === null) return []
  const { entity } = understood.route
  const all = (parent === null ? world.rows(set) : world.below(set, parent)).map((row) => ({
    row,
    seen: { ...row.columns, ...world.show(row, context) },
  }))
  const members = propertiesOf(entity.record).map(([name]) => name)
  const ownId = singular(entity.name).replaceAll('_', '')
  const filters = rules.filters ?? requestFilters(understood, members, ownId)
  const filtered = applyQuery(filterRows(all, filters, context), rules.query, context)
  return sortRows(filtered, rules.sort, context).map(({ row }) => row)
}

/** Names that shape an answer rather than choose records. */
const OTHER_USES =
  /^(fields|expand|include|select|properties|order|order_?by|sort|sort_?by|direction|query|q|search|jql|limit|offset|page|per_?page|size|cursor|after|before|start_?at|max_?results)$/i

/** Without demo data: one filter per parameter (of query or body) that has the name of a member, or its plural: `callIds` and `callId`. */
function requestFilters(
  understood: Understood,
  members: readonly string[],
  ownId: string,
): readonly Filter[] {
  const { action } = understood.route
  return understood.readings.flatMap(({ root, path, exact, from, value }) => {
    const name = path.at(-1) ?? ''
    const member = memberFor(name, members, ownId)
    const isFilter = root === 'params' && exact && (from === 'query' || from === 'body')
    if (!isFilter || member === undefined || isPaging(action, path) || OTHER_USES.test(name))
      return []
    if (!isPlain(value)) return []
    const at = [(fields: { readonly [name: string]: Json }) => fields[member]]
    return [{ at, value: () => value, test: 'is', ignore_case: false }]
  })
}

function memberFor(name: string, members: readonly string[], ownId: string): string | undefined {
  const single = singular(name)
  const isOwnId = [`${ownId}id`, 'id', 'ids', `${ownId}ids`].includes(
    name.replaceAll('_', '').toLowerCase(),
  )
  return (
    members.find((member) => member === name) ??
    members.find((member) => member === single) ??
    (isOwnId ? members.find((member) => member === 'id') : undefined)
  )
}

function isPaging(action: Action, path: readonly string[]): boolean {
  const paging = pagingOf(action.pagination)
  return [paging?.param, paging?.size].some((other) => other?.join('.') === path.join('.'))
}

function isPlain(value: Json): boolean {
  const isBelow = (item: Json): boolean => typeof item === 'object' && item !== null
  return value !== null && ![value].flat().some(isBelow)
}

export function answerGet(call: Call): WireAnswer {
  const row = findTarget(call)
  refuse(call, row)
  const context = contextOf(call, row)
  if (call.rules.answer !== undefined) {
    return valueAnswer(call.rules.status ?? 200, call.rules.answer(context))
  }
  return recordAnswer(call, call.rules.status ?? 200, showRow(call, row))
}

/** An answer with one record where the manifest looks for it. */
export function recordAnswer(call: Call, status: number, record: Json): WireAnswer {
  const { response } = call.understood.route.action
  const draft: Draft = { body: undefined, headers: {} }
  if (!writePath(draft, response.at, record)) draft.body = record
  const body = withEnvelope(call, draft.body, contextOf(call))
  return valueAnswer(status, body, draft.headers, response)
}

function writeRecords(draft: Draft, call: Call, records: readonly Json[]): void {
  const { action, step } = call.understood.route
  const { single, keyed, grouped, at } = action.response
  const place = step.records ?? at
  const bare = bareMember(action.response)
  if (bare !== undefined) {
    writePath(draft, place, valuesOf(records, bare))
    return
  }
  if (single) {
    if (records[0] !== undefined) writePath(draft, place, records[0])
    return
  }
  const name = keyed ?? grouped
  const written = name === undefined ? records : byName(records, name, keyed !== undefined)
  writePath(draft, place, written)
}

/** The member that a client makes of a record that is no object: `set: { id: "{{ record }}" }`. */
function bareMember({ set }: Action['response']): string | undefined {
  const entry = set.find(([, value]) => {
    if (value.kind !== 'value' || value.expression.kind !== 'path') return false
    const { root, path } = value.expression
    return root === 'record' && path.length === 0
  })
  return entry?.[0]
}

function valuesOf(records: readonly Json[], name: string): Json {
  return records.flatMap((record) => own(record, name) ?? [])
}

/** The records below the values of their member `name`, without it: one by one, or in lists. */
function byName(records: readonly Json[], name: string, isOne: boolean): Json {
  const members = new Map<string, Json>()
  for (const [index, record] of records.entries()) {
    const key = scalarText(own(record, name)) ?? String(index)
    const rest = isJsonObject(record)
      ? Object.fromEntries(Object.entries(record).filter(([member]) => member !== name))
      : record
    const group = members.get(key)
    members.set(key, isOne ? rest : [...(isList(group) ? group : []), rest])
  }
  return Object.fromEntries(members)
}

/** Without demo data, the records of a listing have the files that other actions look for in it. */
function writeFileLinks(draft: Draft, call: Call, row: Row | null): void {
  if (call.set !== null && call.demo.sets.has(call.set)) return
  for (const action of call.downloads) writeFileLink(draft, call, { action, row })
}

/** Some vendors say "not found" when a filter matches nothing. */
function refuseEmpty(call: Call, found: number): void {
  const text = call.rules.empty ?? call.demo.empty
  if (found > 0 || text === undefined) return
  const message = text.message?.(contextOf(call))
  throw new VendorRefusal('not_found', scalarText(message) ?? 'Nothing found', {
    status: text.status ?? 404,
    isWorded: true,
  })
}

function pageOf(call: Call, rows: readonly Row[]): Page<Row> {
  const { demo, rules, request, understood } = call
  const { action } = understood.route
  const paging = pagingOf(action.pagination)
  const sizeAt = paging?.size ?? null
  const schema =
    sizeAt === null ? null : schemaAt(action.params.schema, sizeAt, call.manifest.definitions)
  const maximum = own(schema, 'maximum')
  const max =
    rules.page.max ?? demo.page.max ?? (typeof maximum === 'number' ? maximum : DEFAULT_PAGE_MAX)
  const link = request.query.find(([name]) => name === LINK_PARAMETER)?.[1]
  const member = paging?.by === 'token' ? memberOfLast(paging.next, action.response.at) : null
  const cursorOf = member === null ? null : ({ fields }: Row) => cursorIn(ownAt(fields, member))
  const size = rules.page.size ?? demo.page.size ?? DEFAULT_PAGE_SIZE
  const sizes = { size, max, link, cursorOf, isFed: isFedByRecords(call, action) }
  try {
    const page = cutPage(rows, action, understood.params, sizes)
    return { ...page, nextUrl: nextUrl(call, page.next) }
  } catch (error) {
    if (error instanceof CursorRefused) throw new VendorRefusal('cursor', error.message)
    throw error
  }
}

/** Whether the records of another listing say where this one goes on. */
function isFedByRecords({ manifest }: Call, { entity, name, pagination }: Action): boolean {
  const param = pagingOf(pagination)?.param[0]
  return manifest.entities
    .flatMap(({ actions }) => actions)
    .some(({ forEach }) => {
      if (forEach === undefined || forEach.action !== `${entity}.${name}`) return false
      const { params } = forEach
      return params.kind === 'object' && params.members.some(([member]) => member === param)
    })
}

function cursorIn(value: Json | undefined): string | number | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

/** The request's own address with the moving parameter moved on. */
function nextUrl(call: Call, next: string | number | null): string | null {
  if (next === null) return null
  const paging = pagingOf(call.understood.route.action.pagination)
  const url = new URL(call.request.target, call.origin())
  const name = paging === null || paging.by === 'address' ? undefined : paging.param.at(-1)
  url.searchParams.set(name ?? LINK_PARAMETER, String(next))
  return url.href
}
