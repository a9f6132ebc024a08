// A delivery → the events in it: what happened, to which instance, and what that means for a record.
import { ConnectorError } from '../../errors.ts'
import { compileTemplate } from '../../language/expression/evaluate.ts'
import { compileBodyPath, compilePath } from '../../language/expression/pick.ts'
import type { Path } from '../../language/expression/syntax.ts'
import { canonicalJson } from '../../language/json/canonical-json.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isList } from '../../language/json/members.ts'
import { recordKey } from '../../language/json/record-key.ts'
import type { Action, Manifest, Webhooks } from '../../language/manifest/manifest.ts'
import { hashText } from '../../language/signing/algorithms.ts'
import { compileTest, scalarText } from '../response/answer-tests.ts'
import { compileCasts } from '../response/cast.ts'
import { compileShape } from '../response/shape-record.ts'
import type { Delivery } from './arrived.ts'
import { compileWhen } from './when.ts'

/** What an event says of a record. `unclear`: something of it has changed, and the event does not say what is needed. */
export type ToldChange =
  | { readonly kind: 'read'; readonly params: JsonObject }
  | { readonly kind: 'record'; readonly record: Json; readonly params: JsonObject }
  | { readonly kind: 'removed'; readonly key: string }
  | { readonly kind: 'unclear' }

export type EntityChange = ToldChange & { readonly entity: string }

export interface VendorEvent {
  /** The same for every repetition. */
  readonly id: string
  /** The name that the vendor has for it; null: it has none. */
  readonly type: string | null
  /** Tells which instances it is for; null: it does not say. */
  readonly route: string | null
  /** What it means for an instance with these settings; null: no record that is known of. */
  readonly changeFor: (config: JsonObject) => EntityChange | null
  readonly payload: Json
}

/** More than any vendor puts into one delivery; each may read a record. */
const MAX_EVENTS = 1000

/**
 * Compiles the reader of deliveries whose body could be read. It throws `request_malformed` where the events are not where
 * the manifest says, or are too many: what is answered with 200 is not sent again.
 */
export function compileEvents(
  manifest: Manifest,
  webhooks: Webhooks,
): (delivery: Delivery) => readonly VendorEvent[] {
  const each = webhooks.each === null ? null : compilePath(webhooks.each)
  const idOf = textAt(webhooks.id)
  const typeOf = textAt(webhooks.type)
  const route = webhooks.route.map(({ at }) => textAt(at))
  const map = webhooks.map.map((entry) => compileEntry(manifest, entry))

  function read(delivery: Delivery, payload: Json): VendorEvent {
    const type = typeOf(delivery, payload) ?? null
    const entry = map.find((each) => each.matches(delivery, payload, type))
    const texts = route.map((textOf) => textOf(delivery, payload))
    return {
      id: idOf(delivery, payload) ?? hashText('sha256', Buffer.from(canonicalJson(payload))),
      type,
      route: routeOf(texts),
      changeFor: (config) => (entry === undefined ? null : entry.change(delivery, payload, config)),
      payload,
    }
  }
  return (delivery) => {
    const body = delivery.body ?? null
    const found = each === null ? [body] : each(delivery.answer())
    if (found === undefined || !isList(found))
      throw malformed(`has no list of events at ${webhooks.each?.source ?? '$'}`)
    if (found.length > MAX_EVENTS)
      throw malformed(`has ${found.length} events, of which at most ${MAX_EVENTS} are taken`)
    return found.map((payload) => read(delivery, payload))
  }
}

function malformed(what: string): ConnectorError {
  return new ConnectorError('request_malformed', `this webhook ${what}; nothing was done`)
}

/** Compiles what a setting of an instance makes of `route`: events that say the same are for it. Null: it has none. */
export function compileRoute(
  { maps }: Pick<Manifest, 'maps'>,
  { route }: Pick<Webhooks, 'route'>,
): (config: JsonObject) => string | null {
  const values = route.map(({ value }) => compileTemplate(value))
  return (config) => routeOf(values.map((value) => scalarText(value({ config, maps }))))
}

