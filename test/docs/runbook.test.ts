// Every command of Tenon that the runbook names exists, with its flags, and works on a service as it is there.
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApplication } from '../../src/service/tokens/applications.ts'
import { tenonHere } from '../cli/run-here.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'
import { blocksOf } from './blocks.ts'
import { callsIn, expectCall } from './command-line.ts'

const lines = blocksOf('docs/runbook.md')
  .flatMap(({ text }) => text.trim().split('\n'))
  .map((line) => line.trim())
  .filter((line) => line.startsWith('tenon '))

test('there are many', () => expect(lines.length).toBeGreaterThan(15))

test.for([...new Set(lines)])('%s', async (line) => {
  const [call, ...more] = callsIn(line)
  expect(more).toEqual([])
  await expectCall(call ?? [])
})

/** Those of the chapters about Citus are walked in test/citus/runbook.test.ts. */
const withoutCitus = blocksIn(/^## (?!.*Citus)/).filter((line) => !line.includes('before-citus'))

function blocksIn(title: RegExp): readonly string[] {
  const chapters = readFileSync('docs/runbook.md', 'utf8').split(/^(?=## )/m)
  return chapters
    .filter((chapter) => title.test(chapter) || !chapter.startsWith('## '))
    .flatMap((chapter) => [...chapter.matchAll(/^ *(tenon .+)$/gm)].map(([, line = '']) => line))
}

describe('on a service with its store and accounts', () => {
  let world: RunningService
  let backups: string
  let clientId: string
  beforeAll(async () => {
    world = await runService()
    backups = mkdtempSync(join(tmpdir(), 'tenon-runbook-'))
    const made = await createApplication(world.service, {
      name: 'other',
      organizationId: 'default',
      redirectUrls: [],
    })
    clientId = made.clientId
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    rmSync(backups, { recursive: true, force: true })
  })

  async function here(line: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
    const instance = line.includes('0199f3a1-') ? await world.connect('gong') : ''
    const filled = line
      .replace(/0199f3a1-[\w-]+/, instance)
      .replace('client-id', clientId)
      .replace('/backups/', `${backups}/`)
    const [words = []] = callsIn(filled)
    const env = {
      TENON_DATA: world.folder,
      TENON_URL: world.url,
      TENON_TOKEN: world.token,
      ...more,
    }
    const { code, out, err } = await tenonHere(words, { folder: backups, env })
    expect({ line, code, ...(code === 0 ? {} : { out, err }) }).toEqual({ line, code: 0 })
  }

  test.for([...new Set(withoutCitus)])('%s works', async (line) => {
    // Into PostgreSQL: test/docs/service-guides.test.ts.
    if (line.startsWith('tenon store copy')) return
    if (!line.startsWith('tenon restore')) return await here(line)
    // A backup goes into an empty store, with the keys that it was made under.
    const empty = mkdtempSync(join(backups, 'empty-'))
    copyFileSync(join(world.folder, 'master.key'), join(empty, 'master.key'))
    await here(line, { TENON_DATA: empty })
  })
})
