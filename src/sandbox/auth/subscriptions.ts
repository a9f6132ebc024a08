// Subscriptions to webhooks at a vendor: what it keeps of them, and the requests by which they are made and ended.
import { compileText } from '../../language/expression/evaluate.ts'
import type { Path } from '../../language/expression/syntax.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import type { RequestTemplate, Webhooks } from '../../language/manifest/manifest.ts'
import { pagingOf } from '../../language/manifest/pagination-styles.ts'
import type { VendorParts } from '../answer/vendor-call.ts'
import { hexDigits } from '../data/chance.ts'
import { Reader } from '../wire/read-back.ts'
import { readBody } from '../wire/read-body.ts'
import { readEntries, readHeaders } from '../wire/read-entries.ts'
import { VendorRefusal } from '../wire/refusal.ts'
import { readPath } from '../wire/routes.ts'
import { scalarText } from '../wire/same-scalar.ts'
import { valueAnswer } from '../wire/wire-answer.ts'
import type { WireRequest } from '../wire/wire-request.ts'
import { type Draft, writePath } from '../wire/write-path.ts'
import { placeOf } from './route-place.ts'
import type { SideRoute } from './side-routes.ts'

/** A subscription as the vendor keeps it. */
export interface KeptSubscription {
  /** Where deliveries go to; '' where the vendor is not told. */
  readonly url: string
  /** What stands for `subscription`. */
  readonly values: JsonObject & { readonly secret: string }
  /** Until when, in milliseconds since 1970; null: for ever. */
  readonly untilMs: number | null
}

type Subscribe = NonNullable<Webhooks['subscribe']>
type Stores = Subscribe['create']['store']

/** Where an answer says when it ends: so long it lasts. */
const LASTS_MS = 3 * 86_400_000

/** All subscriptions of a vendor. */
export class SubscriptionBook {
  readonly #now: () => number
  #kept: readonly KeptSubscription[] = []
  #made = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** Those that have not ended. */
  list(): readonly KeptSubscription[] {
    const now = this.#now()
    return this.#kept.filter(({ untilMs }) => untilMs === null || untilMs > now)
  }

  /** How many there were before. */
  next(): number {
    return this.#made++
  }

  put(one: KeptSubscription, instead: KeptSubscription | null): void {
    this.#kept = [...this.#kept.filter((other) => other !== instead), one]
  }

  remove(one: KeptSubscription): void {
    this.#kept = this.#kept.filter((other) => other !== one)
  }
}

/** The requests of `webhooks.subscribe`; none where the manifest has none. */
export function subscriptionRoutes(vendor: VendorParts): readonly SideRoute[] {
  const subscribe = vendor.manifest.webhooks?.subscribe ?? null
  if (subscribe === null) return []
  const { create, find, renew } = subscribe
  const { subscriptions: book, world } = vendor
  const untilOf = ({ ttlMs, expires }: Pick<Subscribe['create'], 'ttlMs' | 'expires'>) =>
    expires === null && ttlMs === null ? null : world.now() + (ttlMs ?? LASTS_MS)

  function route(
    request: RequestTemplate,
    operation: SideRoute['operation'],
    answer: (reader: Reader) => JsonObject | Json,
  ): SideRoute {
    const place = placeOf(request, vendor)
    const read = (given: WireRequest) => readRequest(request, place.paths, given, vendor)
    return {
      operation,
      ...place,
      fits: (given) => read(given).problems.length === 0,
      answer: (given) => valueAnswer(200, answer(read(given))),
    }
  }

  function made(reader: Reader): Json {
    const url = readingOf(reader, 'webhook', 'url') ?? ''
    const given = readingOf(reader, 'subscription', 'secret')
    const place = `subscription/${book.next()}`
    const secret = given ?? hexDigits(world.chance, `${place}/secret`, 32)
    const names = [...create.store, ...(find?.store ?? [])].map(({ name }) => name)
    const ids = names.map((name) => [name, hexDigits(world.chance, `${place}/${name}`, 16)])
    const one = {
      url,
      values: { ...(Object.fromEntries(ids) as JsonObject), secret },
      untilMs: untilOf(create),
    }
    const same = book.list().find((other) => other.url === url) ?? null
    book.put(one, create.repeatable === true ? same : null)
    const draft = written(one, create.store)
    writeEnd(draft, create.expires)
    return draft.body ?? {}
  }

  function renewed(life: NonNullable<Subscribe['renew']>, reader: Reader): Json {
    const isSilent = life.ttlMs === null && life.expires === null
    const then = isSilent ? create : life
    const before = foundIn(reader, book)
    const one = { ...before, untilMs: untilOf(then) }
    book.put(one, before)
    const draft: Draft = { body: {}, headers: {} }
    writeEnd(draft, then.expires)
    return draft.body ?? {}
  }

  return [
    route(create.request, 'webhooks.create', made),
    ...(find === null
      ? []
      : [route(find.request, 'webhooks.find', (reader) => listed(find, vendor, reader))]),
    ...(renew === null
      ? []
      : [route(renew.request, 'webhooks.renew', (reader) => renewed(renew, reader))]),
    route(subscribe.delete, 'webhooks.delete', (reader) => {
      book.remove(foundIn(reader, book))
      return {}
    }),
  ]
}

