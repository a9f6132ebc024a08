// Opens a store: a SQLite file in a folder, or a PostgreSQL database. What it keeps is the same.
import { join } from 'node:path'
import { sql } from 'kysely'
import { ConnectorError, isConnectorError } from '../../../errors.ts'
import type { Store } from '../../store/store.ts'
import { storeBusy } from '../sql/store-errors.ts'
import { type DatabaseOptions, type DatabaseParts, StoreDatabase } from '../sql/database.ts'
import { Applications, Tokens } from '../sql/kysely-store/applications-and-tokens.ts'
import { Audit, tryWriting } from '../sql/kysely-store/audit.ts'
import { ConnectSessions } from '../sql/kysely-store/connect-sessions.ts'
import { ConsoleSessions } from '../sql/kysely-store/console-sessions.ts'
import { OAuthSecrets, OAuthStates } from '../sql/kysely-store/consents.ts'
import { Credentials } from '../sql/kysely-store/credentials.ts'
import { DataKeys } from '../sql/kysely-store/data-keys.ts'
import { Events } from '../sql/kysely-store/events.ts'
import { Idempotency } from '../sql/kysely-store/idempotency.ts'
import { Instances } from '../sql/kysely-store/instances.ts'
import { Jobs } from '../sql/kysely-store/jobs.ts'
import { endLeases, Intents, Leases } from '../sql/kysely-store/leases-and-intents.ts'
import { Logs } from '../sql/kysely-store/logs.ts'
import { Manifests } from '../sql/kysely-store/manifests.ts'
import { OAuthClientRows } from '../sql/kysely-store/oauth-clients.ts'
import { People } from '../sql/kysely-store/people.ts'
import { Rates } from '../sql/kysely-store/rates.ts'
import { Subscriptions } from '../sql/kysely-store/subscriptions.ts'
import { SyncFailures } from '../sql/kysely-store/sync-failures.ts'
import { Users } from '../sql/kysely-store/users.ts'
import type { SqliteClient } from '../sqlite/sqlite-client.ts'
import { VendorWebhooks } from '../sql/kysely-store/vendor-webhooks.ts'
import { Webhooks } from '../sql/kysely-store/webhooks.ts'
import { pendingMigrations, runMigrations } from '../sql/migrate.ts'
import { MIGRATIONS } from '../sql/migrations/all-migrations.ts'

export type StoreLocation =
  | {
      /** `postgres://…` */
      readonly url: string
      /** At most so many connections; default 10. */
      readonly poolSize?: number
    }
  /** The folder of `state.sqlite`; made, for this user only, when there is none. */
  | {
      readonly folder: string
      /** Whether this process has the folder for itself, but for commands; default false. */
      readonly isOwner?: boolean
    }

export interface StoreOptions extends DatabaseOptions {
  /** Whether the schema is brought up to date; default true. Otherwise see `Store.migrations`. */
  readonly migrate?: boolean
}

const POOL_SIZE = 10
/** Twenty seconds in all. */
const MAX_SCRUBS = 80
const SCRUB_AGAIN_MS = 250
export const STATE_FILE = 'state.sqlite'

/** The databases behind open stores, for what is no part of the port. */
const databases = new WeakMap<Store, StoreDatabase>()

/** Opens a store, its schema up to date. Throws `store_unavailable`, also when a newer version made its schema. */
export async function openStore(
  location: StoreLocation,
  options: StoreOptions = {},
): Promise<Store> {
  try {
    return await open(await partsOf(location), options)
  } catch (error) {
    throw 'folder' in location ? withFile(location.folder, error) : error
  }
}

/** Names the file in an error: an operator has to look at it. */
function withFile(folder: string, error: unknown): unknown {
  if (!isConnectorError(error, 'store_unavailable') || error.details['reason'] === undefined)
    return error
  const { message, details, cause } = error
  const said = cause instanceof Error ? ` (${cause.message})` : ''
  return new ConnectorError('store_unavailable', `${message}: ${join(folder, STATE_FILE)}${said}`, {
    details,
    cause,
  })
}

