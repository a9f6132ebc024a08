import { beforeAll, describe, expect, test } from 'vitest'
import {
  bucketOf,
  firstLogId,
  headOfLogId,
  LOG_BUCKET_MS,
  type LogCount,
  type LogFilter,
  logIdAt,
  type LogPlace,
  type LogRow,
  MAX_LOG_CONTENTS,
  MAX_TOGETHER,
} from '../../../src/service/store/logs.ts'
import type { Owner } from '../../../src/service/store/owner.ts'
import type { UserPlace, UserStore } from '../../../src/service/store/users.ts'
import type { Store } from '../../../src/service/store/store.ts'
import { auditEntry, storedInstance, unique } from './rows.ts'

type UserPage = Awaited<ReturnType<UserStore['page']>>

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
      r5: { at: NOW + 50_000, data: { detail: 'MÜLLER said "Ä\\b" of 100%' } },
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
      [{ words: ['users.list'] }, 'r4'],
      [{ words: ['upstream_err', 'calls'] }, 'r1'],
      [{ words: ['jira', 'ada'] }, 'r2'],
      [{ words: ['r3'] }, 'r3'],
      [{ words: ['refresh'] }, 'r3'],
      [{ words: ['müller', '100%'] }, 'r5'],
      [{ words: ['"ä\\b"'] }, 'r5'],
      // Members, steps and figures are no words; and nothing stands for another letter.
      [{ words: ['get'] }, ''],
      [{ words: ['steps'] }, ''],
      [{ words: ['%'], failed: true }, ''],
      [{ words: ['1_0'] }, ''],
      [{ words: ['r', 'x'.repeat(200)] }, ''],
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

  test('words that rows only seem to have are looked for in so many of them, and the next call goes on', async () => {
    const organizationId = unique('org')
    const owner = { organizationId }
    const rows = entries(organizationId, 1200).map((row, at) => ({
      ...row,
      ...(at === 0 && { entity: 'wanted' }),
      data: { steps: [{ path: '/wanted' }] },
    }))
    await store().logs.append(organizationId, rows)
    const filter = { words: ['wanted'] }
    const place = { limit: 10, scan: 100_000 }
    const first = await store().logs.list(owner, filter, place)
    expect([first.rows, first.scannedTo !== null]).toEqual([[], true])
    const beforeId = first.scannedTo ?? ''
    const second = await store().logs.list(owner, filter, { ...place, beforeId })
    expect(second).toEqual({ rows: rows.slice(0, 1), scannedTo: null })
  })

  describe('entries of one row', () => {
    const organizationId = unique('org')
    const owner = { organizationId }
    const head = headOfLogId(firstLogId(NOW + 9))
    const later = headOfLogId(firstLogId(NOW + 63))
    /** 0 to 9 in one row; 10, which failed, in one of its own; 11 to 13, and 14 to 63, which another process wrote. */
    const rows = [
      ...together(head, entries(organizationId, 10)),
      ...entries(organizationId, 11).slice(10),
      ...together(later, entries(organizationId, 14).slice(11)),
      ...together(`${later.slice(0, -1)}1`, entries(organizationId, 64).slice(14)),
    ].map((row, at) => ({
      ...row,
      tookUs: 100 * (at + 1),
      ...(at === 10 && { code: 'upstream_error' }),
    }))
    const names = (from: number, to: number): readonly string[] =>
      Array.from(
        { length: Math.abs(to - from) + 1 },
        (_name, at) => `r${from + (to < from ? -at : at)}`,
      )

    beforeAll(async () => await store().logs.append(organizationId, rows))

    test('come back one by one, from each place in each direction', async () => {
      expect(await store().logs.list(owner, {}, ALL)).toEqual({
        rows: rows.toReversed(),
        scannedTo: null,
      })
      for (const limit of [1, 7, 64])
        for (const isDescending of [true, false]) {
          const found: string[] = []
          let place: Partial<LogPlace> = isDescending ? {} : { afterId: firstLogId(0) }
          for (;;) {
            const page = await store().logs.list(owner, {}, { ...ALL, ...place, limit })
            found.push(...page.rows.map(({ requestId }) => requestId ?? ''))
            const last = page.rows.at(-1)?.logId
            if (last === undefined) break
            place = isDescending ? { beforeId: last } : { afterId: last }
          }
          expect(found).toEqual(isDescending ? names(63, 0) : names(0, 63))
        }
      const each = await Promise.all(rows.map(({ logId }) => store().logs.find(owner, logId)))
      expect(each).toEqual(rows)
      expect(await store().logs.find(owner, logIdAt(head, 10))).toBe(null)
    })

    test.for<[LogFilter, readonly string[]]>([
      [{ minUs: 6200 }, names(63, 61)],
      [{ requestId: 'r5' }, ['r5']],
      [{ requestId: 'r' }, []],
      [{ requestId: 'r63' }, ['r63']],
      [{ fromMs: NOW + 8, toMs: NOW + 13 }, names(12, 8)],
      [{ toMs: NOW + 2, minUs: 150 }, ['r1']],
      [{ failed: true }, ['r10']],
      [{ failed: false, toMs: NOW + 12 }, ['r11', ...names(9, 0)]],
    ])('%j finds those that are asked for', async ([filter, found]) => {
      expect(await idsOf(owner, filter)).toBe(found.join(' '))
      expect(await idsOf(owner, filter, { afterId: firstLogId(0) })).toBe(
        found.toReversed().join(' '),
      )
    })

    test('are looked at a row at a time, and the next call goes on behind it', async () => {
      for (const isDescending of [true, false]) {
        const found: string[] = []
        let place: Partial<LogPlace> = isDescending ? {} : { afterId: firstLogId(0) }
        for (let calls = 0; calls < 10; calls++) {
          const asked = { ...ALL, ...place, limit: 3, scan: 1 }
          const page = await store().logs.list(owner, { minUs: 100 }, asked)
          found.push(...page.rows.map(({ requestId }) => requestId ?? ''))
          const next = page.scannedTo ?? page.rows.at(-1)?.logId
          if (next === undefined || found.length > 60) break
          place = isDescending ? { beforeId: next } : { afterId: next }
        }
        expect(found.slice(0, 20)).toEqual(
          (isDescending ? names(63, 0) : names(0, 63)).slice(0, 20),
        )
      }
    })

    test('are counted each', async () => {
      const span = { fromMs: 0, toMs: NOW + LOG_BUCKET_MS, bucketMs: LOG_BUCKET_MS }
      const { counts } = await store().logs.summary(organizationId, span)
      const counted = await store().logs.count(
        { ...owner, externalUserId: 'user-42' },
        {},
        { ...span, scan: 10 },
      )
      const figures = [
        ['', 63, (100 * 64 * 65) / 2 - 1100, 6400],
        ['upstream_error', 1, 1100, 1100],
      ]
      const figuresOf = (list: readonly LogCount[]): readonly unknown[] =>
        list
          .map(({ code, calls, tookUs, maxUs }) => [code, calls, tookUs, maxUs])
          .toSorted(([a], [b]) => String(a).localeCompare(String(b)))
      expect([figuresOf(counts), figuresOf(counted.counts)]).toEqual([figures, figures])
    })

    test('are removed together', async () => {
      expect(await store().logs.purge(0, 60)).toBeGreaterThanOrEqual(10)
      expect(await idsOf(owner)).toBe(names(63, 10).join(' '))
      await store().logs.purge(0, 54)
      expect(await idsOf(owner)).toBe(names(63, 10).join(' '))
      await store().logs.purge(0, 51)
      expect(await idsOf(owner)).toBe(names(63, 14).join(' '))
    })

    test('K7 of an end user are exported one by one and erased', async () => {
      const user = { organizationId: unique('org'), externalUserId: 'user-42' }
      await store().logs.append(user.organizationId, [
        ...together(head, entries(user.organizationId, 5)),
        ...entries(user.organizationId, 7)
          .slice(5)
          .map((row) => ({ ...row, externalUserId: 'ada' })),
      ])
      const exported: unknown[] = []
      let place: UserPlace | null = null
      do {
        const { rows: some, next }: UserPage = await store().users.page(user, place, 2)
        exported.push(
          ...some.flatMap(({ data }) => ('request_id' in data ? [data.request_id] : [])),
        )
        place = next
      } while (place !== null)
      expect(exported).toEqual(names(0, 4))
      await store().users.erase(user, 'somebody', auditEntry({ ...user, id: 'i' }))
      expect(await idsOf({ organizationId: user.organizationId })).toBe('r6 r5')
      // Figures of what there is are right: two are not too many.
      await store().logs.purge(0, 2)
      expect(await idsOf({ organizationId: user.organizationId })).toBe('r6 r5')
    })
  })

  test('pages of any size, filter and direction have each entry that is asked for once, and no other', async () => {
    const organizationId = unique('org')
    const random = seeded(7)
    const pick = <T>(values: readonly [T, ...T[]]): T =>
      values[Math.floor(random() * values.length)] ?? values[0]
    const start = NOW - (NOW % LOG_BUCKET_MS)
    const rows: LogRow[] = []
    for (let group = 0; group < 60; group++) {
      const head = headOfLogId(firstLogId(start + 1000 * group))
      const shared = {
        instanceId: pick(['i', 'j']),
        externalUserId: pick(['ada', 'bob']),
        code: pick([null, null, 'upstream_error']),
        kind: pick<LogRow['kind']>(['operation', 'refresh']),
      }
      const count = pick([1, 1, 2, 5, MAX_TOGETHER])
      const some = entries(organizationId, count).map((row) => ({
        ...row,
        ...shared,
        // Some are written long after they have ended.
        at: start + 1000 * group - pick([0, 1, 500, 999]),
        tookUs: pick([0, 1000, 1001, 5_000_000]),
        requestId: pick(['r', 'r"', 'r\\', 'ä', ',', null]),
      }))
      const first = bucketOf(some[0]?.at ?? 0)
      const alike = some.map((row) => (bucketOf(row.at) === first ? row : { ...row, at: first }))
      rows.push(...together(head, alike))
    }
    await store().logs.append(organizationId, rows)
    for (let round = 0; round < 60; round++) {
      const fromMs = start + 1000 * pick([0, 7, 30, 59]) + pick([-1, 0, 1])
      const filter: LogFilter = {
        ...(random() < 0.3 && { instanceId: pick(['i', 'j']) }),
        ...(random() < 0.3 && { externalUserId: pick(['ada', 'nobody']) }),
        ...(random() < 0.3 && { failed: pick([true, false]) }),
        ...(random() < 0.3 && { requestId: pick(['r', 'r"', 'r\\', 'ä', ',', '"']) }),
        ...(random() < 0.3 && { words: pick([['r'], ['calls', 'ä'], ['"'], ['ada'], ['step']]) }),
        ...(random() < 0.3 && { minUs: pick([1, 1000, 1001, 5_000_000]) }),
        ...(random() < 0.3 && { fromMs }),
        ...(random() < 0.3 && { toMs: fromMs + pick([0, 1, 999, 20_000]) }),
      }
      const owner = pick<Owner>([{ organizationId }, { organizationId, externalUserId: 'ada' }])
      const isDescending = pick([true, false])
      const { externalUserId: user } = owner
      const mine = rows.filter((row) => (user ?? row.externalUserId) === row.externalUserId)
      const asked = mine.filter((row) => isAsked(row, filter))
      const found: LogRow[] = []
      let place: Partial<LogPlace> = isDescending ? {} : { afterId: firstLogId(0) }
      for (;;) {
        const limit = pick([1, 3, 50, 500])
        const page = await store().logs.list(owner, filter, {
          ...place,
          limit,
          scan: pick([1, 2, 9, 1000]),
        })
        expect(page.rows.length).toBeLessThanOrEqual(limit)
        found.push(...page.rows)
        const next = page.scannedTo ?? (page.rows.length === limit ? page.rows.at(-1)?.logId : null)
        if (next === null || next === undefined) break
        place = isDescending ? { beforeId: next } : { afterId: next }
      }
      const about = JSON.stringify({ round, filter, owner, isDescending })
      expect([about, found.map(({ logId }) => logId)]).toEqual([
        about,
        (isDescending ? asked.toReversed() : asked).map(({ logId }) => logId),
      ])
    }
    // Erasing one of two users leaves every entry of the other.
    const erased = { organizationId, externalUserId: 'ada' }
    await store().users.erase(erased, 'somebody', auditEntry({ ...erased, id: 'i' }))
    const left = await store().logs.list({ organizationId }, {}, { limit: 10_000, scan: 10_000 })
    expect(left.rows).toEqual(
      rows.filter(({ externalUserId }) => externalUserId !== 'ada').toReversed(),
    )
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
      {
        ...count,
        code: 'upstream_error',
        calls: 1,
        tookUs: 20,
        maxUs: 20,
        firstAt: start,
        lastAt: start,
      },
      {
        ...count,
        code: '',
        calls: 3,
        tookUs: 80,
        maxUs: 40,
        firstAt: start,
        lastAt: start + LOG_BUCKET_MS,
      },
    ])
    const callsOf = (list: readonly LogCount[]): readonly string[] =>
      list.map(({ code, calls }) => `${calls} ${code}`).toSorted()
    for (const [filter, found] of [
      [{ failed: true }, ['1 upstream_error']],
      [{ failed: false, kind: 'operation' }, ['3 ']],
      [{ code: 'upstream_error', connectorType: 'gong' }, ['1 upstream_error']],
      [{ entity: 'calls', action: 'list', failed: true }, ['1 upstream_error']],
      [{ kind: 'sync' }, []],
    ] as const) {
      const figures = await store().logs.summary(organizationId, span, filter)
      expect(callsOf(figures.counts)).toEqual(found)
      expect(figures.buckets.reduce((sum, { calls }) => sum + calls, 0)).toBe(
        found.reduce((sum, text) => sum + Number.parseInt(text, 10), 0),
      )
      const all = { ...span, bucketMs: 12 * LOG_BUCKET_MS, scan: 10 }
      expect(callsOf((await store().logs.count(owner, filter, all)).counts)).toEqual(found)
    }
    const ofOthers = { externalUserId: 'ada', upstreamStatus: 200 }
    expect((await store().logs.count(owner, ofOthers, { ...span, scan: 10 })).counts).toEqual([])
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

/** What a filter means, of one entry. */
function isAsked(row: LogRow, filter: LogFilter): boolean {
  const { externalUserId, instanceId, requestId, failed, minUs = 0 } = filter
  const { fromMs = 0, toMs = Infinity } = filter
  return (
    (externalUserId ?? row.externalUserId) === row.externalUserId &&
    (instanceId ?? row.instanceId) === row.instanceId &&
    (requestId ?? row.requestId) === row.requestId &&
    (failed ?? row.code !== null) === (row.code !== null) &&
    (filter.words ?? []).every((word) =>
      [`calls.list gong i j client-1`, row.kind, row.externalUserId, row.code, row.requestId].some(
        (text) => text?.includes(word),
      ),
    ) &&
    row.tookUs >= minUs &&
    row.at >= fromMs &&
    row.at < toMs
  )
}

/** Numbers from 0 to below 1 that repeat from run to run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
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

/** Entries with ids of one row. */
function together(head: string, rows: readonly LogRow[]): readonly LogRow[] {
  return rows.map((row, at) => ({ ...row, logId: logIdAt(head, at) }))
}

function idAt(ms: number, at: number): string {
  return firstLogId(ms).slice(0, -6) + String(at).padStart(6, '0')
}
