// How a listing turns its pages, by evidence only: what the answer holds, what the document says of a parameter, a Link
// header. Without evidence a person decides.
import type { Json } from '../../../language/json/json.ts'
import { type OpenApiDocument, type OpenApiOperation, textIn } from './document.ts'
import { flattened, propertiesOf, typesOf } from './draft-schema.ts'

export interface DraftPagination {
  readonly pagination: Record<string, unknown>
  /** The evidence, for the review. */
  readonly review: string
  /** A parameter that the document does not name: the sealed address of the next page. */
  readonly adds: string | null
}

/** A parameter that may turn pages. */
export interface PagingParam {
  /** On the wire; members of an object in the body with a dot. */
  readonly wire: string
  /** As the manifest declares it. */
  readonly name: string
  readonly text: string
  readonly types: readonly string[]
}

const CURSORS =
  /^(cursor|after|page_?token|next_?token|next_?page_?token|continuation(_?token)?|starting_after|offset_?token|start_?cursor|marker|scroll_id|page_?cursor|page\[after\]|page\[cursor\])$/i
const PAGES = /^(page|page_?number|page_?num|pageindex|page\[number\])$/i
const OFFSETS = /^(offset|skip|start|start_?at|from|start_?index|page\[offset\])$/i
const SIZES =
  /^(limit|per_?page|page_?size|max_?results|count|size|top|pagelen|results_per_page|page\[size\]|page\[limit\])$/i
const NEXT_NAMES =
  /^(next_?cursor|next_?page_?token|next_?token|next_?page|next_?marker|cursor|marker|continuation(_?token)?|end_?cursor|after|starting_?after|offset|next)$/i
const URL_NAMES = /^(next|next_?(page_?)?(url|uri|link|href)?|href|@odata\.nextlink)$/i
const SWITCHES = /^use_?(marker|cursor)/i
const MORE_NAMES = /^(has_?more|has_?next(_?page)?|more)$/i
const TOTAL_NAMES = /^(total|total_?count|total_?results|total_?records|total_?items)$/i
const PAGES_NAMES = /^(total_?pages|page_?count|pages|pages_?total|last_?page)$/i
/** Texts that tell of paging. */
const SAYS_PAGES = /\bpages?\b|paginat/i

/** The pagination of a listing; null: the document has no evidence of one. */
export function draftPagination(
  document: OpenApiDocument,
  operation: OpenApiOperation,
  params: readonly PagingParam[],
): DraftPagination | null {
  const last = (wire: string): string => wire.slice(wire.lastIndexOf('.') + 1)
  const find = (pattern: RegExp): PagingParam | undefined =>
    params.find(({ wire }) => pattern.test(wire) || pattern.test(last(wire)))
  const answer: Answer = { document, members: membersIn(document, operation.answer ?? {}) }
  const size = params.find(
    ({ wire, types }) =>
      (SIZES.test(wire) || SIZES.test(last(wire))) &&
      types.some((type) => type === 'integer' || type === 'number'),
  )
  const page = find(PAGES)
  const sized = size === undefined || size === page ? {} : { size: size.name }
  if (operation.answersLink) return linked('$link.next', 'the answer has a Link header', sized)
  // A page that is text is a cursor.
  const cursors = params.filter(
    ({ wire, types }) =>
      CURSORS.test(wire) ||
      CURSORS.test(last(wire)) ||
      (PAGES.test(last(wire)) && types.includes('string')),
  )
  const offset = find(OFFSETS)
  // Where a flag switches the cursor on, the vendor counts without it.
  const isSwitched = params.some(
    ({ wire, types }) => SWITCHES.test(wire) && types.includes('boolean'),
  )
  return (
    (isSwitched ? byOffset(answer, offset, sized) : null) ??
    byCursor(answer, cursors, sized) ??
    byAddress(answer, sized) ??
    byOffset(answer, offset, sized) ??
    byPage(answer, page, sized)
  )
}

interface Answer {
  readonly document: OpenApiDocument
  readonly members: readonly Member[]
}
interface Member {
  readonly path: readonly string[]
  readonly types: readonly string[]
  readonly isAddress: boolean
}
type Sized = Record<string, unknown>

function linked(next: string, review: string, sized: Sized): DraftPagination {
  const pagination = { type: 'link', param: 'page_link', ...sized, next }
  return { pagination, review: `${review}; ${next} is followed`, adds: 'page_link' }
}

function byCursor(
  { members }: Answer,
  cursors: readonly PagingParam[],
  sized: Sized,
): DraftPagination | null {
  for (const { wire, name, text } of cursors) {
    const pagination = { type: 'cursor', param: name, ...sized }
    const more = flagOf(members)
    const found = members.find(
      ({ path, types, isAddress }) => isNext(path, wire) && !isAddress && isScalar(types),
    )
    if (found !== undefined) {
      const next = pathTo(found.path)
      return {
        pagination: { ...pagination, next, ...more },
        review: `${wire} gets ${next} of the answer`,
        adds: null,
      }
    }
    // The id of the last record takes the place of a cursor (Stripe's style).
    const list = members.find(({ path, types }) => path.length === 1 && types.includes('array'))
    if (/^starting_after$/i.test(wire) && list !== undefined && 'more' in more) {
      const next = `${pathTo(list.path)}[-1].id`
      return {
        pagination: { ...pagination, next, ...more },
        review: `${wire} gets the id of the last record`,
        adds: null,
      }
    }
    const said = nextInText(text, wire)
    if (said !== null)
      return {
        pagination: { ...pagination, next: said },
        review: `the text of ${wire} names ${said}`,
        adds: null,
      }
  }
  return null
}

