// What more processes are good for: the first syncs of many instances by one, two and three workers on one PostgreSQL.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { postgresFleet } from '../../test/chaos/processes.ts'
import type { Line, Row } from '../row.ts'
import { ratioOf, spreadOf } from '../statistics.ts'
import { startIssues } from '../vendor.ts'
import { startPostgres } from './stores.ts'
import { MANIFEST } from './synced.ts'

const ROUNDS = 3
const INSTANCES = 12
const COUNTS = [1, 2, 3] as const
/** Three workers, their threads of the database, the third party: with fewer cores they only take them from each other. */
const CORES_NEEDED = 8
const CREDENTIALS = { key: 'key-of-bench' }

export const workersRow: Row = {
  name: 'workers',
  about: `first syncs of ${INSTANCES} instances by 1, 2 and 3 processes of tenon worker on one PostgreSQL`,
  async run({ records }) {
    using _server = startPostgres()
    const each = Math.ceil(records / INSTANCES)
    using vendor = await startIssues(each)
    const rates = new Map<number, number[]>(COUNTS.map((count) => [count, []]))
    for (let round = 0; round < ROUNDS; round++)
      for (const count of COUNTS) {
        const rate = await fill(vendor.url, count, each)
        if (rate === null) return []
        rates.get(count)?.push(rate)
      }
    const ratesOf = (count: number): readonly number[] => rates.get(count) ?? []
    const line: Line = {
      title: `first syncs, PostgreSQL, ${INSTANCES} × ${each} records, ${availableParallelism()} cores for all`,
      unit: 'rows/s',
      sides: COUNTS.map((count) => ({
        name: count === 1 ? '1 worker' : `${count} workers`,
        ...spreadOf(ratesOf(count)),
      })),
      figures: COUNTS.slice(1).map((count) => ({
        name: `${count} workers / 1 worker`,
        unit: '×',
        ...ratioOf(ratesOf(count), ratesOf(1)),
        must: count === 3 && availableParallelism() >= CORES_NEEDED ? { atLeast: 2.4 } : null,
        goal: null,
      })),
    }
    return [line]
  },
}

/** Rows per second of so many workers, from the first instance until all copies are complete; null: no PostgreSQL. */
async function fill(vendorUrl: string, workers: number, each: number): Promise<number | null> {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-bench-'))
  const manifest = join(folder, 'bench.yaml')
  writeFileSync(manifest, JSON.stringify(MANIFEST))
  const env = { TENON_MANIFESTS: manifest, TENON_CONNECTORS: MANIFEST.connector.type }
  try {
    await using fleet = await postgresFleet()
    const database = fleet?.database
    if (fleet === null || database == null) return null
    const service = await fleet.start({ env, args: ['--no-jobs'] })
    await Promise.all(Array.from({ length: workers }, () => fleet.startWorker({ env })))
    const started = performance.now()
    for (let number = 0; number < INSTANCES; number++) {
      const { status, text } = await service.call(
        'POST',
        '/v1/integrations/connectors?check=false',
        {
          external_user_id: `user-${number}`,
          connector_type: MANIFEST.connector.type,
          name: 'bench',
          credentials: CREDENTIALS,
          server_url: vendorUrl,
        },
      )
      if (status !== 201) throw new Error(text)
    }
    for (;;) {
      const [row] = await database.run(
        'SELECT count(*)::int AS complete, coalesce(sum(live), 0)::int AS live FROM replica_scope WHERE complete = 1',
      )
      if (row?.['complete'] === INSTANCES) {
        if (row['live'] !== INSTANCES * each) throw new Error('records are missing')
        return (INSTANCES * each * 1_000) / (performance.now() - started)
      }
      await sleep(25)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
