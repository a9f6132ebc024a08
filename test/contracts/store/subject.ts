// The databases that the contract of the store holds for, each empty for every test file that asks.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import {
  databaseOf,
  openStore,
  type StoreLocation,
  type StoreOptions,
} from '../../../src/service/store/open/open-store.ts'
import type { Store } from '../../../src/service/store/store.ts'
import { createCitusDatabase } from '../../fixtures/citus.ts'
import { createPooledDatabase, type Pooler } from '../../fixtures/pgbouncer.ts'
import { createTestDatabase } from '../../fixtures/postgres.ts'

export interface StoreSubject {
  readonly kind: 'sqlite' | 'postgres'
  readonly location: StoreLocation
  /** The same database once more, as another process sees it. Closed with the subject. */
  open(options?: StoreOptions): Promise<Store>
  close(): Promise<void>
}

export async function sqliteSubject(): Promise<StoreSubject & { readonly folder: string }> {
  const above = mkdtempSync(join(tmpdir(), 'tenon-store-'))
  const folder = join(above, 'data')
  return {
    ...subject('sqlite', { folder }, async () => rmSync(above, { recursive: true })),
    folder,
  }
}

/** Null: no PostgreSQL can be started here. */
export async function postgresSubject(): Promise<(StoreSubject & { readonly url: string }) | null> {
  const database = await createTestDatabase()
  if (database === null) return null
  const { url } = database
  return { ...subject('postgres', { url }, () => database.drop()), url }
}

/** On Citus, where the migrations distribute the tables. Null: the environment names none. */
export async function citusSubject(): Promise<StoreSubject | null> {
  const database = await createCitusDatabase()
  if (database === null) return null
  const { url } = database
  await (await openStore({ url })).close()
  return subject('postgres', { url }, () => database.drop())
}

/** Through a pooler of connections. Null: no PostgreSQL can be started here. */
export async function pooledSubject(pooler: Pooler): Promise<StoreSubject | null> {
  const database = await createPooledDatabase(pooler)
  return database && subject('postgres', { url: database.url }, () => database.drop())
}

/** Changes rows behind the store's back. */
export async function tamper(store: Store, statement: string): Promise<readonly unknown[]> {
  return (await sql.raw(statement).execute(databaseOf(store).db.withoutPlugins())).rows
}

function subject(
  kind: StoreSubject['kind'],
  location: StoreLocation,
  remove: () => Promise<void>,
): StoreSubject {
  const stores: Store[] = []
  return {
    kind,
    location,
    async open(options) {
      const store = await openStore(location, options)
      stores.push(store)
      return store
    },
    async close() {
      for (const store of stores) await store.close()
      await remove()
    },
  }
}
