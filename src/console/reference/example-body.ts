// The example of a body, with what an account of the reader has in place of what is made up.
import { useQuery } from '@tanstack/react-query'
import type { All, Described, Instance, SyncStatus } from '../api/answers.ts'
import { call, instancePath } from '../api/call.ts'
import { isObject, type Json, type JsonObject, listIn, textIn } from '../api/json-text.ts'
import { listingOf } from '../screens/explorer/suggestions.ts'
import type { Operation } from './document.ts'
import { useNewestAccount } from './session.ts'

/** `chosen`: the account in the path. Of an operation without one, the newest account of who is signed in. */
export function useExampleBody({ id, body, path }: Operation, chosen: Instance | null): Json {
  const example = body?.example ?? null
  const newest = useNewestAccount()
  const account = path.includes('{connector_id}') ? chosen : newest
  const { data } = useQuery({
    queryKey: ['example', id, account?.id],
    queryFn: ({ signal }) =>
      account === null || !isObject(example) ? example : exampleOf(example, account, signal),
    enabled: account !== null && isObject(example),
  })
  return data ?? example
}

async function exampleOf(
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
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, known[name] ?? value]),
  )
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
