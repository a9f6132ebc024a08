// `tenon manifests` against a running service.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningService, runService } from '../fixtures/running-service.ts'
import { acme } from '../service/manifests/acme.ts'
import { tenonHere } from './run-here.ts'
import type { Run } from './run-tenon.ts'

let world: RunningService
let folder: string

beforeAll(async () => {
  world = await runService({ connectors: ['gong', 'acme'], publishOrganization: 'default' })
  folder = await mkdtemp(join(tmpdir(), 'tenon-manifests-'))
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

async function manifests(...words: readonly string[]): Promise<Run> {
  const env = { TENON_URL: world.url, TENON_TOKEN: world.token }
  return await tenonHere(['manifests', ...words], { env, folder })
}

async function file(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text)
  return name
}

test('a version is tried, published, listed, brought back and ended', async () => {
  const first = await file('acme.yaml', acme())
  expect(await manifests('publish', first, '--dry-run')).toMatchObject({
    code: 0,
    out: 'acme 1.0.0: would be published\ninstances of this major (0) run by published 1.0.0\n',
  })
  expect((await manifests('publish', first, '--note', 'The first')).code).toBe(0)
  const second = await file('next.yaml', acme({ version: '1.1.0', fields: ['name'] }))
  const published = await manifests('publish', second)
  expect(published.out).toContain('acme 1.1.0: published')
  expect(published.out).toContain('1.0.0 → 1.1.0: the changes ask for a minor step')
  const versions = await manifests('versions', 'acme', '--json')
  expect(JSON.parse(`[${versions.out.trimEnd().replaceAll('\n', ',')}]`)).toMatchObject([
    { version: '1.1.0', served: true },
    { version: '1.0.0', current: false, note: 'The first' },
  ])
  expect((await manifests('show', 'acme', '1.0.0')).out).toBe(acme())
  const refused = await manifests('rollback', 'acme', '1.0.0')
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('accept')])
  const back = await manifests('rollback', 'acme', '1.0.0', '--accept-breaking')
  expect(back).toMatchObject({ code: 0, out: expect.stringContaining('acme 1.0.0: current again') })
  const end = await manifests('unpublish', 'acme', '1.0.0')
  expect(end).toMatchObject({
    code: 0,
    out: expect.stringContaining('no manifest of this major is served'),
  })
})

test('what keeps a text from being published is told, also of a dry run', async () => {
  const broken = await file('broken.yaml', acme().replace('$.items', '$..items'))
  const refused = await manifests('publish', broken)
  expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/line \d+, column \d+/)])
  const lower = await file('lower.yaml', acme({ title: 'Another text' }))
  const tried = await manifests('publish', lower, '--dry-run')
  expect([tried.code, tried.out]).toEqual([1, expect.stringContaining('would be refused')])
  expect(await manifests('publish', 'none.yaml')).toMatchObject({
    code: 2,
    err: expect.stringContaining('there is no file none.yaml'),
  })
})
