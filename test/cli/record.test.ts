import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadManifestFile, requireManifest } from '../../src/language/manifest/load.ts'
import { loadDemo } from '../../src/sandbox/open-sandbox.ts'
import { manifestCases } from '../../src/sandbox/testing/manifest-cases.ts'
import { tenonHere } from './run-here.ts'
import { folderOf, tenon } from './run-tenon.ts'

test('a recording holds no secret, and is replayed as a case of its manifest', async () => {
  const folder = folderOf({})
  const { code, out } = await tenon(
    [
      'try',
      'jira',
      'issues.get',
      '--params',
      '{"issueIdOrKey":"OPS-1"}',
      '--record',
      'issues.get',
      '--sandbox',
    ],
    { folder },
  )
  expect({ code, out }).toEqual({
    code: 0,
    out: `${join(folder, 'test/recordings/jira/issues.get.json')}\n`,
  })
  const files = readdirSync(join(folder, 'test/recordings'), {
    recursive: true,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
  expect(files).toHaveLength(2)
  const basic = Buffer.from('maren.osterloh@tallow.example:demo-api-token').toString('base64')
  for (const text of files) {
    expect(text).not.toContain('demo-api-token')
    expect(text).not.toContain(basic)
  }
  const file = 'manifests/jira.yaml'
  const manifest = requireManifest(await loadManifestFile(file))
  const recordings = join(folder, 'test/recordings')
  const cases = manifestCases(manifest, { demo: await loadDemo(file, manifest), recordings })
  // The other cases of this manifest are run elsewhere.
  const replayed = cases.filter(({ name }) => name === 'jira issues.get as it was recorded')
  expect(replayed).toHaveLength(1)
  for (const { run } of replayed) await run()
})

test('a file cannot be recorded', async () => {
  const { code, err } = await tenonHere(
    ['try', 'gong', 'call_audio.download', '--record', 'audio', '--sandbox'],
    { folder: folderOf({}) },
  )
  expect(code).toBe(2)
  expect(err).toContain('cannot be recorded')
})
