import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { afterAll, expect, test } from 'vitest'
import type { Store } from '../../../../src/service/store/store.ts'
import { databaseOf, openStore } from '../../../../src/service/store/open/open-store.ts'
import { entries, seeded } from '../../../contracts/store/logs.ts'
import {
  auditEntry,
  credentialInput,
  storedInstance,
  tokenRow,
} from '../../../contracts/store/rows.ts'
import { sqliteSubject, tamper } from '../../../contracts/store/subject.ts'

const subject = await sqliteSubject()
afterAll(() => subject.close())
const store = await subject.open()
const ACME = { organizationId: 'acme' }

/** The files of the store that hold a text. */
function filesWith(text: string): readonly string[] {
  return readdirSync(subject.folder).filter((name) =>
    readFileSync(join(subject.folder, name)).includes(text),
  )
}

test('the folder and its files are for their user only', () => {
  expect(statSync(subject.folder).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(subject.folder))
    expect([name, statSync(join(subject.folder, name)).mode & 0o777]).toEqual([name, 0o600])
})

test.for([30, 300, 3000])(
  'of %i entries of a user, among those of others, an erasure leaves no byte in the files',
  async (count) => {
    const organizationId = `erased-${count}`
    const externalUserId = `gone-of-${count}`
    const random = seeded(count)
    const rows = entries(organizationId, count * 2).map((row, at) => ({
      ...row,
      ...(at % 3 !== 0 && { externalUserId, instanceId: `i${at % 5}` }),
      data: { detail: (at % 3 === 0 ? 'x' : externalUserId).repeat(1 + random() * 9) },
    }))
    // As they come in: pages that are full are divided.
    for (let at = 0; at < rows.length; at += 3)
      await store.logs.append(organizationId, rows.slice(at, at + 3))
    expect(filesWith(externalUserId)).not.toEqual([])
    const user = { organizationId, externalUserId }
    await store.users.erase(user, 'somebody', auditEntry({ ...user, id: 'i' }))
    expect(filesWith(externalUserId)).toEqual([])
  },
)

test('commits are on disk before they are acknowledged', async () => {
  const settings = ['journal_mode', 'synchronous', 'secure_delete', 'foreign_keys', 'busy_timeout']
  const values = []
  for (const name of settings) values.push(await tamper(store, `pragma ${name}`))
  expect(values).toEqual([
    [{ journal_mode: 'wal' }],
    [{ synchronous: 2 }],
    [{ secure_delete: 1 }],
    [{ foreign_keys: 1 }],
    [{ timeout: 2000 }],
  ])
})

test('K7 what was deleted is in no file afterwards', async () => {
  const row = await storedInstance(store, {}, credentialInput('canary-of-the-credentials'))
  await store.dataKeys.put(row.id, {
    version: 1,
    keyId: 'k',
    wrapped: new TextEncoder().encode('canary-of-the-data-key'),
  })
  expect(filesWith('canary-of-the-credentials')).not.toEqual([])
  await store.instances.delete(ACME, row.id, auditEntry(row))
  expect(filesWith('canary-of-the-credentials')).toEqual([])
  expect(filesWith('canary-of-the-data-key')).toEqual([])
})

test('K7 credentials that were replaced are in no file afterwards', async () => {
  const row = await storedInstance(store, {}, credentialInput('canary-of-the-old-ones'))
  await store.credentials.replace(
    ACME,
    row.id,
    { seal: async () => credentialInput('the new ones'), oauthSecretHash: null },
    auditEntry(row),
  )
  expect(filesWith('canary-of-the-old-ones')).toEqual([])
  expect(filesWith('the new ones')).not.toEqual([])
})

