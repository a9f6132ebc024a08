// What earlier versions left is opened by this one: folders, backups, dumps, cursors, compiled manifests.
// `make.ts` says how a version is added; what lies here is never changed.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { STATE_FILE } from '../../src/service/store/open/open-store.ts'
import { restore } from '../../src/hosting/backup.ts'
import { loadManifestFile, requireManifest } from '../../src/language/manifest/load.ts'
import { manifestCases } from '../../src/sandbox/testing/manifest-cases.ts'
import { createTestDatabase } from '../fixtures/postgres.ts'
import {
  ask,
  COLLECTION,
  CONNECTORS,
  type Kept,
  type KeptStore,
  type Listed,
  list,
  PATHS,
  runLedgerService,
  search,
} from './kept.ts'
import { ENTRIES, startLedger } from './ledger-vendor.ts'

const VERSIONS = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
const scratch = mkdtempSync(join(tmpdir(), 'tenon-earlier-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** Unpacks what a version left, for one test to change. */
function unpack(version: string): { readonly folder: string; readonly kept: Kept } {
  const source = join(import.meta.dirname, version)
  const folder = mkdtempSync(join(scratch, 'version-'))
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.gz')) continue
    const file = join(entry.parentPath, entry.name)
    const target = join(folder, relative(source, file).slice(0, -'.gz'.length))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, gunzipSync(readFileSync(file)))
  }
  return { folder, kept: JSON.parse(readFileSync(join(source, 'kept.json'), 'utf8')) as Kept }
}

/** The vendor listens on another port than at that time. */
const moveTo = (url: string): string => `update connector_instance set server_url = '${url}'`

function moveEmbedded(data: string, url: string): void {
  const database = new DatabaseSync(join(data, STATE_FILE))
  database.exec(moveTo(url))
  database.close()
}

const idsOf = (records: readonly { readonly id: string }[]): readonly string[] =>
  records.map(({ id }) => id)

/** What a service on a kept store answers, the second pages of that time among it. */
async function readEverything(
  place: Parameters<typeof runLedgerService>[0],
  { instances, cursors }: KeptStore,
  { at, hasCopy }: { readonly at: number; readonly hasCopy: boolean },
): Promise<object> {
  await using running = await runLedgerService(place, at)
  const page = (path: string): Promise<Listed> => ask<Listed>(running, 'GET', path)
  const [first, second] = instances
  const found = hasCopy
    ? [await search(running, first), await search(running, first, cursors.search)]
    : []
  return {
    instances: idsOf((await page(COLLECTION)).data),
    entries: [(await list(running, first)).data, (await list(running, second)).data],
    audit: await running.service.store.audit.verify(),
    secondPage: {
      instances: idsOf((await page(`${PATHS.instances}&cursor=${cursors.instances}`)).data),
      events: (await page(`${PATHS.events}&cursor=${cursors.events}`)).data.length,
    },
    found: found.map(({ hits }) => idsOf(hits)),
  }
}

function everything({ instances }: KeptStore, { hasCopy }: { readonly hasCopy: boolean }): object {
  const entries = ENTRIES.slice(0, 3)
  return {
    instances,
    entries: [entries, entries],
    audit: null,
    secondPage: { instances: [instances[1]], events: 1 },
    found: hasCopy
      ? [
          ['e1', 'e2', 'e3'],
          ['e4', 'e5', 'e6'],
        ]
      : [],
  }
}

describe.for(VERSIONS)('%s', (version) => {
  test('its data folder is served, with its copies and the cursors of its pages', async () => {
    const { folder, kept } = unpack(version)
    await using ledger = await startLedger()
    const data = join(folder, 'data')
    moveEmbedded(data, ledger.url)
    const state = { at: kept.at, hasCopy: true }
    expect(await readEverything({ data }, kept.embedded, state)).toEqual(
      everything(kept.embedded, state),
    )
  })

  test('its backup is restored into an embedded store', async () => {
    const { folder, kept } = unpack(version)
    await using ledger = await startLedger()
    const data = join(folder, 'restored')
    await restore(join(folder, 'ledger.backup'), { folder: data })
    moveEmbedded(data, ledger.url)
    const state = { at: kept.at, hasCopy: false }
    expect(await readEverything({ data }, kept.embedded, state)).toEqual(
      everything(kept.embedded, state),
    )
  })

  test('its backup is restored into PostgreSQL', async ({ skip }) => {
    const database = await createTestDatabase()
    if (database === null) return skip('there is no PostgreSQL')
    const { folder, kept } = unpack(version)
    await using ledger = await startLedger()
    await restore(join(folder, 'ledger.backup'), { url: database.url })
    await database.run(moveTo(ledger.url))
    const state = { at: kept.at, hasCopy: false }
    expect(await readEverything({ databaseUrl: database.url }, kept.embedded, state)).toEqual(
      everything(kept.embedded, state),
    )
    await database.drop()
  })

  test('the dump of its PostgreSQL database is served, with its copies and the cursors of its pages', async ({
    skip,
  }) => {
    const database = await createTestDatabase()
    if (database === null) return skip('there is no PostgreSQL')
    const { folder, kept } = unpack(version)
    await using ledger = await startLedger()
    await database.run(readFileSync(join(folder, 'postgres.sql'), 'utf8'))
    await database.run(moveTo(ledger.url))
    const state = { at: kept.at, hasCopy: true }
    expect(await readEverything({ databaseUrl: database.url }, kept.postgres, state)).toEqual(
      everything(kept.postgres, state),
    )
    await database.drop()
  })

  test.for(CONNECTORS)('every action of its compiled manifest of %s answers', async (type) => {
    const file = join(unpack(version).folder, 'compiled', `${type}.json`)
    const cases = manifestCases(requireManifest(await loadManifestFile(file)))
    const answers = cases.filter(({ name }) => name.endsWith(' answers'))
    expect(answers.length).toBeGreaterThan(0)
    // A case throws when it does not hold.
    for (const { run } of answers) await run()
  })
})
