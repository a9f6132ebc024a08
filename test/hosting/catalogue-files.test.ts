// Which manifests a service serves, where files of the package are missing.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { loadServedManifests } from '../../src/hosting/catalogue-files.ts'

const above = mkdtempSync(join(tmpdir(), 'tenon-packaged-'))
afterAll(() => rmSync(above, { recursive: true }))

const FOLDERS = [
  { name: 'is empty', folder: above },
  { name: 'is not there', folder: join(above, 'manifests') },
]

test.for(FOLDERS)('a folder of the package that $name is named', async ({ folder }) => {
  await expect(
    loadServedManifests([], null, { folder: pathToFileURL(folder) }),
  ).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.stringContaining(`there is no manifest in ${folder}, where`),
  })
})

test.for(FOLDERS)('manifests of the operator do where it $name', async ({ folder }) => {
  const own = ['test/types/manifests/acme.yaml']
  const { types } = await loadServedManifests(own, null, { folder: pathToFileURL(folder) })
  expect(types).toEqual(['acme'])
})
