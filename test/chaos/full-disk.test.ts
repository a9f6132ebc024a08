// A disk without room: reads are served, writes refused, syncs wait, and all goes on once there is room.
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createNotesVendor, noteOf } from '../copy/sync/notes-vendor.ts'
import { eventually } from '../faults/resources.ts'
import { RUNS_LONG } from '../fixtures/sizes.ts'
import { startAcmeVendor } from './acme-vendor.ts'
import { type Answer, execute, folderFleet } from './processes.ts'

const NOTES = 300
/** With thousands of words each. */
const MANY = 6_000

interface SmallDisk extends Disposable {
  readonly path: string
  fill(): void
  makeRoom(): void
  /** Makes it as large as that. */
  grow(mib: number): void
}

/** A file system of its own with so many MiB; null: this user may not mount one. */
function mountSmallDisk(mib: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), 'tenon-small-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', path])
  const remove = (): void => rmSync(path, { recursive: true, force: true })
  if (mounted.status !== 0) {
    remove()
    return null
  }
  const filler = join(path, 'filler')
  return {
    path,
    fill() {
      const file = openSync(filler, 'a')
      try {
        for (;;) writeSync(file, Buffer.alloc(4096))
      } catch {
        closeSync(file)
      }
    },
    makeRoom: () => rmSync(filler),
    grow: (size) => void spawnSync('mount', ['-o', `remount,size=${size}m`, path]),
    [Symbol.dispose]() {
      spawnSync('umount', [path])
      remove()
    },
  }
}

test.runIf(RUNS_LONG)(
  'D2 on a full disk searches and reads are answered, writes are refused before they are sent, and syncs go on once there is room',
  async (context) => {
    using disk = mountSmallDisk(24)
    if (disk === null) return context.skip('no file system may be mounted')
    await using notes = await createNotesVendor(NOTES)
    await using acme = await startAcmeVendor()
    await using fleet = folderFleet()
    const manifests = ['acme.yaml', 'notes.yaml'].map((file) => join(import.meta.dirname, file))
    const env = {
      TENON_DATA: join(disk.path, 'data'),
      TENON_MANIFESTS: manifests.join(','),
      TENON_CONNECTORS: 'acme,notes',
    }
    const serve = await fleet.start({ env })
    const connect = async (connector_type: string, server_url: string): Promise<Answer> =>
      await serve.call('POST', '/v1/integrations/connectors?check=false', {
        external_user_id: 'user-1',
        connector_type,
        name: connector_type,
        credentials: { api_key: 'key-of-notes' },
        server_url,
      })
    const idOf = ({ body }: Answer): string => (body as { readonly id: string }).id
    const copied = idOf(await connect('notes', notes.http.url))
    const customers = idOf(await connect('acme', acme.url))
    const sync = async (): Promise<
      { readonly complete: boolean; readonly records: number } | undefined
    > => {
      const { body } = await serve.call('GET', `/v1/integrations/connectors/${copied}/sync`)
      return (body as { data: readonly { complete: boolean; records: number }[] }).data[0]
    }
    const startSync = (): Promise<Answer> =>
      serve.call('POST', `/v1/integrations/connectors/${copied}/sync`, {})
    const search = (): Promise<Answer> =>
      execute(serve, copied, 'notes.search', { query: { filter: { keyword: { text: 'note' } } } })
    const ready = async (): Promise<{ readonly code: number; readonly writes: boolean }> => {
      const { status, body } = await serve.call('GET', '/readyz', undefined, { token: null })
      return { ...(body as { readonly writes: boolean }), code: status }
    }
    await eventually(async () => (await sync())?.complete === true)

    disk.fill()
    await eventually(async () => !(await ready()).writes)
    expect(await ready()).toMatchObject({ code: 200, status: 'ready', writes: false })
    // The first one of this organisation, and others.
    for (let n = 0; n < 3; n++) expect((await search()).status).toBe(200)
    expect((await execute(serve, customers, 'customers.list')).status).toBe(200)
    expect((await serve.call('GET', '/v1/integrations/connectors')).status).toBe(200)
    const refused = await execute(serve, customers, 'customers.create', { name: 'nobody' })
    expect([refused.status, refused.body]).toMatchObject([
      503,
      { code: 'store_unavailable', outcome: 'not_applied' },
    ])
    expect(acme.created.get('nobody')).toBe(undefined)
    expect((await connect('acme', acme.url)).status).toBe(503)

    // Room for the store, and too little for what is read now.
    disk.makeRoom()
    for (let n = NOTES + 1; n <= MANY; n++)
      notes.notes.set(noteOf(n).id, noteOf(n, `note ${'of many words '.repeat(400)} ${n}`))
    await eventually(async () => (await startSync()).status === 202)
    const isTold = (): boolean =>
      serve.log().some(({ job, details }) => job === 'sync' && Object(details)['reason'] === 'full')
    await eventually(isTold, 300_000)
    expect((await search()).status).toBe(200)
    expect((await sync())?.records).toBeGreaterThanOrEqual(NOTES)
    disk.grow(400)
    await eventually(async () => (await startSync()).status === 202)
    await eventually(async () => (await sync())?.records === MANY, 300_000)
    expect(await ready()).toMatchObject({ code: 200, writes: true })
    expect(serve.child.exitCode).toBe(null)
    expect(await serve.stop()).toEqual({ code: 0, signal: null })
  },
)

test.runIf(RUNS_LONG)(
  'D2 a first start on a full disk ends with the folder and the reason',
  async (context) => {
    using disk = mountSmallDisk(1)
    if (disk === null) return context.skip('no file system may be mounted')
    disk.fill()
    await using fleet = folderFleet()
    const { code, err } = await fleet.run(['serve'], { TENON_DATA: join(disk.path, 'data') })
    expect([code, err]).toEqual([4, expect.stringMatching(/data.*(full|no space)/is)])
  },
)
