// A subscription at the vendor: made, found again, made to last, ended, as `webhooks.subscribe` says.
import { ConnectorError, isConnectorError } from '../../errors.ts'
import { compileExpression, compileText, isTrue } from '../../language/expression/evaluate.ts'
import { compileBodyPath } from '../../language/expression/pick.ts'
import type { Path, Scope } from '../../language/expression/syntax.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isList, mergeObjects, withMember } from '../../language/json/members.ts'
import type {
  AuthMethod,
  Manifest,
  Pagination,
  Webhooks,
} from '../../language/manifest/manifest.ts'
import { pagingOf } from '../../language/manifest/pagination-styles.ts'
import { compileFollowUp, compileSideCall } from './follow-up.ts'
import type { MethodPorts } from './material.ts'
import { lifeUntil } from './token-answer.ts'
import type { AppliedCredentials } from '../request/build.ts'
import { scalarText } from '../response/answer-tests.ts'
import { decodeBody } from '../response/decode.ts'
import { compileNextPage, type FindNextPage, type NextPage } from '../response/next-page.ts'

/** Whose requests these are: what templates see, with `webhook`, and what the requests carry. */
export interface Subscriber {
  readonly scope: Scope
  readonly applied: AppliedCredentials
}

/** What is known of a subscription: what was stored of the answer, and its `secret`. */
export type SubscriptionValues = JsonObject & { readonly secret: string }

export interface MadeSubscription {
  readonly values: SubscriptionValues
  /** How long it lasts, in milliseconds; null: for ever. */
  readonly lastsMs: number | null
}

/** All of it throws what requests throw, and `upstream_malformed` for answers that lack what is needed. */
export interface CompiledSubscription {
  readonly isWanted: (scope: Scope) => boolean
  /** `secret`: a new one, for vendors that take one. */
  readonly create: (subscriber: Subscriber, secret: string) => Promise<MadeSubscription>
  /** What there is of this address, as `remove` needs it; none where the vendor cannot be asked, and need not be. */
  readonly find: (subscriber: Subscriber) => Promise<readonly JsonObject[]>
  /** Null: the vendor has no request for it; another one is made. */
  readonly renew:
    | ((subscriber: Subscriber, values: JsonObject) => Promise<Pick<MadeSubscription, 'lastsMs'>>)
    | null
  /** One that the vendor does not know any more has ended. */
  readonly remove: (subscriber: Subscriber, values: JsonObject) => Promise<void>
}

/** Compiles `subscribe` for the instances of one authentication method; null: the manifest has none. */
export function compileSubscription(
  manifest: Manifest,
  method: AuthMethod | null,
  ports: MethodPorts,
): CompiledSubscription | null {
  const subscribe = manifest.webhooks?.subscribe ?? null
  if (subscribe === null) return null
  const context = { manifest, method, ports }
  const { test, create, find, renew } = subscribe
  const now = (): number => ports.clock.now()
  const scopeWith = ({ scope }: Subscriber, subscription: JsonObject = {}): Scope => ({
    ...scope,
    maps: manifest.maps,
    now,
    subscription,
  })
  const sendCreate = compileFollowUp(context, create.request, 'subscribe')
  const sendRenew = renew === null ? null : compileFollowUp(context, renew.request, 'subscribe')
  const sendDelete = compileSideCall(context, subscribe.delete, 'subscribe')
  const isWanted = test === null ? null : compileExpression(test)
  const valuesOf = compileValues(create.store)
  const lifeAtFirst = compileLife(create)
  const lifeThen = renew === null || isSilent(renew) ? lifeAtFirst : compileLife(renew)
  return {
    isWanted: (scope) => isWanted === null || isTrue(isWanted({ ...scope, now })),
    async create(subscriber, made) {
      const answer = await sendCreate(scopeWith(subscriber, { secret: made }), subscriber.applied)
      const stored = valuesOf(answer)
      const { secret = made } = stored
      if (typeof secret !== 'string' || secret === '')
        throw malformed('gives a secret that is no text')
      return { values: { ...stored, secret }, lastsMs: lifeAtFirst(answer, now()) }
    },
    find: find === null ? async () => [] : compileFind(context, find, scopeWith),
    renew:
      sendRenew === null
        ? null
        : async (subscriber, values) => {
            const answer = await sendRenew(scopeWith(subscriber, values), subscriber.applied)
            return { lastsMs: lifeThen(answer, now()) }
          },
    async remove(subscriber, values) {
      try {
        await sendDelete(scopeWith(subscriber, values), subscriber.applied)
      } catch (error) {
        if (!isGone(error)) throw error
      }
    },
  }
}

