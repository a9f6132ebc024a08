// Chapters of the runbook that hold for PostgreSQL, walked as written while callers use two processes. Those about Citus
// are walked in test/citus/runbook.test.ts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createTestDatabase } from '../fixtures/postgres.ts'
import { RUNS_LONG } from '../fixtures/sizes.ts'
import { transitEngine } from '../fixtures/transit-engine.ts'
import { execute, folderFleet, MASTER_KEY } from './processes.ts'
import { problemsOf, startWalk } from './walk.ts'

const NEW_KEY = `k2:${Buffer.alloc(32, 9).toString('base64')}`

describe.runIf(RUNS_LONG)('the runbook on PostgreSQL', () => {
  test('rotate keys', async ({ skip }) => {
    const database = await createTestDatabase()
    if (database === null) return skip('there is no PostgreSQL')
    await using walk = await startWalk(database, {
      settings: [`${MASTER_KEY},${NEW_KEY}`, `${NEW_KEY},${MASTER_KEY}`, NEW_KEY].map((keys) => ({
        TENON_MASTER_KEYS: keys,
      })),
      here: (block) => block.replace('client-id', 'default'),
    })
    const seen = await walk.chapter('Rotate keys')
    expect(problemsOf(seen)).toEqual([])
    const listed = seen.find(({ block }) => block.includes('keys list'))?.out ?? ''
    expect(listed).toMatch(/^k1 {2}0 data keys$/m)
    await walk.load.end()
  })

  test('back up and restore', async ({ skip }) => {
    const [database, target] = [await createTestDatabase(), await createTestDatabase()]
    if (database === null || target === null) return skip('there is no PostgreSQL')
    await using walk = await startWalk(database, {
      settings: [{ DATABASE_URL: target.url }],
      here: (block) => block.replaceAll('/backups/', ''),
    })
    const seen = await walk.chapter('Back up and restore')
    expect(problemsOf(seen)).toEqual([])
    const list = seen.find(({ block }) => block.includes('instances list'))?.out ?? ''
    expect(walk.load.refreshing.filter((id) => list.includes(id))).not.toEqual([])
    for (const id of walk.load.others) expect(list).not.toContain(id)
    await target.drop()
  })

  test('move to PostgreSQL', async ({ skip }) => {
    const database = await createTestDatabase()
    if (database === null) return skip('there is no PostgreSQL')
    const from = folderFleet()
    const data = from.env['TENON_DATA'] ?? ''
    await using walk = await startWalk(from, {
      settings: [
        {
          DATABASE_URL: database.url,
          get TENON_MASTER_KEYS() {
            return readFileSync(join(data, 'master.key'), 'utf8').trim()
          },
        },
      ],
      here: (block) => block.replace('./tenon-data', data),
    })
    expect(problemsOf(await walk.chapter('Move to PostgreSQL'))).toEqual([])
    const [serving] = walk.processes
    if (serving === undefined) throw new TypeError('nothing serves')
    const { load } = walk
    for (const id of load.refreshing)
      expect(await execute(serving, id, 'customers.list')).toMatchObject({ status: 200 })
    await load.end()
    for (const process of walk.processes) await process.stop()
    await database.drop()
  })

  test('move the master key into OpenBao or Vault', async ({ skip }) => {
    const database = await createTestDatabase()
    if (database === null) return skip('there is no PostgreSQL')
    await using engine = await transitEngine()
    const bao = `bao:${engine.address}`
    await using walk = await startWalk(database, {
      settings: [`${MASTER_KEY},${bao}`, `${bao},${MASTER_KEY}`, bao].map((keys) => ({
        TENON_MASTER_KEYS: keys,
        TENON_TRANSIT_TOKEN: 'token-of-tenon',
      })),
    })
    const seen = await walk.chapter('Move the master key into OpenBao or Vault')
    expect(problemsOf(seen)).toEqual([])
    const listed = seen.find(({ block }) => block.includes('keys list'))?.out ?? ''
    expect(listed).toMatch(/^k1 {2}0 data keys$/m)
    await walk.load.end()
  })
})
