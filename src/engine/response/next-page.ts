// Where the next page starts. Source: docs/manifest-language.md, "Pagination".
import { type ConnectorError, problemError } from '../../errors.ts'
import { compileTemplate } from '../../language/expression/evaluate.ts'
import { isJsonObject, mergeObjects, ownAt, withMember } from '../../language/json/members.ts'
import { pointerTo } from '../../language/json/pointer.ts'
import { compilePath, type Answer } from '../../language/expression/pick.ts'
import type { ParamPath, Path, Scope } from '../../language/expression/syntax.ts'
import { isIntegerText } from '../../language/json/decimal.ts'
import { isExactNumber } from '../../language/json/exact-number.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { nativeJson } from '../../language/json/native-json.ts'
import { dereference, typeNamesOf } from '../../language/manifest/json-schema.ts'
import type { Action, JsonSchema, Paging } from '../../language/manifest/manifest.ts'
import { isCounting, pagingOf } from '../../language/manifest/pagination-styles.ts'
import {
  compileMalformed,
  type Malformed,
  readOrMalformed,
  withResponse,
} from './malformed-answer.ts'
import {
  compileEnd,
  compileInsists,
  compileUnsaid,
  type UnsaidEnd,
  wholeNumber,
} from './page-end.ts'
import type { PageLink } from './page.ts'
import { textOf } from './plain-text.ts'

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
  action: Pick<Action, 'entity' | 'name' | 'steps' | 'pagination'> & {
    readonly params: Pick<Action['params'], 'schema'>
  },
  definitions: Readonly<Record<string, JsonSchema>> = {},
): FindNextPage {
  const paging = pagingOf(action.pagination)
  if (paging === null) return () => ENDED
  const malformed = compileMalformed(action)
  const type = compileParamType(action.params.schema, paging.param, definitions)
  const find = isCounting(paging)
    ? compileCounting(paging, type, malformed)
    : compileFollowing(paging, type, malformed)
  const carry = compileCarry(paging, malformed)
  if (carry === null) return find
  return (answer, scope, received) => {
    const turn = find(answer, scope, received)
    const { next } = turn
    if (next === null) return turn
    return turnTo({ ...next, patch: mergeObjects(carry(answer, scope), next.patch) })
  }
}

/** The end that the answer told. */
const ENDED: Turn = { next: null, unsaid: null }

function turnTo(next: NextPage): Turn {
  return { next, unsaid: null }
}

/** What the answer holds leads to the next page. */
type Following = Extract<Paging, { readonly next: Path }>

function compileFollowing(paging: Following, type: ParamType, malformed: Malformed): FindNextPage {
  const pick = compilePath(paging.next)
  const endOf = compileEnd(paging)
  const insists = compileInsists(paging)
  const endUnsaid = compileEndUnsaid(paging)
  const { source } = paging.next
  const isAddress = paging.by === 'address'
  const follow = isAddress ? compileLink(paging, malformed) : compileCursor(paging, type, malformed)
  return (answer, scope, received) => {
    const found = pick(answer, scope)
    const verdict = endOf(answer, scope, { received, reached: null })
    const isEmpty = found === undefined || found === null || found === ''
    if (isEmpty && insists(answer, scope)) throw withoutWay(malformed, `holds no ${source} to it`)
    // Null and an empty text are there: they say that this was the last page.
    if (verdict === 'last' || (isEmpty && found !== undefined)) return ENDED
    if (isEmpty || verdict === 'silent') return endUnsaid(answer, scope, received)
    return turnTo(follow(found, answer, scope))
  }
}

/** The next page that a value of the answer leads to. */
type Follow = (found: Json, answer: Answer, scope: Scope) => NextPage

function compileCursor(paging: Following, type: ParamType, malformed: Malformed): Follow {
  const { param, start } = paging
  return (found, _answer, scope) => {
    if (typeof found !== 'string' && typeof found !== 'number' && !isExactNumber(found)) {
      throw malformed(`has no cursor at ${paging.next.source} but something else`)
    }
    const value = fit(found, type)
    const sent = ownAt(scope.params, param) ?? start
    if (sent !== null && scalarText(sent) === scalarText(value)) throw repeated(malformed)
    return { value, patch: withMember({}, param, value), link: null }
  }
}