async function open(parts: DatabaseParts, options: StoreOptions): Promise<Store> {
  const database = new StoreDatabase(parts, options)
  const store: Store = {
    isShared: database.kind === 'postgres',
    applications: new Applications(database),
    tokens: new Tokens(database),
    instances: new Instances(database),
    credentials: new Credentials(database),
    leases: new Leases(database),
    jobs: new Jobs(database),
    intents: new Intents(database),
    rates: new Rates(database),
    dataKeys: new DataKeys(database),
    oauthStates: new OAuthStates(database),
    connectSessions: new ConnectSessions(database),
    consoleSessions: new ConsoleSessions(database),
    people: new People(database),
    manifests: new Manifests(database),
    oauthClients: new OAuthClientRows(database),
    oauthSecrets: new OAuthSecrets(database),
    idempotency: new Idempotency(database),
    audit: new Audit(database),
    events: new Events(database),
    logs: new Logs(database),
    webhooks: new Webhooks(database),
    vendorWebhooks: new VendorWebhooks(database),
    subscriptions: new Subscriptions(database),
    syncFailures: new SyncFailures(database),
    users: new Users(database),
    migrations: {
      pending: () => pendingMigrations(database, MIGRATIONS),
      steps: MIGRATIONS.length,
      run: () => runMigrations(database, MIGRATIONS),
    },
    endLeases: () => endLeases(database),
    async health() {
      await database.db.selectNoFrom(sql.lit(1).as('one')).execute()
      return 'ok'
    },
    async writable() {
      await tryWriting(database)
      return 'ok'
    },
    connections: () => parts.connections?.() ?? null,
    nodesAway: () => database.nodesAway,
    close: () => database.db.destroy(),
  }
  databases.set(store, database)
  try {
    if (options.migrate === false) await store.migrations.pending()
    else await store.migrations.run()
  } catch (error) {
    await store.close()
    throw error
  }
  return store
}

export function databaseOf(store: Store): StoreDatabase {
  const database = databases.get(store)
  if (database === undefined) throw new TypeError('this store was not opened by openStore')
  return database
}

/** The time by a store's clock, in milliseconds since 1970. */
export async function timeOf(store: Store): Promise<number> {
  const database = databaseOf(store)
  const { now } = await database.db.selectNoFrom(database.now().as('now')).executeTakeFirstOrThrow()
  return now
}

async function partsOf(location: StoreLocation): Promise<DatabaseParts> {
  if ('folder' in location) {
    const { openSqlite } = await import('../sqlite/sqlite-client.ts')
    const { sqliteParts } = await import('../sqlite/sqlite-dialect.ts')
    const client = await openSqlite(join(location.folder, STATE_FILE), location.isOwner === true)
    return {
      ...sqliteParts(client),
      scrub: async (what) => {
        if (what === 'all') await rewrite(client)
        await emptyLog(client, MAX_SCRUBS)
      },
    }
  }
  // pg is loaded by who uses it.
  const { postgresParts } = await import('../postgres/postgres-dialect.ts')
  const { url, poolSize = POOL_SIZE } = location
  return await postgresParts(url, poolSize)
}

/**
 * Where SQLite has moved rows to another page, the old page keeps their bytes in its unused part, which `secure_delete` does
 * not reach: a deletion of the rows leaves those. In a file that is written once more there is no such part.
 */
async function rewrite(client: SqliteClient): Promise<void> {
  for (let tries = MAX_SCRUBS; !(await client.rewrite()); tries--) {
    if (tries === 1) throw storeBusy()
    await new Promise((resolve) => setTimeout(resolve, SCRUB_AGAIN_MS))
  }
}

/**
 * What was erased is still in the log until that is emptied, which must wait for readers: then it is tried again, behind
 * the answer. Whatever is erased next empties it as well.
 */
async function emptyLog(client: SqliteClient, triesLeft: number): Promise<void> {
  const sql = 'pragma wal_checkpoint(truncate)'
  // It fails within a transaction that is under way on this connection, and where the store is closed.
  const isBusy = await client.run([{ on: 'writer', sql, parameters: [] }]).then(
    ({ rows }) => Number(rows[0]?.['busy'] ?? 0) !== 0,
    () => true,
  )
  if (isBusy && triesLeft > 1)
    setTimeout(() => void emptyLog(client, triesLeft - 1), SCRUB_AGAIN_MS).unref()
}
