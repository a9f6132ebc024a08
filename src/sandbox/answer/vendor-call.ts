// One understood request on its way to an answer: which set, which row, which rules of the demo data.
import { isTrue } from '../../language/expression/evaluate.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject, mergeObjects } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import type { Action, Manifest } from '../../language/manifest/manifest.ts'
import type { DemoClient } from '../auth/demo-credentials.ts'
import type { Consent } from '../auth/consent-page.ts'
import type { ScopeRules } from '../auth/scopes.ts'
import type { SubscriptionBook } from '../auth/subscriptions.ts'
import type { TokenBook } from '../auth/token-book.ts'
import { chooseMembers } from '../data/choose-members.ts'
import type { ActionRules, Demo, Refusal } from '../data/demo-types.ts'
import { NO_RULES } from '../data/read-demo.ts'
import { type Context, type Row, type World, seeing } from '../data/world.ts'
import type { FileLinks } from '../files/file-links.ts'
import type { KeptFiles } from '../files/kept-files.ts'
import type { UploadSessions } from '../files/upload-sessions.ts'
import { VendorRefusal } from '../wire/refusal.ts'
import { scalarText, textOf } from '../wire/same-scalar.ts'
import type { Understood } from '../wire/understand.ts'
import type { WireRequest } from '../wire/wire-request.ts'
import type { Listings } from './listings.ts'

export interface VendorParts {
  readonly manifest: Manifest
  readonly demo: Demo
  readonly world: World
  /** How often each job was asked for, by its id. */
  readonly jobs: Map<string, number>
  readonly kept: KeptFiles
  readonly uploads: UploadSessions
  readonly listings: Listings
  /** `config` and `maps`, as the vendor knows them. */
  readonly known: Scope
  /** Address of the sandbox, `http://127.0.0.1:1234`. */
  readonly origin: () => string
  /** Size of every file; null: what the demo data says. */
  readonly fileBytes: number | null
  readonly links: FileLinks
  readonly tokens: TokenBook
  readonly subscriptions: SubscriptionBook
  /** What is accepted, by method; tokens are those of the book. */
  readonly credentials: ReadonlyMap<string, JsonObject>
  readonly client: DemoClient
  readonly scopes: ScopeRules
  readonly consent: Consent
  /** Seconds to wait, or null: the manifest's rate limits. */
  readonly limiter: () => number | null
}

/** A request, read, and everything that answering it needs. */
export interface Call extends VendorParts {
  readonly understood: Understood
  readonly request: WireRequest
  readonly rules: ActionRules
  /** The set the action works on; null when there is none. */
  readonly set: string | null
  /** Other actions that send the same request, and look for the address of a file in its answer. */
  readonly downloads: readonly Action[]
}

export function prepare(parts: VendorParts, understood: Understood, request: WireRequest): Call {
  const { route } = understood
  const { actions } = parts.demo
  const ofStep = actions.get(`${route.operation}/${route.step.name}`)
  const rules = ofStep ?? actions.get(route.operation) ?? NO_RULES
  const names = [rules.set, route.entity.name, route.action.touches]
  const set = names.find((name) => name != null && parts.world.has(name))
  return { ...parts, understood, request, rules, set: set ?? null, downloads: [] }
}

/** What values about this request draw on; with a row: about that row. */
export function contextOf(call: Call, row: Row | null = null, shown?: JsonObject): Context {
  const { understood, request } = call
  const context = { ...contextFor(call, { params: understood.params }), query: request.query }
  if (row === null) return context
  const fields = shown ?? call.world.show(row, context)
  return { ...context, scope: call.world.scopeOf(row, context.scope, fields), row }
}

/** What values draw on where no action is at hand. */
export function contextFor(
  parts: Pick<VendorParts, 'world' | 'known'>,
  scope: Scope = {},
): Context {
  const { world, known } = parts
  const place = `request/${world.requests}`
  return { world, scope: { ...known, ...scope }, place, row: null, index: 0, page: null, query: [] }
}