/** Where a text says that the cursor lies: its names in backticks, an object's name before or behind the member's. */
function nextInText(text: string, wire: string): string | null {
  const names = [...text.matchAll(/`([A-Za-z_][\w.]*)`/g)].map(([, name = '']) => name)
  const next = names.find(
    (name) => name !== wire && NEXT_NAMES.test(name.slice(name.lastIndexOf('.') + 1)),
  )
  if (next === undefined) return null
  const holder = names.find(
    (name) => /meta|paging|pagination|page_info/i.test(name) && name !== next,
  )
  return next.includes('.') || holder === undefined ? `$.${next}` : `$.${holder}.${next}`
}

/** `next_cursor` at any place, or a member like the parameter within an object that is called next. */
function isNext(path: readonly string[], wire: string): boolean {
  const name = path.at(-1) ?? ''
  const isGeneric = /^(offset|after|starting_?after|marker|cursor)$/i.test(name)
  const within = path
    .slice(0, -1)
    .some((each) => /next|cursors|meta|paging|pagination|page_info/i.test(each))
  if (isGeneric) return within || (name !== 'offset' && path.length === 1 && name === wire)
  return NEXT_NAMES.test(name) && !(name === 'next' && path.length === 1 && wire !== 'cursor')
}

function byAddress({ members }: Answer, sized: Sized): DraftPagination | null {
  const found = members.find(({ isAddress }) => isAddress)
  return found === undefined
    ? null
    : linked(pathTo(found.path), 'the answer holds the address of the next page', sized)
}

function byOffset(
  { members }: Answer,
  offset: PagingParam | undefined,
  sized: Sized,
): DraftPagination | null {
  if (offset === undefined) return null
  const { wire, name, text, types } = offset
  // An offset of text is a cursor (Asana's style).
  const isCounted = types.includes('integer') || types.includes('number')
  if (!isCounted) {
    const held = members.find(
      ({ path }) => path.at(-1) === wire && path.some((each) => /next/i.test(each)),
    )
    if (held === undefined) return null
    const next = pathTo(held.path)
    return {
      pagination: { type: 'cursor', param: name, ...sized, next },
      review: `${wire} gets ${next} of the answer`,
      adds: null,
    }
  }
  const total = placed(members, 'total', TOTAL_NAMES)
  const hasEvidence = 'total' in total || /offset|skip|start|paginat|page|index/i.test(text)
  if (!hasEvidence || !('size' in sized)) return null
  return {
    pagination: { type: 'offset', param: name, ...sized, ...total },
    review: `${wire} counts records${'total' in total ? '' : '; it goes on until a page is empty'}`,
    adds: null,
  }
}

function byPage(
  { members }: Answer,
  page: PagingParam | undefined,
  sized: Sized,
): DraftPagination | null {
  if (page === undefined || page.types.includes('object')) return null
  const { wire, name, text, types } = page
  if (!types.includes('integer') && !types.includes('number')) return null
  const pages = placed(members, 'pages', PAGES_NAMES)
  const hasTotal = members.some(({ path }) => TOTAL_NAMES.test(path.at(-1) ?? ''))
  if (!('pages' in pages) && !hasTotal && !('size' in sized) && !SAYS_PAGES.test(text)) return null
  const first = /zero|start(s|ing)? (at|from|with) 0|0-based/i.test(text) ? { first: 0 } : {}
  return {
    pagination: { type: 'page', param: name, ...sized, ...first, ...pages },
    review: `${wire} counts pages${'pages' in pages ? '' : '; it goes on until a page is empty'}`,
    adds: null,
  }
}

function placed(members: readonly Member[], key: string, names: RegExp): Record<string, string> {
  const found = members.find(
    ({ path, types }) =>
      names.test(path.at(-1) ?? '') && isScalar(types) && !types.includes('string'),
  )
  return found === undefined ? {} : { [key]: pathTo(found.path) }
}

function flagOf(members: readonly Member[]): Record<string, string> {
  const found = members.find(
    ({ path, types }) => MORE_NAMES.test(path.at(-1) ?? '') && types.includes('boolean'),
  )
  return found === undefined ? {} : { more: pathTo(found.path) }
}

function isScalar(types: readonly string[]): boolean {
  return !types.includes('object') && !types.includes('array')
}

/** The members of an answer, three objects deep, the outer ones first. */
function membersIn(
  document: OpenApiDocument,
  answer: Json,
  before: readonly string[] = [],
): readonly Member[] {
  const own = Object.entries(propertiesOf(document, answer)).map(([name, written]) => {
    const schema = flattened(document, written)
    const path = [...before, name]
    const types = typesOf(schema)
    return { member: { path, types, isAddress: isAddress(path, types, schema) }, written }
  })
  const inner = own.flatMap(({ member, written }) =>
    member.path.length < 3 && member.types.includes('object')
      ? membersIn(document, written, member.path)
      : [],
  )
  return [...own.map(({ member }) => member), ...inner]
}

function isAddress(
  path: readonly string[],
  types: readonly string[],
  { format, description, pattern }: { readonly [name: string]: Json },
): boolean {
  const name = path.at(-1) ?? ''
  const isCalledNext = path.some((each) => /next/i.test(each))
  if (!types.includes('string') || !isCalledNext || !URL_NAMES.test(name)) return false
  if (/ur[il]|link|href/i.test(name) || format === 'uri') return true
  return (
    name === 'next' &&
    (/\bur[il]|link|address/i.test(textIn(description)) || path.length > 1 || pattern !== undefined)
  )
}

function pathTo(path: readonly string[]): string {
  return path.reduce(step, '$')
}

/** One step of a `$` path. */
export function step(path: string, name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
    ? `${path}.${name}`
    : `${path}['${name.replaceAll("'", String.raw`\'`)}']`
}
