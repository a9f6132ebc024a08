import { readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { loadManifest, loadManifests } from '../../src/client/load-manifest.ts'
import { isConnectorError } from '../../src/errors.ts'
import { folderOf } from '../cli/run-tenon.ts'

const ACME = readFileSync('test/types/manifests/acme.yaml', 'utf8')
const BETA = ACME.replace('type: acme', 'type: beta')

test('a folder gives its manifests by type', async () => {
  const folder = folderOf({ 'acme.yaml': ACME, 'beta.yaml': BETA, 'notes.md': 'not one' })
  const manifests = await loadManifests(pathToFileURL(folder))
  expect([...manifests.keys()]).toEqual(['acme', 'beta'])
  const acme = manifests.get('acme')
  if (acme === undefined) throw new Error('there is no acme')
  await using client = await connect(acme, {
    credentials: { api_key: 'k' },
    config: { region: 'eu' },
  })
  expect(client.describe().map(({ entity }) => entity)).toEqual(['customers'])
})

test('the problems of all files come at once', async () => {
  const folder = folderOf({
    'acme.yaml': ACME.replace('entities:', 'entitys:'),
    'beta.yaml': BETA.replace('summary:', 'sumary:'),
  })
  const error: unknown = await loadManifests(folder).catch((reason: unknown) => reason)
  if (!isConnectorError(error, 'manifest_invalid')) throw error
  const problems = error.details['problems'] as readonly { readonly file: string }[]
  expect([...new Set(problems.map(({ file }) => file))]).toEqual([
    join(folder, 'acme.yaml'),
    join(folder, 'beta.yaml'),
  ])
})

test('a folder without manifests is refused', async () => {
  await expect(loadManifests(folderOf({ 'a.txt': '' }))).rejects.toMatchObject({
    code: 'manifest_invalid',
  })
})

test('a pinned file is taken when it is the same, and refused when it is another', async () => {
  const file = join(folderOf({ 'acme.yaml': ACME }), 'acme.yaml')
  const sha256 = createHash('sha256').update(ACME).digest('hex')
  expect((await loadManifest(file, { sha256 })).type).toBe('acme')
  await expect(loadManifest(file, { sha256: '0'.repeat(64) })).rejects.toMatchObject({
    code: 'manifest_invalid',
    details: { sha256 },
  })
})
