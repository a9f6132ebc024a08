// What the store's own statements read as its instances grow to a million: rows that are made by SQL, asked through the port.
// Pages of the database are counted, not time: they are the same whatever else the machine does. Where TENON_TEST_CITUS names
// the coordinator of a Citus, the same is done there, and the pages of all its nodes are added up.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { openPostgresSearchIndex } from '../src/copy/postgres/postgres-search-index.ts'
import { JOB_BUCKETS } from '../src/service/store/jobs.ts'
import { openStore } from '../src/service/store/open/open-store.ts'
import type { Store } from '../src/service/store/store.ts'
import { createCitusDatabase } from '../test/fixtures/citus.ts'
import { createTestDatabase, type TestDatabase } from '../test/fixtures/postgres.ts'
import { startPostgres } from './copy/stores.ts'
import type { Line, Row, Scale } from './row.ts'
import { spreadOf } from './statistics.ts'

const CALLS = 20
/** At least what the pool of the store has. */
const SESSIONS = 10
const TOLD_MS = 1_100
/** Instances are synchronized so often. */
const INTERVAL_MS = 900_000
const LARGE = 'large'
const TABLES = ['connector_instance', 'credential', 'job', 'token', 'replica_scope']

export const scaleRow: Row = {
  name: 'scale',
  about: 'statements of the store with ever more instances, up to --records (100,000 without)',
  records: 100_000,
  async run({ records }: Scale) {
    const lines: Line[] = []
    {
      using _server = startPostgres()
      const database = await createTestDatabase()
      if (database !== null) lines.push(...(await measure(database, POSTGRES, records)))
    }
    const citus = await createCitusDatabase()
    if (citus !== null) lines.push(...(await measure(citus, CITUS, records)))
    return lines
  },
}

/** How a kind of database is asked about itself. */
interface Kind {
  readonly name: string
  /** Pages that the sessions of this database have looked at so far, in memory or on the disk. */
  readonly pages: string
  readonly bytesOf: string
}

const PAGES =
  'select blks_hit + blks_read as pages from pg_stat_database where datname = current_database()'
const POSTGRES: Kind = { name: 'PostgreSQL', pages: PAGES, bytesOf: 'pg_total_relation_size' }
const CITUS: Kind = {
  name: 'Citus',
  pages: `select sum(result::bigint) as pages from run_command_on_all_nodes($$${PAGES}$$)`,
  bytesOf: 'citus_total_relation_size',
}

async function measure(database: TestDatabase, kind: Kind, most: number): Promise<readonly Line[]> {
  // The tables of copies are made with theirs.
  await (await openPostgresSearchIndex({ url: database.url })).close()
  const store = await openStore({ url: database.url })
  const pagesBySize = new Map<string, Map<number, number>>()
  const sizes = [most / 100, most / 10, most]
  let [before, bytes] = [0, 0]
  for (const size of sizes) {
    await fillUpTo(database, before, size)
    before = size
    bytes = await bytesOf(database, kind)
    for (const [name, call] of statements(store)) {
      await call()
      const before = await pagesOf(database, kind)
      for (let n = 0; n < CALLS; n++) await call()
      // Waits for time: a session tells the server what it has read once a second, when it has ended a statement.
      await sleep(TOLD_MS)
      await Promise.all(Array.from({ length: SESSIONS }, () => store.jobs.look()))
      await sleep(TOLD_MS)
      const pages = ((await pagesOf(database, kind)) - before) / CALLS
      pagesBySize.set(name, (pagesBySize.get(name) ?? new Map<number, number>()).set(size, pages))
    }
  }
  await store.close()
  await database.drop()
  process.stderr.write(
    `${kind.name}: ${Math.round(bytes / most)} bytes of rows and indexes per instance\n`,
  )
  return [...pagesBySize].map(([title, bySize]) => lineOf(`${kind.name}: ${title}`, bySize, sizes))
}

function lineOf(
  title: string,
  bySize: ReadonlyMap<number, number>,
  sizes: readonly number[],
): Line {
  const pages = sizes.map((size) => bySize.get(size) ?? 0)
  const growth = spreadOf([(pages.at(-1) ?? 0) / Math.max(1, pages[0] ?? 1)])
  return {
    title,
    unit: 'pages of 8 KB a call',
    sides: sizes.map((size, at) => ({
      name: size.toLocaleString('en'),
      ...spreadOf([pages[at] ?? 0]),
    })),
    figures: [
      {
        name: 'of all / of a hundredth',
        unit: '×',
        ...growth,
        must: null,
        goal: { atMost: 3 },
      },
    ],
  }
}

async function pagesOf(database: TestDatabase, { pages }: Kind): Promise<number> {
  const [row] = await database.run(pages)
  return Number(row?.['pages'])
}

