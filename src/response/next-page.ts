// Where the next page starts. Source: docs/manifest-language.md, "Pagination".
import { ConnectorError } from '../errors.ts'
import { compileTemplate } from '../expression/evaluate.ts'
import { compilePath, type Answer } from '../expression/pick.ts'
import type { ParamPath, Scope } from '../expression/syntax.ts'
import { isIntegerText } from '../json/decimal.ts'
import { isExactNumber } from '../json/exact-number.ts'
import type { Json, JsonObject } from '../json/json.ts'
import { nativeJson } from '../json/native-json.ts'
import type { Action, JsonSchema, Pagination } from '../manifest/manifest.ts'
import { compileMalformed, readOrMalformed, type Malformed } from './malformed-answer.ts'
import { applyPatch } from './merge-patch.ts'
import {
  compileEnd,
  compileInsists,
  compileUnsaid,
  type UnsaidEnd,
  wholeNumber,
} from './page-end.ts'
import type { PageLink } from './page.ts'
import { compileParamType, type ParamType } from './param-type.ts'
import { paramPointer, patchAt, readParam } from './param-path.ts'
import { textOf } from './plain-text.ts'
import { withResponse } from './response-scope.ts'

/** The page after the one at hand. */
export interface NextPage {
  /** `$next`: the cursor, the URL, the page number or the offset. */
  readonly value: Json
  /** Over the parameters just used; `carry` included. */
  readonly patch: JsonObject
  readonly link: PageLink | null
}

/** What follows a page: the next one, or the end. */
export interface Turn {
  /** Null on the last page. */
  readonly next: NextPage | null
  /** Set where the listing ends on its first page and nothing in the answer said that it does. */
  readonly unsaid: UnsaidEnd | null
}

/** `received`: records of the page at hand, before any was taken away. */
export type FindNextPage = (answer: Answer, scope: Scope, received: number) => Turn

/**
 * Compiles the pagination of an action: the next page, or the end.
 *
 * `scope.params` are the parameters just used. Throws `upstream_malformed` for a next value that is no text or
 * number, for a link that is no address, for a next value equal to the one just sent (the vendor ignored it, and the
 * page at hand is the previous one again), and for an answer that says that there is more without a way to it.
 */
export function compileNextPage(
  action: Pick<Action, 'entity' | 'name' | 'steps' | 'pagination' | 'params'>,
  definitions: Readonly<Record<string, JsonSchema>> = {},
): FindNextPage {
  const { pagination } = action
  if (pagination.type === 'none') return () => ENDED
  const malformed = compileMalformed(action)
  const find = compileFind(
    pagination,
    compileParamType(action.params.schema, pagination.param, definitions),
    malformed,
  )
  const carry = compileCarry(pagination, malformed)
  if (carry === null) return find
  return (answer, scope, received) => {
    const turn = find(answer, scope, received)
    const { next } = turn
    if (next === null) return turn
    return turnTo({ ...next, patch: applyPatch(carry(answer, scope), next.patch) })
  }
}

/**
 * The parameters with the value of the first page filled in where the manifest names one (`cursor=*`, `page=1`) and
 * the caller gave none.
 */
export function fillFirst(pagination: Pagination, params: JsonObject): JsonObject {
  if (pagination.type !== 'cursor' && pagination.type !== 'page') return params
  const { param, first } = pagination
  if (first === null || readParam(params, param) !== undefined) return params
  return applyPatch(params, patchAt(param, first))
}

/** The end that the answer told. */
const ENDED: Turn = { next: null, unsaid: null }

function turnTo(next: NextPage): Turn {
  return { next, unsaid: null }
}

type Turning = Exclude<Pagination, { readonly type: 'none' }>

function compileFind(pagination: Turning, type: ParamType, malformed: Malformed): FindNextPage {
  switch (pagination.type) {
    case 'cursor':
      return compileCursor(pagination, type, malformed)
    case 'link':
      return compileLink(pagination, malformed)
    case 'page':
      return compileCounting(pagination, type, pagination.first, () => 1, malformed)
    case 'offset':
      return compileCounting(pagination, type, 0, (received) => received, malformed)
  }
}

function compileCursor(
  pagination: Extract<Pagination, { readonly type: 'cursor' }>,
  type: ParamType,
  malformed: Malformed,
): FindNextPage {
  const { param, first } = pagination
  const findPointer = compilePointer(pagination, malformed)
  return (answer, scope, received) => {
    const found = findPointer(answer, scope, received)
    if (found.value === null) return found.end
    const { value: pointer } = found
    if (typeof pointer !== 'string' && typeof pointer !== 'number' && !isExactNumber(pointer)) {
      throw malformed(`has no cursor at ${pagination.next.source} but something else`)
    }
    const value = fit(pointer, type)
    const sent = readParam(scope.params, param) ?? first
    if (sent !== null && scalarText(sent) === scalarText(value)) throw repeated(malformed)
    return turnTo({ value, patch: patchAt(param, value), link: null })
  }
}

