// The example of a body, with what an account of the reader has in place of what is made up.
import { useQuery } from '@tanstack/react-query'
import type { All, Described, Instance, ReturnUrls, SyncStatus } from '../api/answers.ts'
import { call, instancePath } from '../api/call.ts'
import { isObject, type Json, type JsonObject, listIn, textIn } from '../api/json-text.ts'
import { listingOf } from '../screens/explorer/suggestions.ts'
import type { Operation } from './document.ts'
import { useAccess, useNewestAccount } from './session.ts'

/** `chosen`: the account in the path. Of an operation without one, the newest account of who is signed in. */
export function useExampleBody({ id, body, path }: Operation, chosen: Instance | null): Json {
  const example = body?.example ?? null
  const newest = useNewestAccount()
  const account = path.includes('{connector_id}') ? chosen : newest
  const { kind } = useAccess()
  const leadsBack = isObject(example) && ADDRESSES.some((name) => name in example)
  const { data } = useQuery({
    queryKey: ['example', id, account?.id, kind],
    queryFn: async ({ signal }): Promise<Json> =>
      isObject(example) ? await exampleOf(example, account, signal) : example,
    enabled: isObject(example) && (account !== null || (leadsBack && kind === 'inside')),
  })
  return data ?? example
}

async function exampleOf(
  example: JsonObject,
  account: Instance | null,
  signal: AbortSignal,
): Promise<JsonObject> {
  const known: Record<string, Json> = {
    ...(await placesIn(example, signal)),
    ...(account === null ? {} : await ofAccount(example, account, signal)),
  }
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, known[name] ?? value]),
  )
}

/** Members that are addresses of the application, which takes no others. */
const ADDRESSES = ['return_url', 'redirect_url', 'allowed_origin'] as const

async function placesIn(example: JsonObject, signal: AbortSignal): Promise<JsonObject> {
  if (!ADDRESSES.some((name) => name in example)) return {}
  try {
    const places = await call<ReturnUrls>('GET', '/connect/return-urls', { signal })
    const [address] = places.return_urls
    const [origin] = places.allowed_origins
    return {
      ...(address === undefined ? {} : { return_url: address, redirect_url: address }),
      ...(origin === undefined ? {} : { allowed_origin: origin }),
    }
  } catch {
    // Who may not read them may not send this either; the answer says so.
    return {}
  }
}

async function ofAccount(
  example: JsonObject,
  account: Instance,
  signal: AbortSignal,
): Promise<JsonObject> {
  const path = instancePath(account.id)
  const known: Record<string, Json> = { external_user_id: account.external_user_id }
  if ('entity' in example || 'entities' in example) {
    const described = await call<Described>('GET', `${path}/describe`, { signal })
    Object.assign(known, operationIn(described, example))
  }
  if ('run_id' in example) {
    const query = { history: 'true' }
    const { data } = await call<All<SyncStatus>>('GET', `${path}/sync`, { query, signal })
    const [last] = data.flatMap(({ runs }) => runs ?? [])
    if (last !== undefined) known['run_id'] = last.run_id
  }
  return known
}

/** What the connector has in place of an operation or an entity that it does not have. */
function operationIn({ entities }: Described, example: JsonObject): JsonObject {
  const name = textIn(example['entity'] ?? listIn(example['entities'])[0])
  const action = textIn(example['action'])
  const isThere = entities.some(
    (each) =>
      each.entity === name &&
      (action === '' || each.actions.some((known) => known.action === action)),
  )
  if (isThere) return {}
  if (action === '') {
    const entity = entities.find(({ search_fields: fields }) => fields !== null)?.entity
    return entity === undefined ? {} : { entity, entities: [entity] }
  }
  const listings = entities.flatMap((each) => {
    const listing = listingOf(each)
    return listing === undefined ? [] : [{ entity: each.entity, action: listing.action }]
  })
  const listing = listings.find((each) => each.action === action) ?? listings[0]
  return listing === undefined ? {} : { ...listing, params: {} }
}