test('D2 on a full disk reads go on, changes are refused whole, and go on once there is room', async () => {
  const row = await storedInstance(store)
  // SQLite fails in the same way as on a disk without room, and undoes the transaction in the same way.
  await tamper(store, 'pragma max_page_count = 1')
  const big = 'x'.repeat(100_000)
  const update = async (): Promise<unknown> =>
    await store.instances.update(ACME, row.id, { name: big }, auditEntry(row, 'big'))
  for (let i = 0; i < 3; i++) {
    await expect(update()).rejects.toMatchObject({
      code: 'store_unavailable',
      retryable: true,
      retryAfterMs: 1000,
      details: { reason: 'full' },
    })
  }
  await expect(store.tokens.insert(tokenRow({ hash: big }))).rejects.toMatchObject({
    code: 'store_unavailable',
  })
  expect((await store.instances.get(ACME, row.id))?.name).toBe('Gong of ACME')
  expect(await store.credentials.read(row.id)).toEqual({ generation: 1, ...credentialInput() })
  await tamper(store, 'pragma max_page_count = 1000000')
  await update()
  expect((await store.instances.get(ACME, row.id))?.name).toBe(big)
  expect(await store.audit.verify()).toBe(null)
})

test('reads do not wait for a change under way', async () => {
  const row = await storedInstance(store)
  const others = Array.from({ length: 200 }, (_, i) =>
    store.instances.update(ACME, row.id, { name: `name ${i}` }, auditEntry(row)),
  )
  let done = 0
  for (const other of others) void other.then(() => (done += 1))
  await store.instances.get(ACME, row.id)
  expect(done).toBeLessThan(100)
  await Promise.all(others)
  expect((await store.instances.get(ACME, row.id))?.name).toBe('name 199')
})

test('D2 a folder that cannot be made and a file that is no database are no stores', async () => {
  const folder = join(subject.folder, '..', 'other')
  mkdirSync(folder)
  const file = join(folder, 'file')
  writeFileSync(file, '')
  await expect(openStore({ folder: join(file, 'below') })).rejects.toMatchObject({
    code: 'store_unavailable',
    details: { reason: 'away' },
  })
  writeFileSync(
    join(folder, 'state.sqlite'),
    'this is text, and long enough to be looked at'.repeat(40),
  )
  await expect(openStore({ folder })).rejects.toMatchObject({
    code: 'store_unavailable',
    details: { reason: 'damaged' },
  })
})

test('a store that was closed says so', async () => {
  const other = await subject.open()
  await other.close()
  await expect(other.health()).rejects.toThrow('destroyed')
})

test('D6 a file that was taken away is not written to, no other one is made, and it is used again once it is back', async () => {
  const other = await sqliteSubject()
  const taken = await other.open()
  const row = await storedInstance(taken)
  const file = join(other.folder, 'state.sqlite')
  renameSync(file, `${file}.elsewhere`)
  const away = { code: 'store_unavailable', details: { reason: 'away' } }
  const update = async (name: string): Promise<unknown> =>
    await taken.instances.update(ACME, row.id, { name }, auditEntry(row, name))
  await expect(update('lost')).rejects.toMatchObject(away)
  await expect(taken.health()).rejects.toMatchObject(away)
  expect(existsSync(file)).toBe(false)
  writeFileSync(file, 'another one')
  await expect(update('lost')).rejects.toMatchObject(away)
  renameSync(`${file}.elsewhere`, file)
  await update('kept')
  expect((await taken.instances.get(ACME, row.id))?.name).toBe('kept')
  await other.close()
})

test('D6 when the thread has ended what is under way fails whole, and another one goes on after a pause', async () => {
  const other = await sqliteSubject()
  const threads: Worker[] = []
  const note = (worker: Worker): void => void threads.push(worker)
  process.on('worker', note)
  const lasting = await other.open()
  const row = await storedInstance(lasting)
  const update = async (name: string): Promise<unknown> =>
    await lasting.instances.update(ACME, row.id, { name }, auditEntry(row, name))
  const away = { code: 'store_unavailable', retryable: true, details: { reason: 'away' } }
  const { db } = databaseOf(lasting)
  await expect(
    db.transaction().execute(async (tx) => {
      await tx.updateTable('connector_instance').set({ name: 'half' }).execute()
      await threads[0]?.terminate()
      // Waits for time: the pause before another thread is a second.
      await sleep(1_050)
      // Another thread would take it outside of the transaction.
      await tx.updateTable('connector_instance').set({ name: 'the other half' }).execute()
    }),
  ).rejects.toMatchObject(away)
  expect((await lasting.instances.get(ACME, row.id))?.name).toBe('Gong of ACME')
  await update('after')
  expect((await lasting.instances.get(ACME, row.id))?.name).toBe('after')
  expect(await lasting.audit.verify()).toBe(null)
  await threads[1]?.terminate()
  // Till the pause is over, which is longer each time.
  await expect(update('too early')).rejects.toMatchObject(away)
  await expect(lasting.health()).rejects.toMatchObject(away)
  process.off('worker', note)
  expect(threads).toHaveLength(2)
  await other.close()
})