/**
 * The row above that the request names: the parent, or for a listing any row further up (all ads of an account). Null when
 * the set has no parents or the request names none.
 */
export function findParent(call: Call, below: 'listing' | 'row'): Row | null {
  const { set, world, rules } = call
  const per = set === null ? undefined : world.rules(set).per
  if (per === undefined) return null
  const path = pathParams(call)
  const ruled = rules.parent?.(contextOf(call))
  const key = ruled ?? path.at(below === 'listing' ? -1 : -2)
  if (key === undefined || key === null) return null
  for (let above: string | undefined = per; above !== undefined; above = world.rules(above).per) {
    const row = world.find(above, key)
    if (row !== undefined) return row
    if (below === 'row') break
  }
  throw notFound(call, per, key)
}

/** The parent of a new row: the one that the request names, in its path or by a parameter, below what its path names. */
export function parentToBe(call: Call): Row | null {
  const { set, world, understood } = call
  const above = findParent(call, 'listing')
  const per = set === null ? undefined : world.rules(set).per
  if (above === null || per === undefined) return above
  const parents = world.rows(per)
  if (parents.includes(above)) return above
  for (const value of Object.values(understood.params)) {
    const named = value === undefined ? undefined : world.find(per, value)
    if (named !== undefined) return named
  }
  return world.below(per, above)[0] ?? null
}

/** The row that the request names. Throws a refusal `not_found`. */
export function findTarget(call: Call): Row {
  const { set } = call
  const key = targetKey(call)
  const row = set === null ? undefined : rowOf(call, set, key)
  if (row !== undefined) return row
  throw notFound(call, set, key ?? null)
}

export function hasTarget(call: Call): boolean {
  const key = targetKey(call)
  return call.set !== null && key !== undefined && call.world.find(call.set, key) !== undefined
}

/** The row of a key. A request that can name none (`/me`) means the first one. */
function rowOf(call: Call, set: string, key: Json | undefined): Row | undefined {
  if (key !== undefined) return call.world.find(set, key, findParent(call, 'row'))
  const { path } = call.understood.route.step.request
  const isLiteral = path.every((segment) => segment.every((part) => typeof part === 'string'))
  return isLiteral ? call.world.rows(set)[0] : undefined
}

/** The key that names the row: by rule, the last parameter of the path, or a parameter that is called like a key. */
function targetKey(call: Call): Json | undefined {
  const { set, world, rules, understood } = call
  const ruled = rules.key?.(contextOf(call))
  if (ruled !== undefined && ruled !== null) return ruled
  const last = pathParams(call).at(-1)
  if (last !== undefined) return last
  const keys = set === null ? [] : world.rules(set).keys.map((path) => path.at(-1) ?? '')
  return keys.map((key) => own(understood.params, key)).find((value) => value !== undefined)
}

export function pathParams(call: Call): readonly Json[] {
  return call.understood.readings
    .filter(({ root, from }) => from === 'path' && (root === 'params' || root === 'steps'))
    .map(({ value }) => value)
}

/** "Not found", in the words of the set when it has any. */
function notFound(call: Call, set: string | null, key: Json): VendorRefusal {
  const said = set === null ? undefined : call.world.rules(set).missing
  const worded = scalarText(said?.(contextOf(call)))
  const status = call.demo.errors.not_found?.status ?? null
  if (worded !== undefined)
    return new VendorRefusal('not_found', worded, { status, isWorded: true })
  const name = (set ?? 'record').replace(/_/g, ' ').replace(/s$/, '')
  return new VendorRefusal('not_found', `${name} ${scalarText(key) ?? ''} does not exist`)
}

