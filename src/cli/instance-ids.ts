// The ids of connector instances for the completion of a shell: of the service that the environment names, else of the
// store in the data folder.
import { hasEmbeddedStore } from '../hosting/data-place.ts'
import type { CommandContext } from './command.ts'
import { openService } from './running-service.ts'
import { openSettingsStore, readSettings } from './service-settings.ts'

export interface KnownInstance {
  readonly id: string
  readonly connectorType: string
  readonly externalUserId: string
  readonly name: string
}

/** A person waits for them with a finger on the Tab key. */
const TIMEOUT_MS = 1500
const MAX_SHOWN = 200

/** At most 200 instances. None where there is neither a service nor a store, or where it takes long: never an error. */
export async function knownInstances(context: CommandContext): Promise<readonly KnownInstance[]> {
  const late = Promise.withResolvers<readonly KnownInstance[]>()
  const timer = setTimeout(() => late.resolve([]), TIMEOUT_MS)
  try {
    return await Promise.race([late.promise, found(context)])
  } catch {
    // What is wrong is said by the command that is completed.
    return []
  } finally {
    clearTimeout(timer)
  }
}

async function found(context: CommandContext): Promise<readonly KnownInstance[]> {
  const { TENON_TOKEN: token = '', TENON_CLIENT_ID: clientId = '' } = context.env
  return token === '' && clientId === '' ? await ofStore(context) : await ofService(context)
}

async function ofService(context: CommandContext): Promise<readonly KnownInstance[]> {
  await using open = openService({}, context, { timeoutMs: TIMEOUT_MS })
  const page = await open.service.instances.list({})
  const rows = await page.toArray({ limit: MAX_SHOWN })
  return rows.map((row) => ({
    id: row.id,
    connectorType: row.connector_type,
    externalUserId: row.external_user_id,
    name: row.name,
  }))
}

/** A database that is elsewhere is not asked: a connection to it may hang. */
async function ofStore(context: CommandContext): Promise<readonly KnownInstance[]> {
  const settings = readSettings(context, {})
  if (settings.databaseUrl !== null || !hasEmbeddedStore(settings.data)) return []
  await using store = await openSettingsStore(settings)
  const applications = await store.applications.list()
  const organizations = new Set(applications.map(({ organizationId }) => organizationId))
  const lists = await Promise.all(
    [...organizations].map((organizationId) =>
      store.instances.list({ organizationId }, { limit: MAX_SHOWN }),
    ),
  )
  return lists.flatMap(({ rows }) => rows).slice(0, MAX_SHOWN)
}
