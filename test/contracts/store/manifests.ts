import { expect, test } from 'vitest'
import type { PublishedManifest } from '../../../src/service/store/manifests.ts'
import type { Store } from '../../../src/service/store/store.ts'
import { uuidv7 } from '../../../src/service/store/uuid.ts'
import { organizationEntry, storedInstance, unique } from './rows.ts'
import type { StoreSubject } from './subject.ts'

type Given = Omit<PublishedManifest, 'publishedAt' | 'publishedBy'>

let sequence = 1_795_000_000_000

function version(connectorType: string, number: string, text = `text of ${number}`): Given {
  const facts = { hash: `sha256-${text}`, manifest: text, note: `the ${number}` }
  return { connectorType, version: number, manifestId: uuidv7(sequence++), ...facts }
}

export function manifests(subject: () => StoreSubject, store: () => Store): void {
  const audit = organizationEntry('acme', 'manifest.publish')

  async function currentOf(connectorType: string, given = store()): Promise<readonly string[]> {
    const rows = await given.manifests.current()
    return rows.filter((row) => row.connectorType === connectorType).map((row) => row.version)
  }

  test('a version that is published is there for good, is current, and is seen by every process', async () => {
    const other = await subject().open()
    const type = unique('type')
    const first = version(type, '1.0.0')
    expect(await store().manifests.publish(first, { major: '1', before: null }, audit)).toBe('done')
    const known = { ...first, publishedBy: 'cli', publishedAt: expect.any(Number) }
    expect(await other.manifests.find(type, '1.0.0')).toEqual(known)
    expect(await other.manifests.find(type, '1.0.1')).toBe(null)
    const rows = await other.manifests.current()
    expect(rows.find((row) => row.connectorType === type)).toEqual({
      connectorType: type,
      major: '1',
      version: '1.0.0',
      changedBy: 'cli',
      changedAt: expect.any(Number),
    })
  })

  test('the newest come first, without their texts, page by page', async () => {
    const type = unique('type')
    const rows = ['1.0.0', '1.1.0', '2.0.0'].map((number) => version(type, number))
    let before: string | null = null
    for (const row of rows) {
      const major = row.version.slice(0, 1)
      await store().manifests.publish(row, { major, before: major === '1' ? before : null }, audit)
      before = row.version
    }
    expect(await currentOf(type)).toEqual(['1.1.0', '2.0.0'])
    const page = await store().manifests.list({ connectorType: type, limit: 2 })
    const { manifest: _, ...shown } = rows[2] ?? version(type, '')
    expect(page[0]).toEqual({ ...shown, publishedBy: 'cli', publishedAt: expect.any(Number) })
    expect(page.map((row) => row.version)).toEqual(['2.0.0', '1.1.0'])
    const rest = { connectorType: type, limit: 2, beforeId: page[1]?.manifestId }
    expect((await store().manifests.list(rest)).map((row) => row.version)).toEqual(['1.0.0'])
    expect((await store().manifests.list({ limit: 1 })).map((row) => row.version)).toEqual([
      '2.0.0',
    ])
  })

  test('a version is published once: another text of it changes nothing', async () => {
    const type = unique('type')
    const { manifests: rows } = store()
    await rows.publish(version(type, '1.0.0'), { major: '1', before: null }, audit)
    const again = version(type, '1.0.0')
    expect(await rows.publish(again, { major: '1', before: '1.0.0' }, audit)).toBe('done')
    expect((await rows.find(type, '1.0.0'))?.manifestId).not.toBe(again.manifestId)
    const forged = version(type, '1.0.0', 'another text')
    expect(await rows.publish(forged, { major: '1', before: '1.0.0' }, audit)).toBe('taken')
    expect((await rows.find(type, '1.0.0'))?.manifest).toBe('text of 1.0.0')
  })

  test('of changes at the same time one is made, and leaves the other no trace', async () => {
    const other = await subject().open()
    const type = unique('type')
    await store().manifests.publish(version(type, '1.0.0'), { major: '1', before: null }, audit)
    const results = await Promise.all(
      [store(), other].map((each, index) =>
        each.manifests.publish(
          version(type, `1.1.${index}`),
          { major: '1', before: '1.0.0' },
          audit,
        ),
      ),
    )
    expect(results.toSorted()).toEqual(['done', 'moved'])
    expect(await store().manifests.list({ connectorType: type, limit: 9 })).toHaveLength(2)
    const late = version(type, '1.2.0')
    expect(await store().manifests.publish(late, { major: '1', before: null }, audit)).toBe('moved')
    expect(await store().manifests.find(type, '1.2.0')).toBe(null)
  })

  test('an earlier version is made current again, or none is; the audit log has each change once', async () => {
    const type = unique('type')
    const organizationId = unique('org')
    const { manifests: rows, audit: log } = store()
    const entry = (action: string) => organizationEntry(organizationId, `manifest.${action}`)
    const place = { connectorType: type, major: '1' }
    await rows.publish(version(type, '1.0.0'), { major: '1', before: null }, entry('publish'))
    await rows.publish(version(type, '1.1.0'), { major: '1', before: '1.0.0' }, entry('publish'))
    const from = (before: string) => ({ ...place, before })
    expect(await rows.makeCurrent(from('1.0.0'), '1.1.0', entry('rollback'))).toBe('moved')
    expect(await rows.makeCurrent(from('1.1.0'), '1.0.0', entry('rollback'))).toBe('done')
    expect(await currentOf(type)).toEqual(['1.0.0'])
    expect(await rows.makeCurrent(from('1.1.0'), null, entry('unpublish'))).toBe('moved')
    expect(await rows.makeCurrent(from('1.0.0'), null, entry('unpublish'))).toBe('done')
    expect(await currentOf(type)).toEqual([])
    expect(await rows.find(type, '1.1.0')).not.toBe(null)
    const events = await log.list({ organizationId }, { limit: 9 })
    expect(events.map(({ action }) => action).toSorted()).toEqual([
      'manifest.publish',
      'manifest.publish',
      'manifest.rollback',
      'manifest.unpublish',
    ])
  })

  test('instances of a connector are counted by version, of all organisations', async () => {
    const connectorType = unique('type')
    for (const connectorVersion of ['1.0.0', '1.0.0', '2.0.0'])
      await storedInstance(store(), {
        connectorType,
        connectorVersion,
        organizationId: unique('org'),
      })
    const { versions, isWhole } = await store().manifests.instances(connectorType)
    expect(isWhole).toBe(true)
    expect(versions.toSorted((a, b) => a.count - b.count)).toEqual([
      { version: '2.0.0', count: 1 },
      { version: '1.0.0', count: 2 },
    ])
  })
}