function compileLink(
  pagination: Extract<Pagination, { readonly type: 'link' }>,
  malformed: Malformed,
): FindNextPage {
  const { param } = pagination
  const findPointer = compilePointer(pagination, malformed)
  return (answer, scope, received) => {
    const found = findPointer(answer, scope, received)
    if (found.value === null) return found.end
    const { value: written } = found
    const url = typeof written === 'string' ? URL.parse(written, answer.url) : null
    if (typeof written !== 'string' || url === null || !url.protocol.startsWith('http')) {
      throw malformed(`has no address at ${pagination.next.source} but something else`)
    }
    url.hash = ''
    if (url.href === URL.parse(answer.url)?.href) throw repeated(malformed)
    return turnTo({
      value: url.href,
      patch: patchAt(param, url.href),
      link: { param, url: url.href, written },
    })
  }
}

/** The value that leads to the next page, or the end of the listing. */
type Pointer = { readonly value: NonNullable<Json> } | { readonly value: null; readonly end: Turn }

function compilePointer(
  pagination: Extract<Pagination, { readonly type: 'cursor' | 'link' }>,
  malformed: Malformed,
): (answer: Answer, scope: Scope, received: number) => Pointer {
  const { next } = pagination
  const pick = compilePath(next)
  const endOf = compileEnd(pagination)
  const insists = compileInsists(pagination)
  const endUnsaid = compileEndUnsaid(pagination)
  return (answer, scope, received) => {
    const found = pick(answer, scope)
    const verdict = endOf(answer, scope, { received, reached: null })
    if (found === undefined || found === null || found === '') {
      if (insists(answer, scope)) throw withoutWay(malformed, `holds no ${next.source} to it`)
      // Null and an empty text are there: they say that this was the last page.
      const isSaid = found !== undefined || verdict === 'last'
      return { value: null, end: isSaid ? ENDED : endUnsaid(answer, scope, received) }
    }
    if (verdict === 'last') return { value: null, end: ENDED }
    if (verdict === 'silent') return { value: null, end: endUnsaid(answer, scope, received) }
    return { value: found }
  }
}

/** Any page but the first was led to by what its answer lacks, so the pointers are right. */
function compileEndUnsaid(
  pagination: Extract<Pagination, { readonly type: 'cursor' | 'link' }>,
): (answer: Answer, scope: Scope, received: number) => Turn {
  const unsaid = compileUnsaid(pagination)
  if (unsaid === null) return () => ENDED
  const first = pagination.type === 'cursor' ? pagination.first : null
  return (answer, scope, received) => {
    const sent = readParam(scope.params, pagination.param) ?? first
    const isFirst = sent === null || (first !== null && scalarText(sent) === scalarText(first))
    return isFirst ? { next: null, unsaid: unsaid(answer, scope, received) } : ENDED
  }
}

/** Page numbers and offsets: an empty page ends the listing whatever else the answer says. */
function compileCounting(
  pagination: Extract<Pagination, { readonly type: 'page' | 'offset' }>,
  type: ParamType,
  first: number,
  step: (received: number) => number,
  malformed: Malformed,
): FindNextPage {
  const { param } = pagination
  const endOf = compileEnd(pagination)
  const unsaid = compileUnsaid(pagination)
  const saysMore = compileInsists({ ...pagination, last: null })
  return (answer, scope, received) => {
    if (received === 0) {
      if (saysMore(answer, scope)) throw withoutWay(malformed, 'holds no record to go on from')
      return ENDED
    }
    const sent = readParam(scope.params, param)
    const at = sent === undefined || sent === null ? first : wholeNumber(sent)
    if (at === undefined) throw noNumber(param)
    const next = at + step(received)
    const verdict = endOf(answer, scope, { received, reached: next - first })
    if (verdict === 'last') return ENDED
    if (verdict === 'silent')
      return unsaid === null || at !== first
        ? ENDED
        : { next: null, unsaid: unsaid(answer, scope, received) }
    const value = fit(next, type)
    return turnTo({ value, patch: patchAt(param, value), link: null })
  }
}

function compileCarry(
  pagination: Turning,
  malformed: Malformed,
): ((answer: Answer, scope: Scope) => JsonObject) | null {
  if (pagination.carry.length === 0) return null
  const carried = pagination.carry.map(
    ([param, template]) => [param, compileTemplate(template)] as const,
  )
  return (answer, scope) => {
    const inside = withResponse(scope, answer)
    let patch: JsonObject = {}
    for (const [param, evaluate] of carried) {
      const value = readOrMalformed(malformed, () => evaluate(inside))
      if (value !== undefined) patch = applyPatch(patch, patchAt(param, value))
    }
    return patch
  }
}

/** A parameter declared as text gets text, one declared as a number gets a number: the next call is validated too. */
function fit(value: Json, type: ParamType): Json {
  if (type === 'text') return scalarText(value)
  if (type !== 'number' || typeof value !== 'string') return value
  if (!isIntegerText(value)) return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : nativeJson.rawJSON(String(BigInt(value)))
}

function scalarText(value: Json): string {
  return textOf(value) ?? ''
}

function repeated(malformed: Malformed): ConnectorError {
  return malformed('repeats the page just read: its next page is the one that was asked for')
}

function withoutWay(malformed: Malformed, lack: string): ConnectorError {
  return malformed(`says that there is a further page, and ${lack}`)
}

function noNumber(param: ParamPath): ConnectorError {
  const name = param.join('.')
  return new ConnectorError('params_invalid', `"${name}" is no whole number to count on from`, {
    errors: [{ pointer: paramPointer(param), code: 'type', detail: 'must be a whole number' }],
  })
}