function listed(
  { from, match, store, pagination }: NonNullable<Subscribe['find']>,
  { subscriptions, known }: VendorParts,
  reader: Reader,
): Json {
  // The first page has them all, so that only a page that is counted on is asked for, and is empty.
  const paging = pagination === null ? null : pagingOf(pagination)
  const turned = reader.readings.find(({ root }) => root === 'params')?.value
  const isFirst =
    paging === null || turned === undefined || scalarText(turned) === scalarText(paging.start ?? 0)
  const elements = (isFirst ? subscriptions.list() : []).map((one) => {
    const draft = written(one, store)
    for (const { at, value } of match) {
      const text = compileText(value)({ ...known, webhook: { url: one.url } })
      if (text !== undefined) writePath(draft, at, text)
    }
    return draft.body ?? {}
  })
  const draft: Draft = { body: undefined, headers: {} }
  writePath(draft, from, elements)
  return draft.body ?? {}
}

function written({ values }: KeptSubscription, store: Stores): Draft {
  const draft: Draft = { body: {}, headers: {} }
  for (const { name, at } of store) writePath(draft, at, values[name] ?? '')
  return draft
}

/** In seconds: the clock of a sandbox is its own. */
function writeEnd(draft: Draft, expires: Path | null): void {
  if (expires !== null) writePath(draft, expires, LASTS_MS / 1000)
}

/** The one that the values in a request name; where it names none, the one of its address. Refuses what there is not. */
function foundIn(reader: Reader, book: SubscriptionBook): KeptSubscription {
  const named = reader.readings.filter(({ root }) => root === 'subscription')
  const url = readingOf(reader, 'webhook', 'url')
  const found = book
    .list()
    .find(({ values, url: own }) =>
      named.length === 0
        ? url === undefined || url === own
        : named.every(({ path, value }) => scalarText(values[path[0] ?? '']) === scalarText(value)),
    )
  if (found === undefined) throw new VendorRefusal('not_found', 'There is no such subscription')
  return found
}

function readingOf(reader: Reader, root: 'webhook' | 'subscription', name: string) {
  const found = reader.readings.find(({ root: each, path }) => each === root && path[0] === name)
  return scalarText(found?.value)
}

function readRequest(
  template: RequestTemplate,
  paths: SideRoute['paths'],
  request: WireRequest,
  vendor: VendorParts,
): Reader {
  const readers = paths.map((path) => ({ path, reader: new Reader(vendor.known) }))
  const fitting = readers.find(({ path, reader }) => readPath(reader, path, request.segments))
  const reader = fitting?.reader ?? new Reader(vendor.known)
  readEntries(reader, template.query, request.query)
  readHeaders(reader, template.headers, request.headers)
  readBody(reader, template.body, request)
  return reader
}
