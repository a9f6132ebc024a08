// Keeps what the present version makes, so that a test can open it with every later one:
//
//   node test/earlier/make.ts test/earlier/<version> <connection string of an empty PostgreSQL database>
//
// The dump wants a `pg_dump` of the server's version.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openStore } from '../../src/service/store/open/open-store.ts'
import { backUp } from '../../src/hosting/backup.ts'
import { compileManifest } from '../../src/language/manifest/compiled.ts'
import { loadManifestFile, requireManifest } from '../../src/language/manifest/load.ts'
import type { ServiceOptions } from '../../src/hosting/service.ts'
import { eventually } from '../faults/resources.ts'
import {
  ask,
  COLLECTION,
  CONNECTORS,
  type Kept,
  type KeptStore,
  type Listed,
  PATHS,
  runLedgerService,
  search,
} from './kept.ts'
import { API_KEY, startLedger } from './ledger-vendor.ts'
import { packageFacts } from '../../src/late-modules.ts'

const [target, databaseUrl] = process.argv.slice(2)
if (target === undefined || databaseUrl === undefined)
  throw new TypeError('name a new folder and an empty PostgreSQL database')
const folder = resolve(target)
if (existsSync(folder)) throw new TypeError(`${folder} exists`)
mkdirSync(join(folder, 'compiled'), { recursive: true })
const data = join(folder, 'data')
const at = Date.now()

const embedded = await fill({ data })
const store = await openStore({ folder: data })
await backUp(store, join(folder, 'ledger.backup'), { now: at, version: packageFacts().version })
await store.close()
const postgres = await fill({ databaseUrl })
const dump = execFileSync(
  'pg_dump',
  ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-privileges', databaseUrl],
  { encoding: 'utf8', maxBuffer: 2 ** 28 },
)
// Lines that begin with a backslash are commands of psql, not SQL.
writeFileSync(join(folder, 'postgres.sql'), dump.replaceAll(/^\\.*\n/gm, ''))
for (const type of CONNECTORS) {
  const manifest = requireManifest(await loadManifestFile(join('manifests', `${type}.yaml`)))
  writeFileSync(join(folder, 'compiled', `${type}.json`), compileManifest(manifest))
}
const kept: Kept = { at, embedded, postgres }
writeFileSync(join(folder, 'kept.json'), `${JSON.stringify(kept, null, 2)}\n`)
rmSync(join(data, 'service.lock'))
for (const each of filesBelow(folder)) {
  if (each.endsWith('kept.json')) continue
  writeFileSync(`${each}.gz`, gzipSync(readFileSync(each), { level: 9 }))
  rmSync(each)
}

/** Makes two instances, a copy of the first one, and first pages. */
async function fill(place: ServiceOptions): Promise<KeptStore> {
  await using ledger = await startLedger()
  await using running = await runLedgerService({
    ...place,
    jobs: true,
    syncIntervalSeconds: 86_400,
  })
  async function connect(name: string): Promise<string> {
    const { id } = await ask<{ id: string }>(running, 'POST', COLLECTION, {
      external_user_id: 'user-1',
      connector_type: 'ledger',
      name,
      server_url: ledger.url,
      credentials: { api_key: API_KEY },
    })
    return id
  }

  const first = await connect('first')
  const isCopied = async (): Promise<boolean> => {
    const { data: copies } = await ask<{ data: readonly { complete: boolean }[] }>(
      running,
      'GET',
      `${COLLECTION}/${first}/sync`,
    )
    return copies.length > 0 && copies.every(({ complete }) => complete)
  }
  await eventually(isCopied)
  const second = await connect('second')
  const cursorOf = async (path: string): Promise<string> =>
    (await ask<Listed>(running, 'GET', path)).meta.next_cursor
  return {
    instances: [first, second],
    cursors: {
      instances: await cursorOf(PATHS.instances),
      search: (await search(running, first)).next_cursor,
      events: await cursorOf(PATHS.events),
    },
  }
}

function filesBelow(top: string): readonly string[] {
  return readdirSync(top, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  )
}
