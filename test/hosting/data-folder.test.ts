// Data folders that a service cannot work with: each is refused with what is wrong and where, and left as it is.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { serve } from '../../src/hosting/server.ts'
import { createService } from '../../src/hosting/service.ts'
import { SILENT_LOG } from '../../src/service/log.ts'
import { runService } from '../fixtures/running-service.ts'

const above = mkdtempSync(join(tmpdir(), 'tenon-data-folder-'))
afterAll(() => rmSync(above, { recursive: true }))

async function start(data: string): Promise<void> {
  const service = await createService({ data, jobs: false, logger: SILENT_LOG })
  await service.close()
}

/** A folder that a service has worked with. */
async function used(name: string): Promise<string> {
  const data = join(above, name)
  await start(data)
  expect(readdirSync(data)).toContain('copies')
  return data
}

test.for([
  { name: 'gone', damage: (file: string) => rmSync(file) },
  { name: 'empty', damage: (file: string) => truncateSync(file) },
])('D6 a store that is $name is not replaced by a new one', async ({ name, damage }) => {
  const data = await used(name)
  const file = join(data, 'state.sqlite')
  const before = `${file}.before`
  // Kept aside to be put back.
  writeFileSync(before, '')
  renameSync(file, before)
  writeFileSync(file, '')
  damage(file)
  const wasThere = existsSync(file)
  await expect(start(data)).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.stringContaining(file),
  })
  expect(existsSync(file)).toBe(wasThere)
  renameSync(before, file)
  await start(data)
})

test('D6 without a store and without copies a folder is a new one', async () => {
  const data = await used('anew')
  for (const name of ['state.sqlite', 'copies']) rmSync(join(data, name), { recursive: true })
  await start(data)
  expect(existsSync(join(data, 'state.sqlite'))).toBe(true)
})

test.for([
  {
    name: 'damaged store',
    damage: (data: string) =>
      writeFileSync(
        join(data, 'state.sqlite'),
        'no database, and long enough to see it. '.repeat(200),
      ),
    told: { code: 'store_unavailable', details: { reason: 'damaged' } },
    names: 'state.sqlite',
  },
  {
    name: 'folder in place of the store',
    damage: (data: string) => {
      rmSync(join(data, 'state.sqlite'))
      mkdirSync(join(data, 'state.sqlite', 'below'), { recursive: true })
    },
    told: { code: 'store_unavailable', details: { reason: 'away' } },
    names: 'state.sqlite',
  },
  {
    name: 'lock that is none',
    damage: (data: string) =>
      writeFileSync(join(data, 'service.lock'), 'no lock, and long enough to see it. '.repeat(200)),
    told: { code: 'config_invalid' },
    names: 'service.lock',
  },
  {
    name: 'folder in place of the lock',
    damage: (data: string) => {
      rmSync(join(data, 'service.lock'))
      mkdirSync(join(data, 'service.lock'))
    },
    told: { code: 'store_unavailable', details: { reason: 'away' } },
    names: '',
  },
  {
    name: 'file in place of the data folder',
    damage: (data: string) => {
      rmSync(data, { recursive: true })
      writeFileSync(data, '')
    },
    told: { code: 'store_unavailable', details: { reason: 'away' } },
    names: '',
  },
])('D6 a $name is told, with the place', async ({ name, damage, told, names }) => {
  const data = await used(name.replaceAll(' ', '-'))
  damage(data)
  await expect(start(data)).rejects.toMatchObject({
    ...told,
    message: expect.stringContaining(join(data, names)),
  })
})

test('D6 what another service has is told as that', async () => {
  const data = join(above, 'twice')
  const service = await createService({ data, jobs: false, logger: SILENT_LOG })
  await expect(start(data)).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.stringContaining('another service uses the folder'),
  })
  expect(await service.checks()).toMatchObject({ store: 'ok' })
  await service.close()
})

test('D6 a store that is taken away beside a running service is refused, not ready, and in the log with its file', async () => {
  const data = join(above, 'taken')
  const lines: object[] = []
  const note = (facts: object, msg: string): void => void lines.push({ ...facts, msg })
  const service = await createService({
    data,
    port: 0,
    mode: 'dev',
    devToken: 'a-token-for-this-test-of-32-letters',
    // The machine that runs the tests may be busy with others.
    maxLoopDelayMs: 0,
    logger: { ...SILENT_LOG, info: note },
  })
  const server = await serve(service)
  const { url } = server
  const list = async (): Promise<Response> =>
    await fetch(`${url}/v1/integrations/connectors`, {
      headers: { authorization: 'Bearer a-token-for-this-test-of-32-letters' },
    })
  expect((await list()).status).toBe(200)
  const file = join(data, 'state.sqlite')
  renameSync(file, `${file}.elsewhere`)
  const refused = await list()
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'store_unavailable' }])
  expect((await fetch(`${url}/readyz`)).status).toBe(503)
  expect(lines).toContainEqual(
    expect.objectContaining({
      msg: 'request',
      code: 'store_unavailable',
      details: { reason: 'away' },
      cause: expect.stringContaining(file),
    }),
  )
  renameSync(`${file}.elsewhere`, file)
  expect((await list()).status).toBe(200)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  await server.close()
})

/** What a sandbox leaves behind: its store, with an account where `connects` says so. */
async function sandboxed(name: string, connects: boolean): Promise<string> {
  const devToken = 'a-token-for-this-test-of-32-letters'
  await using world = await runService({ data: join(above, name), connectors: ['gong'], devToken })
  if (connects) await world.connect('gong', {}, { as: devToken })
  return join(above, name)
}

test('accounts of a sandbox are not taken over into production', async () => {
  const data = await sandboxed('filled', true)
  await expect(start(data)).rejects.toMatchObject({
    code: 'config_invalid',
    message: `a sandbox made the folder ${data}, and the accounts in it (1) are of local vendors: give production a new folder (data, TENON_DATA), or delete ${join(data, 'sandbox')} to go on with them`,
  })
  // The way out works, and a sandbox may go on with its folder.
  await sandboxed('filled', false)
  rmSync(join(data, 'sandbox'))
  await start(data)
})

test('what a sandbox left empty may be a folder of production, which no sandbox makes its own again', async () => {
  const data = await sandboxed('left-empty', false)
  expect(readdirSync(data)).toContain('sandbox')
  await start(data)
  await sandboxed('left-empty', true)
  await start(data)
  expect(readdirSync(data)).not.toContain('sandbox')
})