/** Whether the vendor says that there is no such subscription. */
export function isGone(error: unknown): boolean {
  return isConnectorError(error, 'upstream_not_found')
}

type Subscribe = NonNullable<Webhooks['subscribe']>
type Stores = Subscribe['create']['store']

function compileFind(
  context: Parameters<typeof compileFollowUp>[0],
  { request, from, pagination, match, store }: NonNullable<Subscribe['find']>,
  scopeWith: (subscriber: Subscriber) => Scope,
): CompiledSubscription['find'] {
  const send = compileSideCall(context, request, 'subscribe')
  const turn = pagination === null ? null : compileTurns(pagination)
  const listIn = compileBodyPath(from)
  const valuesOf = compileValues(store)
  const tests = match.map(({ at, value }) => ({
    pick: compileBodyPath(at),
    wanted: compileText(value),
  }))
  return async (subscriber) => {
    const scope = scopeWith(subscriber)
    const wanted = tests.map(({ pick, wanted: textOf }) => ({ pick, text: textOf(scope) }))
    const found: JsonObject[] = []
    let next: NextPage | null = turn === null ? FIRST_PAGE : turn.first
    let params: JsonObject = {}
    for (let page = 1; next !== null; page++) {
      if (page > MAX_PAGES)
        throw malformed(`goes on after ${MAX_PAGES} pages, so that it is not known which there are`)
      params = mergeObjects(params, next.patch)
      const asked = { ...scope, params }
      const answer = await send(asked, subscriber.applied, next.link?.url)
      const { status, headers, url } = answer
      const body = decodeBody(answer.body, headers['content-type'], 'json') ?? null
      const list = listIn(body)
      if (list === undefined || !isList(list)) throw malformed(`has no list at ${from.source}`)
      // What is not known is equal to nothing: the subscriptions of others are left alone.
      const own = list.filter((element) =>
        wanted.every(({ pick, text }) => text !== undefined && scalarText(pick(element)) === text),
      )
      found.push(...own.map(valuesOf))
      next = turn?.find({ status, headers, url, body }, asked, list.length).next ?? null
    }
    return found
  }
}

/** More than anybody has. A list without an end would be read for ever. */
const MAX_PAGES = 100

/** What the moving parameter may be. */
const ANY = { schema: {} }
const FIRST_PAGE: NextPage = { value: null, patch: {}, link: null }

function compileTurns(pagination: Pagination): {
  readonly first: NextPage
  readonly find: FindNextPage
} {
  const paging = pagingOf(pagination)
  const start = paging?.start ?? null
  const patch = paging === null || start === null ? {} : withMember({}, paging.param, start)
  const listing = { entity: 'webhooks', name: 'list', steps: [], pagination, params: ANY } as const
  return { first: { ...FIRST_PAGE, patch }, find: compileNextPage(listing) }
}

function compileValues(stores: Stores): (source: Json) => JsonObject {
  const picks = stores.map(({ name, at }) => ({ name, at, pick: compileBodyPath(at) }))
  return (source) =>
    Object.fromEntries(
      picks.map(({ name, at, pick }) => {
        const value = pick(source)
        if (value === undefined || value === null) throw malformed(`has no ${name} at ${at.source}`)
        return [name, value]
      }),
    )
}

interface Life {
  readonly ttlMs: number | null
  readonly expires: Path | null
}

function isSilent({ ttlMs, expires }: Life): boolean {
  return ttlMs === null && expires === null
}

function compileLife({ ttlMs, expires }: Life): (answer: Json, now: number) => number | null {
  if (expires === null) return () => ttlMs
  const pick = compileBodyPath(expires)
  return (answer, now) => {
    const lasts = lifeUntil(pick(answer), now)
    if (lasts === null) throw malformed(`has no time to come at ${expires.source}`)
    return lasts
  }
}

function malformed(detail: string): ConnectorError {
  return new ConnectorError(
    'upstream_malformed',
    `the answer about a subscription to webhooks ${detail}`,
  )
}
