import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileKeys, KEY_FILE } from '../../../../src/service/vault/keys/file-keys.ts'

let folder: string
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'tenon-keys-')), 'data')
})
afterEach(async () => {
  await rm(join(folder, '..'), { recursive: true })
})

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8)
}

test('K1 the first start makes a private folder and a private key file, the next one reads it', async () => {
  const first = await fileKeys(folder)
  expect([await modeOf(folder), await modeOf(join(folder, KEY_FILE))]).toEqual(['700', '600'])
  expect(await readdir(folder)).toEqual([KEY_FILE])
  const { keyId, wrapped } = await first.wrap(Buffer.from('data key'))
  const second = await fileKeys(folder)
  expect(second.keyIds).toEqual(['k1'])
  expect(Buffer.from(await second.unwrap(keyId, wrapped)).toString()).toBe('data key')
})

test('starts at once agree on one key', async () => {
  const providers = await Promise.all(Array.from({ length: 8 }, () => fileKeys(folder)))
  const [one, ...others] = providers
  const { wrapped } = (await one?.wrap(Buffer.from('data key'))) ?? { wrapped: new Uint8Array() }
  for (const other of others)
    expect(Buffer.from(await other.unwrap('k1', wrapped)).toString()).toBe('data key')
  expect(await readdir(folder)).toEqual([KEY_FILE])
})

test('a second line is an older key', async () => {
  await fileKeys(folder)
  const file = join(folder, KEY_FILE)
  const old = await readFile(file, 'utf8')
  await writeFile(file, `k2:${Buffer.alloc(32, 2).toString('base64')}\n${old}`)
  expect((await fileKeys(folder)).keyIds).toEqual(['k2', 'k1'])
})

test.for([
  {
    name: 'a key file that others may read',
    path: KEY_FILE,
    mode: 0o640,
    want: /mode 0640.*chmod 600/,
  },
  { name: 'a folder that others may enter', path: '.', mode: 0o755, want: /mode 0755.*chmod 700/ },
])('K1 $name is refused with the way out', async ({ path, mode, want }) => {
  await fileKeys(folder)
  await chmod(join(folder, path), mode)
  await expect(fileKeys(folder)).rejects.toThrow(want)
})
