// How a listing turns its pages, guessed from the names of its parameters and of the members of its answer.
import type { JsonObject } from '../../../language/json/json.ts'
import type { OpenApiDocument, OpenApiOperation } from './document.ts'
import { flattened, propertiesOf } from './draft-schema.ts'

export interface DraftPagination {
  readonly pagination: Record<string, unknown>
  /** Why it was guessed so, for the review. */
  readonly review: string
  /** A parameter that the document does not name: the sealed address of the next page. */
  readonly adds: string | null
}

const CURSORS =
  /^(cursor|after|page_?token|next_?token|next_?page_?token|continuation(_?token)?|starting_after|offset_?token|start_?cursor|marker|scroll_id|page_?cursor|page\[after\]|page\[cursor\])$/i
const PAGES = /^(page|page_?number|page_?num|pageindex|page\[number\])$/i
const OFFSETS = /^(offset|skip|start|start_?at|from|start_?index|page\[offset\])$/i
const SIZES =
  /^(limit|per_?page|page_?size|max_?results|count|size|top|pagelen|results_per_page|page\[size\]|page\[limit\])$/i
const NEXT_NAMES =
  /^(next_?cursor|next_?page_?token|next_?token|next_?page|cursor|continuation(_?token)?|end_?cursor|after|next)$/i
const MORE_NAMES = /^(has_?more|has_?next(_?page)?|more)$/i
const TOTAL_NAMES = /^(total|total_?count|total_?results|total_?records|total_?items)$/i
const PAGES_NAMES = /^(total_?pages|page_?count|pages|last_?page)$/i

/** The pagination of a listing. `nameOf` gives the parameter of a wire name. */
export function draftPagination(
  document: OpenApiDocument,
  operation: OpenApiOperation,
  nameOf: (wire: string) => string,
): DraftPagination {
  const wires = operation.parameters.filter((one) => one.in === 'query').map((one) => one.name)
  const find = (pattern: RegExp): string | undefined => wires.find((wire) => pattern.test(wire))
  const size = find(SIZES)
  const sized = size === undefined ? {} : { size: nameOf(size) }
  const answer = operation.answer ?? {}
  const draft = (
    type: string,
    wire: string,
    more: JsonObject,
    review: string,
  ): DraftPagination => ({
    pagination: { type, param: nameOf(wire), ...sized, ...more },
    review,
    adds: null,
  })
  const placed = (key: string, names: RegExp): JsonObject => {
    const path = pathOf(document, answer, names)
    return path === null ? {} : { [key]: path }
  }
  const cursor = find(CURSORS)
  if (cursor !== undefined) {
    const next = pathOf(document, answer, NEXT_NAMES)
    // The id of the last record takes the place of a cursor.
    const unnamed = /^starting_after$/i.test(cursor) ? '$.data[-1].id' : '$.next_cursor'
    const lack = next === null ? '; where the next one lies is not in the document' : ''
    const more = { next: next ?? unnamed, ...placed('more', MORE_NAMES) }
    return draft('cursor', cursor, more, `the parameter ${cursor} looks like a cursor${lack}`)
  }
  const page = find(PAGES)
  if (page !== undefined) {
    const pages = placed('pages', PAGES_NAMES)
    const lack = pages['pages'] === undefined ? '; it goes on until a page is empty' : ''
    return draft('page', page, pages, `the parameter ${page} looks like a page number${lack}`)
  }
  const offset = find(OFFSETS)
  if (offset !== undefined && size !== undefined) {
    const review = `${offset} and ${size} look like paging by offset`
    return draft('offset', offset, placed('total', TOTAL_NAMES), review)
  }
  if (operation.answersLink) {
    return {
      pagination: { type: 'link', param: 'page_link', next: '$link.next' },
      review: 'the answer has a Link header; its rel="next" is followed',
      adds: 'page_link',
    }
  }
  return {
    pagination: { type: 'none', reason: 'The document describes no paging.' },
    review: 'no parameter of paging was found',
    adds: null,
  }
}

/** Where a member with such a name lies, at the top or one object below. */
function pathOf(document: OpenApiDocument, schema: JsonObject, names: RegExp): string | null {
  const top = propertiesOf(document, schema)
  for (const name of Object.keys(top))
    if (names.test(name) && isScalar(document, top[name])) return step('$', name)
  for (const [outer, member] of Object.entries(top)) {
    const inner = propertiesOf(document, document.follow(member))
    for (const name of Object.keys(inner))
      if (names.test(name) && isScalar(document, inner[name])) return step(step('$', outer), name)
  }
  return null
}

function isScalar(document: OpenApiDocument, member: JsonObject[string] | undefined): boolean {
  const type = flattened(document, member)['type']
  return type !== 'object' && type !== 'array'
}

/** One step of a `$` path. */
export function step(path: string, name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
    ? `${path}.${name}`
    : `${path}['${name.replaceAll("'", String.raw`\'`)}']`
}