function statements(store: Store): readonly (readonly [string, () => Promise<unknown>])[] {
  const owner = { organizationId: LARGE }
  const list =
    (wanted: Omit<Parameters<Store['instances']['list']>[1], 'limit'>): (() => Promise<unknown>) =>
    () =>
      store.instances.list(owner, { ...wanted, limit: 50 })
  const ownerId = randomUUID()
  let bucket = 0
  const kinds = ['plan', 'sync', 'purge']
  const nextBucket = (): number => bucket++ % JOB_BUCKETS
  return [
    ['look at the queue', () => store.jobs.look()],
    [
      'take four jobs of a bucket',
      () => store.jobs.take({ bucket: nextBucket(), kinds, ownerId, ttlMs: 8_000, limit: 4 }),
    ],
    ['when the next job is due', () => store.jobs.nextDue({ bucket: nextBucket(), kinds })],
    ['credentials that expire', () => store.credentials.expiring(Date.now(), 50)],
    ['a page of instances by id', list({})],
    ['a page by name', list({ order: { by: 'name', isDescending: false } })],
    ['a page by the last change', list({ order: { by: 'updatedAt', isDescending: true } })],
    ['a page of one state', list({ state: 'auth_error' })],
    ['a page whose name begins so', list({ startsWith: 'account 77' })],
    ['a page that has words anywhere', list({ contains: '9 account 1' })],
    ['instances of an organisation, counted', () => store.instances.count(owner, {})],
    ['jobs, counted (/metrics)', () => store.jobs.count()],
    ['instances by state, counted (/metrics)', () => store.instances.countByState()],
    ['tokens that expired, removed', () => store.tokens.purgeExpired()],
  ]
}

/** Half of the instances are one organisation's, and every thousand of the others another one's. */
async function fillUpTo(database: TestDatabase, from: number, to: number): Promise<void> {
  const id = `lpad(to_hex(n), 8, '0') || '-0000-7000-8000-' || substr(md5(n::text), 1, 12)`
  const now = Date.now()
  const rows = (table: string, values: Readonly<Record<string, string>>, times = 1) =>
    fill(
      database,
      table,
      values,
      `generate_series(${from + 1}, ${to}) n, generate_series(1, ${times}) k`,
    )
  await rows('connector_instance', {
    instance_id: id,
    organization_id: `case when n % 2 = 0 then '${LARGE}' else 'org-' || n / 1000 end`,
    external_user_id: `'user-' || n`,
    connector_type: `case n % 3 when 0 then 'jira' when 1 then 'gong' else 'slack' end`,
    connector_version: `'1.0.0'`,
    name: `'account ' || (n::bigint * 7919 % 1000003)`,
    state: `case when n % 200 = 0 then 'auth_error' else 'active' end`,
    enabled: '1',
    auth_method: `'oauth2'`,
    config: `'{"subdomain":"site-' || n || '"}'`,
    sync: `'{}'`,
    created_at: `${now} - n`,
    updated_at: `${now} - (n::bigint * 7919 % 1000003)`,
    next_refresh_at: `${now} + (n::bigint * 7919 % 3600000)`,
  })
  await rows('credential', {
    instance_id: id,
    generation: '1',
    sealed: `decode(repeat(md5(n::text), 16), 'hex')`,
  })
  await rows(
    'job',
    {
      bucket: `('x' || right(${id}, 2))::bit(8)::int % ${JOB_BUCKETS}`,
      instance_id: id,
      kind: `case k when 1 then 'plan' else 'sync' end`,
      job_key: `case k when 1 then '' when 2 then 'issues' else 'users' end`,
      due_at: `${now} + (n::bigint * 7919 + k * 104729) % ${INTERVAL_MS}`,
    },
    3,
  )
  await rows('token', { hash: `md5(n::text)`, expires_at: `${now} + 1200000 + n` })
  await rows(
    'replica_scope',
    {
      instance_id: id,
      entity: `case k when 1 then 'issues' else 'users' end`,
      epoch: '1',
      scope_no: `n::bigint * 2 + k`,
      serving: '1',
      layout: `repeat('layout ', 60)`,
    },
    2,
  )
  for (const table of TABLES) await database.run(`vacuum analyze ${table}`)
}

/** What is not given is null where that may be, else the least of its type. */
async function fill(
  database: TestDatabase,
  table: string,
  values: Readonly<Record<string, string>>,
  from: string,
): Promise<void> {
  const columns = await database.run(
    `select column_name as name, data_type as type, is_nullable as nullable
      from information_schema.columns where table_name = '${table}' and table_schema = 'public'
      and is_generated = 'NEVER'`,
  )
  const valueOf = ({ name, type, nullable }: Record<string, unknown>): string =>
    values[String(name)] ??
    (nullable === 'YES' ? 'null' : type === 'text' ? `''` : type === 'bytea' ? `''::bytea` : '0')
  const names = columns.map(({ name }) => String(name))
  await database.run(
    `insert into ${table} (${names.join(', ')}) select ${columns.map(valueOf).join(', ')} from ${from}
      on conflict do nothing`,
  )
}

async function bytesOf(database: TestDatabase, { bytesOf: sizeOf }: Kind): Promise<number> {
  const [row] = await database.run(
    `select sum(${sizeOf}(name::regclass))::bigint as bytes from unnest(array['${TABLES.join("','")}']) name`,
  )
  return Number(row?.['bytes'])
}