test('what /readyz asks does not wait for a transaction that is under way', async () => {
  const { promise: free, resolve } = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const writing = databaseOf(store)
    .db.transaction()
    .execute(async (tx) => {
      await tx.deleteFrom('token').where('organizationId', '=', 'nobody').execute()
      begun.resolve()
      await free
    })
  await begun.promise
  try {
    expect(await Promise.all([store.health(), store.migrations.pending()])).toEqual(['ok', 0])
  } finally {
    resolve()
    await writing
  }
})

test.for([
  { name: 'by another store', from: 'another', again: 'stranger' },
  { name: 'by an earlier state of itself', from: 'earlier', again: 'earlier' },
  { name: 'by text', from: 'text', again: null },
  { name: 'by nothing', from: 'nothing', again: null },
])(
  'D6 a file that is written over while it is open ($name) gives no rows and takes none, and the new content stays whole',
  async ({ from, again }, { onTestFinished }) => {
    const subjects = [await sqliteSubject(), await sqliteSubject()] as const
    onTestFinished(async () => {
      for (const each of subjects) await each.close()
    })
    const [another, { folder }] = subjects
    const stranger = await another.open()
    await storedInstance(stranger, { name: 'stranger' })
    await stranger.close()
    const file = join(folder, 'state.sqlite')
    const open = await openStore({ folder, isOwner: true })
    const row = await storedInstance(open)
    const rename = async (name: string): Promise<unknown> =>
      await open.instances.update(ACME, row.id, { name }, auditEntry(row, name))
    const names = async (store: Store): Promise<readonly string[]> =>
      (await store.instances.list(ACME, { limit: 9 })).rows.map(({ name }) => name)
    await rename('earlier')
    await tamper(open, 'pragma wal_checkpoint(truncate)')
    const contents: Readonly<Record<string, Buffer | string>> = {
      another: readFileSync(join(another.folder, 'state.sqlite')),
      earlier: readFileSync(file),
      text: 'this is text, and long enough to be looked at'.repeat(4_000),
      nothing: '',
    }
    await rename('later')
    await tamper(open, 'pragma wal_checkpoint(truncate)')
    await rename('latest')
    expect(await names(open)).toEqual(['latest'])
    const content = contents[from] ?? ''
    writeFileSync(file, content)
    const refused = {
      code: 'store_unavailable',
      details: { reason: 'away' },
      cause: expect.objectContaining({ message: expect.stringContaining('written over') }),
    }
    await expect(names(open)).rejects.toMatchObject(refused)
    await expect(rename('lost')).rejects.toMatchObject(refused)
    await open.close()
    expect(readFileSync(file).equals(Buffer.from(content))).toBe(true)
    // What was in no file yet is kept.
    expect(readFileSync(`${file}-wal.overwritten`).includes('latest')).toBe(true)
    if (again === null) return
    const next = await openStore({ folder, isOwner: true })
    expect(await names(next)).toEqual([again])
    await next.close()
  },
)

test('D6 what commands write and checkpoint beside the one that owns a file is no other content', async () => {
  const other = await sqliteSubject()
  const owner = await openStore({ folder: other.folder, isOwner: true })
  const row = await storedInstance(owner)
  for (let n = 0; n < 5; n++) {
    const command = await other.open()
    await command.instances.update(ACME, row.id, { name: `${n}` }, auditEntry(row, `${n}`))
    await tamper(command, 'pragma wal_checkpoint(truncate)')
    await command.close()
    expect((await owner.instances.get(ACME, row.id))?.name).toBe(`${n}`)
    await owner.instances.update(ACME, row.id, { name: `own ${n}` }, auditEntry(row, 'own'))
    await tamper(owner, 'pragma wal_checkpoint(truncate)')
    expect((await owner.instances.get(ACME, row.id))?.name).toBe(`own ${n}`)
  }
  await owner.close()
  await other.close()
})
