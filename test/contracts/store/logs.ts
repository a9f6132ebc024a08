import { describe, expect, test } from 'vitest'
import {
  firstLogId,
  LOG_BUCKET_MS,
  type LogFilter,
  type LogRow,
  MAX_LOG_CONTENTS,
} from '../../../src/service/store/logs.ts'
import type { Owner } from '../../../src/service/store/owner.ts'
import type { Store } from '../../../src/service/store/store.ts'
import { auditEntry, storedInstance, unique } from './rows.ts'

const NOW = 1_795_000_200_000
const ALL = { limit: 500, scan: 1000 }

export function logs(store: () => Store): void {
  async function idsOf(owner: Owner, filter: LogFilter = {}, place = {}): Promise<string> {
    const { rows } = await store().logs.list(owner, filter, { ...ALL, ...place })
    return rows.map(({ requestId }) => requestId).join(' ')
  }

  test('entries come back as they were written, the newest first', async () => {
    const organizationId = unique('org')
    const rows = entries(organizationId, 140)
    await store().logs.append(organizationId, rows)
    const owner = { organizationId }
    const page = await store().logs.list(owner, {}, ALL)
    expect(page).toEqual({ rows: rows.toReversed(), scannedTo: null })
    const [first] = rows
    expect(await store().logs.find(owner, first?.logId ?? '')).toEqual(first)
    expect(await store().logs.find({ organizationId: 'other' }, first?.logId ?? '')).toBe(null)
  })

  test('entries that differ are written together, all or none', async () => {
    const organizationId = unique('org')
    const owner = { organizationId }
    const rows = entries(organizationId, 40).map((row, at) => ({
      ...row,
      ...(at % 3 === 0 && { instanceId: null, externalUserId: null, entity: 'calls list' }),
      ...(at % 5 === 0 && { code: 'upstream_error', status: 502, upstreamStatus: null }),
      // A name that nobody has is another one than none.
      ...(at % 7 === 0 && { entity: 'null', clientId: null, externalUserId: '\n' }),
      tookUs: at,
    }))
    await store().logs.append(organizationId, rows)
    await store().logs.append(organizationId, [])
    const span = { fromMs: 0, toMs: NOW + LOG_BUCKET_MS, bucketMs: LOG_BUCKET_MS }
    const before = await store().logs.summary(organizationId, span)
    // The last of these is there already.
    const again = [...entries(organizationId, 60).slice(40), ...rows.slice(0, 1)]
    await expect(store().logs.append(organizationId, again)).rejects.toThrow('')
    expect(await store().logs.list(owner, {}, ALL)).toEqual({
      rows: rows.toReversed(),
      scannedTo: null,
    })
    expect(await store().logs.summary(organizationId, span)).toEqual(before)
    expect(before.counts.reduce((sum, { calls }) => sum + calls, 0)).toBe(40)
    await store().logs.append(organizationId, again.slice(0, 20))
    expect((await store().logs.list(owner, {}, ALL)).rows).toHaveLength(60)
  })

  test('pages go back from an entry, and forward from one', async () => {
    const organizationId = unique('org')
    const rows = entries(organizationId, 6)
    await store().logs.append(organizationId, rows)
    const owner = { organizationId }
    const third = rows[2]?.logId ?? ''
    expect(await idsOf(owner, {}, { beforeId: third })).toBe('r1 r0')
    expect(await idsOf(owner, {}, { afterId: third })).toBe('r3 r4 r5')
    expect(await idsOf(owner, {}, { afterId: third, limit: 2 })).toBe('r3 r4')
    expect(await idsOf(owner, {}, { limit: 2 })).toBe('r5 r4')
  })

  describe('a filter', () => {
    const organizationId = unique('org')
    const owner = { organizationId }
    const changes: Readonly<Record<string, Partial<LogRow>>> = {
      r0: {},
      r1: { code: 'upstream_error', upstreamStatus: 500 },
      r2: { instanceId: 'other', externalUserId: 'ada', connectorType: 'jira' },
      r3: { kind: 'refresh', entity: null, action: null },
      r4: { tookUs: 900_000, entity: 'users' },
      r5: { at: NOW + 50_000 },
    }

    test.for<[LogFilter, string]>([
      [{ failed: true }, 'r1'],
      [{ failed: false }, 'r5 r4 r3 r2 r0'],
      [{ code: 'upstream_error' }, 'r1'],
      [{ upstreamStatus: 500 }, 'r1'],
      [{ instanceId: 'other' }, 'r2'],
      [{ instanceId: 'i', failed: false }, 'r5 r4 r3 r0'],
      [{ externalUserId: 'ada' }, 'r2'],
      [{ connectorType: 'jira' }, 'r2'],
      [{ kind: 'refresh' }, 'r3'],
      [{ entity: 'users', action: 'list' }, 'r4'],
      [{ minUs: 900_000 }, 'r4'],
      [{ minUs: 900_001 }, ''],
      [{ requestId: 'r4' }, 'r4'],
      [{ fromMs: NOW + 1, toMs: NOW + 4 }, 'r3 r2 r1'],
      [{ fromMs: NOW + 50_000 }, 'r5'],
      [{ toMs: NOW + 1 }, 'r0'],
    ])('%j', async ([filter, ids]) => {
      if ((await idsOf(owner)) === '') {
        const rows = entries(organizationId, 6).map((row) => ({
          ...row,
          ...changes[row.requestId ?? ''],
          // What ends later is written later.
          ...(row.requestId === 'r5' && { logId: idAt(NOW + 50_000, 5) }),
        }))
        await store().logs.append(organizationId, rows)
      }
      expect(await idsOf(owner, filter)).toBe(ids)
    })

    test('an owner of less sees less', async () => {
      expect(await idsOf({ ...owner, externalUserId: 'ada' })).toBe('r2')
      expect(await idsOf({ ...owner, connectorTypes: ['jira'] })).toBe('r2')
      expect(await idsOf({ ...owner, connectorIds: ['i'] }, { kind: 'refresh' })).toBe('r3')
      expect(await idsOf({ ...owner, connectorIds: [] })).toBe('')
    })

    test('looks at so many entries, and says where it ended', async () => {
      const place = { limit: 10, scan: 3 }
      const first = await store().logs.list(owner, { failed: true }, place)
      expect(first).toEqual({ rows: [], scannedTo: idAt(NOW + 3, 3) })
      const beforeId = first.scannedTo ?? ''
      const second = await store().logs.list(owner, { failed: true }, { ...place, beforeId })
      expect(second.rows.map(({ requestId }) => requestId)).toEqual(['r1'])
      const afterId = idAt(NOW, 0)
      const forward = await store().logs.list(owner, { minUs: 900_000 }, { ...place, afterId })
      expect(forward).toEqual({ rows: [], scannedTo: idAt(NOW + 3, 3) })
    })
  })

  test('figures are counted as entries are written, in any number of turns', async () => {
    const organizationId = unique('org')
    const start = NOW - (NOW % LOG_BUCKET_MS)
    const rows = entries(organizationId, 4).map((row, at) => ({
      ...row,
      at: start + (at === 3 ? LOG_BUCKET_MS : 0),
      tookUs: 10 * (at + 1),
      code: at === 1 ? 'upstream_error' : null,
    }))
    await store().logs.append(organizationId, rows.slice(0, 2))
    await store().logs.append(organizationId, rows.slice(2))
    const span = { fromMs: start, toMs: start + 2 * LOG_BUCKET_MS, bucketMs: LOG_BUCKET_MS }
    const { buckets, counts } = await store().logs.summary(organizationId, span)
    const owner = { organizationId, externalUserId: 'user-42' }
    const counted = await store().logs.count(owner, {}, { ...span, scan: 10 })
    expect(counted.countedFromMs).toBe(null)
    expect(
      new Set(counted.counts.map(({ calls, code, maxUs }) => `${calls} ${code} ${maxUs}`)),
    ).toEqual(new Set(['1  40', '1 upstream_error 20', '2  30']))
    const newest = await store().logs.count(owner, {}, { ...span, scan: 2 })
    expect([newest.countedFromMs, newest.counts.map(({ calls }) => calls)]).toEqual([start, [1]])
    expect(buckets).toEqual([
      { bucketAt: start, kind: 'operation', calls: 3, failures: 1 },
      { bucketAt: start + LOG_BUCKET_MS, kind: 'operation', calls: 1, failures: 0 },
    ])
    const count = { kind: 'operation', connectorType: 'gong', entity: 'calls', action: 'list' }
    expect(counts.toSorted((a, b) => a.calls - b.calls)).toEqual([
      { ...count, code: 'upstream_error', calls: 1, tookUs: 20, maxUs: 20 },
      { ...count, code: '', calls: 3, tookUs: 80, maxUs: 40 },
    ])
    const wide = { ...span, bucketMs: 12 * LOG_BUCKET_MS }
    expect((await store().logs.summary(organizationId, wide)).buckets).toHaveLength(1)
    const none = { ...span, fromMs: span.toMs, toMs: span.toMs + 1 }
    expect(await store().logs.summary(organizationId, none)).toEqual({
      buckets: [],
      counts: [],
    })
  })

  test('what is too old and what is too many is removed', async () => {
    const organizationId = unique('org')
    const rows = entries(organizationId, 10).map((row, at) => ({
      ...row,
      logId: idAt((at < 3 ? NOW - 10_000 : NOW) + at, at),
    }))
    await store().logs.append(organizationId, rows)
    const owner = { organizationId }
    await store().logs.purge(NOW - 5000, 100)
    expect(await idsOf(owner)).toBe('r9 r8 r7 r6 r5 r4 r3')
    await store().logs.purge(0, 2)
    expect(await idsOf(owner)).toBe('r9 r8')
    await store().logs.purge(0, 2)
    expect(await idsOf(owner)).toBe('r9 r8')
    await store().logs.purge(NOW + 100, 2)
    expect(await idsOf(owner)).toBe('')
  })

  test('K7 what was said is kept for an instance that there is, and goes with it', async () => {
    const { logs, instances } = store()
    const row = await storedInstance(store())
    const sealed = new Uint8Array([1, 2, 3])
    const contents = Array.from({ length: MAX_LOG_CONTENTS + 2 }, (_each, at) => ({
      instanceId: row.id,
      logId: idAt(NOW, at),
      sealed,
    }))
    await logs.putContents(row.id, contents)
    const found = await Promise.all(
      [0, 1, 2, MAX_LOG_CONTENTS + 1].map((at) => logs.content(row.id, idAt(NOW, at))),
    )
    expect(found).toEqual([null, null, sealed, sealed])
    const again = new Uint8Array([9])
    await logs.reseal({ instanceId: row.id, logId: idAt(NOW, 2), sealed: again })
    const [first, ...others] = await logs.contentsOf(row.id)
    expect([first, others.length]).toEqual([
      { instanceId: row.id, logId: idAt(NOW, 2), sealed: again },
      MAX_LOG_CONTENTS - 1,
    ])
    await logs.purge(NOW + 1, 1000)
    expect(await logs.content(row.id, idAt(NOW, 2))).toBe(null)
    const later = { instanceId: row.id, logId: idAt(NOW + 5000, 1), sealed }
    await logs.putContents(row.id, [later])
    await instances.delete({ organizationId: row.organizationId }, row.id, auditEntry(row))
    await logs.putContents(row.id, [{ ...later, logId: idAt(NOW + 5000, 2) }])
    expect(await logs.content(row.id, later.logId)).toBe(null)
    expect(await logs.content(row.id, idAt(NOW + 5000, 2))).toBe(null)
  })
}

/** Entries of which each is written behind the one before. */
export function entries(organizationId: string, count: number): readonly LogRow[] {
  return Array.from({ length: count }, (_entry, at) => ({
    organizationId,
    logId: idAt(NOW + at, at),
    kind: 'operation',
    at: NOW + at,
    instanceId: 'i',
    externalUserId: 'user-42',
    connectorType: 'gong',
    clientId: 'client-1',
    entity: 'calls',
    action: 'list',
    code: null,
    status: 200,
    upstreamStatus: 200,
    tookUs: 1500,
    requestId: `r${at}`,
    data: { upstream_requests: 1, steps: [{ method: 'GET' }] },
  }))
}

function idAt(ms: number, at: number): string {
  return firstLogId(ms).slice(0, -6) + String(at).padStart(6, '0')
}
