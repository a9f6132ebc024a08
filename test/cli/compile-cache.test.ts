// What Node compiled for a command is kept for the next one, where the user keeps such things.
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

import { type Run, tenon } from './run-tenon.ts'

const above = mkdtempSync(join(tmpdir(), 'tenon-compile-cache-'))
afterAll(() => rmSync(above, { recursive: true }))

/** Instead of the place that all processes of tests share. */
const UNSET = { NODE_COMPILE_CACHE: '' }

function newHome(): string {
  return mkdtempSync(join(above, 'home-'))
}

async function version(env: Readonly<Record<string, string>>): Promise<Run> {
  return await tenon(['--version'], { env })
}

const DONE = { code: 0, out: expect.stringMatching(/^\d+\./), err: '' }

test.skipIf(process.platform !== 'linux')('it is kept in the home, for its user only', async () => {
  const HOME = newHome()
  expect(await version({ ...UNSET, HOME })).toEqual(DONE)
  const folder = join(HOME, '.cache/tenon/compiled')
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(readdirSync(folder)).toHaveLength(1)
})

test.skipIf(process.platform === 'win32')('XDG_CACHE_HOME wins over the home', async () => {
  const [HOME, XDG_CACHE_HOME] = [newHome(), newHome()]
  expect(await version({ ...UNSET, HOME, XDG_CACHE_HOME })).toEqual(DONE)
  expect(readdirSync(HOME)).toEqual([])
  expect(readdirSync(join(XDG_CACHE_HOME, 'tenon/compiled'))).toHaveLength(1)
})

test.for([
  {
    name: 'where NODE_COMPILE_CACHE says',
    env: { NODE_COMPILE_CACHE: join(above, 'elsewhere') },
  },
  { name: 'nowhere with NODE_DISABLE_COMPILE_CACHE', env: { NODE_DISABLE_COMPILE_CACHE: '1' } },
  { name: 'nowhere without a home', env: { HOME: '' } },
  { name: 'nowhere where the home is no path', env: { HOME: 'home' } },
])('it is kept $name', async ({ env }) => {
  const HOME = newHome()
  expect(await version({ ...UNSET, HOME, ...env })).toEqual(DONE)
  expect(readdirSync(HOME)).toEqual([])
})

test.skipIf(process.getuid?.() !== 0)(
  'a home of somebody else is left alone: what lies there is not run',
  async () => {
    const HOME = newHome()
    chownSync(HOME, 12_345, 12_345)
    expect(await version({ ...UNSET, HOME })).toEqual(DONE)
    expect(readdirSync(HOME)).toEqual([])
  },
)

test('a home that cannot be written does no harm', async () => {
  const HOME = newHome()
  chmodSync(HOME, 0o500)
  expect(await version({ ...UNSET, HOME })).toEqual(DONE)
  // Takes no folders from anybody, and says so in an unusual way.
  if (process.platform === 'linux') expect(await version({ ...UNSET, HOME: '/proc' })).toEqual(DONE)
})