function routeOf(texts: readonly (string | undefined)[]): string | null {
  const isWhole = texts.length > 0 && texts.every((text) => text !== undefined && text !== '')
  return isWhole ? hashText('sha256', Buffer.from(JSON.stringify(texts)), 'base64url') : null
}

type TextIn = (delivery: Delivery, payload: Json) => string | undefined

function textAt(path: Path | null): TextIn {
  if (path === null) return () => undefined
  const pick = compilePath(path)
  return (delivery, payload) => scalarText(pick(delivery.answer(payload)))
}

interface CompiledEntry {
  matches(delivery: Delivery, payload: Json, type: string | null): boolean
  change(delivery: Delivery, payload: Json, config: JsonObject): EntityChange
}

function compileEntry(manifest: Manifest, entry: Webhooks['map'][number]): CompiledEntry {
  const { entity, when } = entry
  const matchesRest = compileWhen(when)
  const meetsType = when.type === undefined ? null : compileTest(when.type)
  const read = compileChange(manifest, entry)
  return {
    matches: (delivery, payload, type) =>
      (meetsType === null || meetsType(type ?? undefined)) &&
      matchesRest(() => delivery.answer(payload), delivery),
    change: (delivery, payload, config) => ({ entity, ...read(delivery, payload, config) }),
  }
}

type ReadChange = (delivery: Delivery, payload: Json, config: JsonObject) => ToldChange

function compileChange(manifest: Manifest, entry: Webhooks['map'][number]): ReadChange {
  const { removed, record } = entry
  if (removed.length > 0) {
    const partsAt = removed.map(textAt)
    return (delivery, payload) => {
      const parts = partsAt.map((partAt) => partAt(delivery, payload))
      return parts.every((part) => part !== undefined)
        ? { kind: 'removed', key: recordKey(parts) }
        : UNCLEAR
    }
  }
  const paramsOf = compileParams(record === null ? entry.get : entry.params)
  if (record === null)
    return (delivery, payload) => {
      const params = paramsOf(delivery, payload)
      return params === null ? UNCLEAR : { kind: 'read', params }
    }
  const pick = compileBodyPath(record)
  const shape = compileListed(manifest, entry.entity)
  return (delivery, payload, config) => {
    const found = pick(payload)
    const params = paramsOf(delivery, payload)
    if (found === undefined || found === null || params === null) return UNCLEAR
    return { kind: 'record', record: shape(found, params, config), params }
  }
}

const UNCLEAR: ToldChange = { kind: 'unclear' }

/** Null: one of them is nowhere in the event. */
function compileParams(
  list: Webhooks['map'][number]['get'],
): (delivery: Delivery, payload: Json) => JsonObject | null {
  const picks = list.map(({ param, at }) => ({ param, pick: compilePath(at) }))
  return (delivery, payload) => {
    const answer = delivery.answer(payload)
    const params = picks.map(({ param, pick }) => [param, pick(answer)] as const)
    // None is undefined.
    return params.some(([, value]) => value === undefined || value === null)
      ? null
      : (Object.fromEntries(params) as JsonObject)
  }
}

/** What the listing that fills the copy does to a record. */
function compileListed(
  { entities, maps }: Manifest,
  name: string,
): (record: Json, params: JsonObject, config: JsonObject) => Json {
  const entity = entities.find((each) => each.name === name)
  const listing: Action | undefined = entity?.actions.find(
    (action) => action.name === entity.sync?.action,
  )
  if (listing === undefined) return (record) => record
  const { full } = compileCasts(listing.response.casts)
  const shape = compileShape(listing.response)
  return (record, params, config) => {
    const cast = full === null ? record : full(record)
    return shape === null ? cast : shape(cast, { config, maps, params })
  }
}