function compileLink({ param, next }: Following, malformed: Malformed): Follow {
  return (written, answer) => {
    const url = typeof written === 'string' ? URL.parse(written, answer.url) : null
    if (typeof written !== 'string' || url === null || !url.protocol.startsWith('http')) {
      throw malformed(`has no address at ${next.source} but something else`)
    }
    url.hash = ''
    const { href } = url
    if (href === URL.parse(answer.url)?.href) throw repeated(malformed)
    return { value: href, patch: withMember({}, param, href), link: { param, url: href, written } }
  }
}

/** Any page but the first was led to by what its answer lacks, so the pointers are right. */
function compileEndUnsaid(
  paging: Following,
): (answer: Answer, scope: Scope, received: number) => Turn {
  const unsaid = compileUnsaid(paging)
  if (unsaid === null) return () => ENDED
  const { param, start } = paging
  return (answer, scope, received) => {
    const sent = ownAt(scope.params, param) ?? start
    const isFirst = sent === null || (start !== null && scalarText(sent) === scalarText(start))
    return isFirst ? { next: null, unsaid: unsaid(answer, scope, received) } : ENDED
  }
}

/** Page numbers and offsets: an empty page ends the listing whatever else the answer says. */
function compileCounting(
  paging: Exclude<Paging, Following>,
  type: ParamType,
  malformed: Malformed,
): FindNextPage {
  const { param, from } = paging
  const endOf = compileEnd(paging)
  const unsaid = compileUnsaid(paging)
  const saysMore = compileInsists({ ...paging, last: null })
  return (answer, scope, received) => {
    if (received === 0) {
      if (saysMore(answer, scope)) throw withoutWay(malformed, 'holds no record to go on from')
      return ENDED
    }
    const sent = ownAt(scope.params, param)
    const at = sent === undefined || sent === null ? from : wholeNumber(sent)
    if (at === undefined) throw noNumber(param)
    const next = at + (paging.by === 'pages' ? 1 : received)
    const verdict = endOf(answer, scope, { received, reached: next - from })
    if (verdict === 'last') return ENDED
    if (verdict === 'silent')
      return unsaid === null || at !== from
        ? ENDED
        : { next: null, unsaid: unsaid(answer, scope, received) }
    const value = fit(next, type)
    return turnTo({ value, patch: withMember({}, param, value), link: null })
  }
}

function compileCarry(
  paging: Paging,
  malformed: Malformed,
): ((answer: Answer, scope: Scope) => JsonObject) | null {
  if (paging.carry.length === 0) return null
  const carried = paging.carry.map(
    ([param, template]) => [param, compileTemplate(template)] as const,
  )
  return (answer, scope) => {
    const inside = withResponse(scope, answer)
    let patch: JsonObject = {}
    for (const [param, evaluate] of carried) {
      const value = readOrMalformed(malformed, () => evaluate(inside))
      if (value !== undefined) patch = mergeObjects(patch, withMember({}, param, value))
    }
    return patch
  }
}

/** What a parameter accepts. `text` or `number`: only that. `any`: both, or its schema does not say. */
type ParamType = 'text' | 'number' | 'any'

function compileParamType(
  params: JsonSchema,
  path: ParamPath,
  definitions: Readonly<Record<string, JsonSchema>>,
): ParamType {
  let schema = dereference(params, definitions)
  for (const name of path) {
    const member = ownAt(schema, ['properties', name])
    schema = isJsonObject(member) ? dereference(member, definitions) : {}
  }
  const types = typeNamesOf(schema)
  const text = types.includes('string')
  if (text === (types.includes('integer') || types.includes('number'))) return 'any'
  return text ? 'text' : 'number'
}

/** Reading more takes a time that grows with their square; no third party counts so far. */
const MAX_DIGITS = 400

/** A parameter declared as text gets text, one declared as a number gets a number: the next call is validated too. */
function fit(value: Json, type: ParamType): Json {
  if (type === 'text') return scalarText(value)
  if (type !== 'number' || typeof value !== 'string') return value
  if (value.length > MAX_DIGITS || !isIntegerText(value)) return value
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
  return problemError(
    'params_invalid',
    { pointer: pointerTo('/params', param), code: 'type', detail: 'must be a whole number' },
    `"${name}" is no whole number to count on from`,
  )
}
