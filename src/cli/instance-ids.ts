// The ids of connector instances for the completion of a shell: of the service that the environment names, else of the
// store in the data folder.
import { hasEmbeddedStore } from '../hosting/data-place.ts'
import type { CommandContext } from './command.ts'
import { openService } from './running-service.ts'
import { openSettingsStore, readSettings } from './service-settings.ts'
import type { Store } from '../service/store/store.ts'

export interface KnownInstance {
  readonly id: string
  readonly connectorType: string
  readonly externalUserId: string
  readonly name: string
}

/** A person waits for them with a finger on the Tab key. */
const TIMEOUT_MS = 1500
const MAX_SHOWN = 200

/** What may be the beginning of an id. */
const BEGINNING = /^[\da-f-]{0,36}$/i

/**
 * The instances whose id begins so, the newest first, 200 at most. None where there is neither a service nor a store, or
 * where it takes long: never an error.
 */
export async function knownInstances(
  begun: string,
  context: CommandContext,
): Promise<readonly KnownInstance[]> {
  if (!BEGINNING.test(begun)) return []
  const late = Promise.withResolvers<readonly KnownInstance[]>()
  const timer = setTimeout(() => late.resolve([]), TIMEOUT_MS)
  try {
    return await Promise.race([late.promise, found(begun, context)])
  } catch {
    // What is wrong is said by the command that is completed.
    return []
  } finally {
    clearTimeout(timer)
  }
}

async function found(begun: string, context: CommandContext): Promise<readonly KnownInstance[]> {
  const { TENON_TOKEN: token = '', TENON_CLIENT_ID: clientId = '' } = context.env
  const ask = token === '' && clientId === '' ? ofStore : ofService
  const instances = await ask(begun, context)
  // Names and users that begin so are found as well.
  return instances.filter(({ id }) => id.startsWith(begun.toLowerCase()))
}

async function ofService(
  begun: string,
  context: CommandContext,
): Promise<readonly KnownInstance[]> {
  await using open = openService({}, context, { timeoutMs: TIMEOUT_MS })
  const { records } = await open.service.instances.list({
    sort: '-created_at',
    limit: MAX_SHOWN,
    ...(begun === '' ? {} : { starts_with: begun }),
  })
  return records.map((row) => ({
    id: row.id,
    connectorType: row.connector_type,
    externalUserId: row.external_user_id,
    name: row.name,
  }))
}

/** A database that is elsewhere is not asked: a connection to it may hang. */
async function ofStore(begun: string, context: CommandContext): Promise<readonly KnownInstance[]> {
  const settings = readSettings(context, {})
  if (settings.databaseUrl !== null || !hasEmbeddedStore(settings.data)) return []
  await using store = await openSettingsStore(settings)
  const rows = await instancesBeginning(store, begun)
  return rows.toSorted((one, other) => (one.id < other.id ? 1 : -1)).slice(0, MAX_SHOWN)
}

/** Those of a store whose id, name or user begins so, of each organization 200 at most. */
export async function instancesBeginning(
  store: Store,
  begun: string,
): Promise<readonly KnownInstance[]> {
  const applications = await store.applications.list()
  const organizations = new Set(applications.map(({ organizationId }) => organizationId))
  const lists = await Promise.all(
    [...organizations].map((organizationId) =>
      store.instances.list(
        { organizationId },
        {
          limit: MAX_SHOWN,
          order: { by: 'id', isDescending: true },
          ...(begun === '' ? {} : { startsWith: begun }),
        },
      ),
    ),
  )
  return lists.flatMap((list) => list.rows)
}
