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
import { compileEnd, wholeNumber } from './page-end.ts'
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

/** `received`: records of the page at hand, before any was taken away. */
export type FindNextPage = (answer: Answer, scope: Scope, received: number) => NextPage | null

/**
 * Compiles the pagination of an action: the next page, or null on the last.
 *
 * `scope.params` are the parameters just used. Throws `upstream_malformed` for a next value that is no text or
 * number, for a link that is no address, and for a next value equal to the one just sent: then the vendor ignored it,
 * and the page at hand is the previous one again.
 */
export function compileNextPage(
  action: Pick<Action, 'entity' | 'name' | 'pagination' | 'params'>,
  definitions: Readonly<Record<string, JsonSchema>> = {},
): FindNextPage {
  const { pagination } = action
  if (pagination.type === 'none') return () => null
  const malformed = compileMalformed(action)
  const find = compileFind(
    pagination,
    compileParamType(action.params.schema, pagination.param, definitions),
    malformed,
  )
  const carry = compileCarry(pagination, malformed)
  if (carry === null) return find
  return (answer, scope, received) => {
    const next = find(answer, scope, received)
    return next === null ? null : { ...next, patch: applyPatch(carry(answer, scope), next.patch) }
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

type Turning = Exclude<Pagination, { readonly type: 'none' }>

function compileFind(pagination: Turning, type: ParamType, malformed: Malformed): FindNextPage {
  switch (pagination.type) {
    case 'cursor':
      return compileCursor(pagination, type, malformed)
    case 'link':
      return compileLink(pagination, malformed)
    case 'page':
      return compileCounting(pagination, type, pagination.first, () => 1)
    case 'offset':
      return compileCounting(pagination, type, 0, (received) => received)
  }
}

function compileCursor(
  pagination: Extract<Pagination, { readonly type: 'cursor' }>,
  type: ParamType,
  malformed: Malformed,
): FindNextPage {
  const { param, first } = pagination
  const pick = compilePath(pagination.next)
  const isLast = compileEnd(pagination)
  return (answer, scope, received) => {
    const found = pick(answer, scope) ?? ''
    if (found === '' || isLast(answer, scope, { received, reached: null })) return null
    if (typeof found !== 'string' && typeof found !== 'number' && !isExactNumber(found)) {
      throw malformed(`has no cursor at ${pagination.next.source} but something else`)
    }
    const value = fit(found, type)
    const sent = readParam(scope.params, param) ?? first
    if (sent !== null && scalarText(sent) === scalarText(value)) throw repeated(malformed)
    return { value, patch: patchAt(param, value), link: null }
  }
}

function compileLink(
  pagination: Extract<Pagination, { readonly type: 'link' }>,
  malformed: Malformed,
): FindNextPage {
  const { param } = pagination
  const pick = compilePath(pagination.next)
  const isLast = compileEnd(pagination)
  return (answer, scope, received) => {
    const written = pick(answer, scope) ?? ''
    if (written === '' || isLast(answer, scope, { received, reached: null })) return null
    const url = typeof written === 'string' ? URL.parse(written, answer.url) : null
    if (typeof written !== 'string' || url === null || !url.protocol.startsWith('http')) {
      throw malformed(`has no address at ${pagination.next.source} but something else`)
    }
    url.hash = ''
    if (url.href === URL.parse(answer.url)?.href) throw repeated(malformed)
    return {
      value: url.href,
      patch: patchAt(param, url.href),
      link: { param, url: url.href, written },
    }
  }
}

/** Page numbers and offsets: an empty page ends the listing whatever else the answer says. */
function compileCounting(
  pagination: Extract<Pagination, { readonly type: 'page' | 'offset' }>,
  type: ParamType,
  first: number,
  step: (received: number) => number,
): FindNextPage {
  const { param } = pagination
  const isLast = compileEnd(pagination)
  return (answer, scope, received) => {
    if (received === 0) return null
    const sent = readParam(scope.params, param)
    const at = sent === undefined || sent === null ? first : wholeNumber(sent)
    if (at === undefined) throw noNumber(param)
    const next = at + step(received)
    if (isLast(answer, scope, { received, reached: next - first })) return null
    const value = fit(next, type)
    return { value, patch: patchAt(param, value), link: null }
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

function noNumber(param: ParamPath): ConnectorError {
  const name = param.join('.')
  return new ConnectorError('params_invalid', `"${name}" is no whole number to count on from`, {
    errors: [{ pointer: paramPointer(param), code: 'type', detail: 'must be a whole number' }],
  })
}