/** The scopes that a request needs: those of its action, and what the demo data says of requests like it. */
export function neededScopes(call: Call): readonly string[] {
  const { rules, understood } = call
  const { scopes } = understood.route.action
  if (rules.scopes.size === 0) return scopes
  const context = contextOf(call)
  const more = [...rules.scopes].flatMap(([scope, when]) => (isTrue(when(context)) ? [scope] : []))
  return [...new Set([...scopes, ...more])]
}

/**
 * Throws the first refusal of the demo data whose conditions hold. Refusals that name fields and say nothing else are
 * thrown together.
 */
export function refuse(call: Call, row: Row | null): void {
  const context = contextOf(call, row)
  const applying = call.rules.refuse
    .filter((refusal) => applies(refusal, context))
    .map((refusal) => ({ ...refusal, named: fieldsOf(refusal, context) }))
  const first = applying.find(({ message, named }) => message !== undefined || named.length > 0)
  if (first === undefined) return
  if (first.message !== undefined) {
    throw new VendorRefusal('invalid', textOf(first.message(context)), {
      status: first.status ?? null,
      fields: Object.fromEntries(first.named),
      isWorded: true,
    })
  }
  const silent = applying.filter(({ message }) => message === undefined)
  const fields = new Map<string, string>()
  for (const [field, message] of silent.flatMap(({ named }) => named)) {
    // What is said of a field first is what is wrong with it.
    if (!fields.has(field)) fields.set(field, message)
  }
  throw new VendorRefusal('invalid', [...fields.values()].join(' '), {
    status: silent.find(({ status }) => status !== undefined)?.status ?? null,
    messages: [],
    fields: Object.fromEntries(fields),
    isWorded: true,
  })
}

function fieldsOf(
  refusal: Refusal,
  context: Context,
): readonly (readonly [field: string, message: string])[] {
  const named = [...refusal.fields].flatMap(([field, text]) => {
    const message = scalarText(text(context))
    return message === undefined ? [] : [[field, message] as const]
  })
  return [...named, ...refusedNames(refusal, context)]
}

function refusedNames(
  { names }: Refusal,
  context: Context,
): readonly (readonly [field: string, message: string])[] {
  const given = names?.of(context)
  if (names === undefined || !isJsonObject(given)) return []
  const known = names.known === undefined ? null : namesIn(names.known(context))
  const barred = namesIn(names.barred?.(context))
  return Object.keys(given)
    .filter((item) => barred.includes(item) || known?.includes(item) === false)
    .map((item) => {
      return [item, textOf(names.message(seeing(context, { item })))] as const
    })
}

/** The names of an object's members, or those that stand in a list, in lists inside of it too. */
function namesIn(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => namesIn(item))
  if (isJsonObject(value)) return Object.keys(value)
  const name = scalarText(value)
  return name === undefined ? [] : [name]
}

function applies({ when, unless }: Refusal, context: Context): boolean {
  return (
    (when === undefined || isTrue(when(context))) &&
    (unless === undefined || !isTrue(unless(context)))
  )
}

/** What the vendor answers for a row: with computed members, without those that were not asked for. */
export function showRow(call: Call, row: Row): JsonObject {
  return choose(call, row, call.world.show(row, contextOf(call)))
}

/** The members of a shown row that this request gets: by the rules of the set, then by those of the action. */
export function choose(call: Call, row: Row, fields: JsonObject): JsonObject {
  const context = contextOf(call, row, fields)
  const ofSet = chooseMembers(fields, call.world.rules(row.set), context)
  return chooseMembers(ofSet, call.rules, context)
}

/** A body with the members that the demo data adds to every answer that is an object. */
export function withEnvelope(
  call: Call,
  body: Json | undefined,
  context: Context,
): Json | undefined {
  if (body !== undefined && !isJsonObject(body)) return body
  let whole = body
  for (const make of [call.demo.envelope, call.rules.envelope]) {
    const members = make?.(context)
    if (whole !== undefined && isJsonObject(members)) whole = mergeObjects(members, whole)
  }
  return whole
}
