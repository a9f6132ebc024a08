// The console's files as a browser gets them.
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { replaceFolder } from '../../../scripts/build-console.ts'
import { mountConsolePages } from '../../../src/service/console/console-pages.ts'
import { Site } from '../../../src/service/http/site.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'
import { arrivalOf } from '../../fixtures/arrival.ts'

let folder: string
let built: RunningService
let unbuilt: RunningService

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-pages-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Console</title>')
  await writeFile(join(folder, 'assets', 'index-1a2b.js'), 'export {}')
  await writeFile(join(folder, 'secret.txt'), 'not for the web')
  built = await runService({ mode: 'production' }, { consoleFolder: folder })
  unbuilt = await runService({ mode: 'production' }, { consoleFolder: join(folder, 'none') })
})
afterAll(async () => {
  await built[Symbol.asyncDispose]()
  await unbuilt[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='; font-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

test.for(['/console', '/console/', '/console/instances/new', '/console/secret.txt'])(
  'every screen is the one page, never kept: %s',
  async (path) => {
    const answer = await built.call('GET', path, undefined, { as: null })
    expect([answer.status, answer.text]).toEqual([200, '<!doctype html><title>Console</title>'])
    expect(answer.headers.get('cache-control')).toBe('no-store')
  },
)

test.for(['/console', '/console/assets/index-1a2b.js'])(
  'the policy allows nothing inline and nothing from elsewhere: %s',
  async (path) => {
    const { headers } = await built.call('GET', path, undefined, { as: null })
    expect(headers.get('content-security-policy')).toBe(POLICY)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  },
)

test.for([
  { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', status: 302, to: '/console' },
  { accept: 'application/json', status: 404, to: null },
  { accept: '*/*', status: 404, to: null },
])('the address of the service leads browsers to the console: $accept', async (row) => {
  const answer = await fetch(`${built.url}/`, {
    headers: { accept: row.accept },
    redirect: 'manual',
  })
  expect([answer.status, answer.headers.get('location')]).toEqual([row.status, row.to])
})

test('a file that is not there is a problem, under the policy of problems', async () => {
  const { status, headers, body } = await built.call('GET', '/console/assets/none.js', undefined, {
    as: null,
  })
  expect([status, body, headers.get('content-security-policy')]).toEqual([
    404,
    expect.objectContaining({ code: 'route_unknown' }),
    "default-src 'none'",
  ])
})

test('files whose names hold their hash are kept for a year', async () => {
  const answer = await built.call('GET', '/console/assets/index-1a2b.js', undefined, { as: null })
  expect([answer.status, answer.text, answer.headers.get('cache-control')]).toEqual([
    200,
    'export {}',
    'public, max-age=31536000, immutable',
  ])
})

test('no path leaves the folder of the files', async () => {
  const path = '/console/assets/%2e%2e/secret.txt'
  const { status, text } = await built.call('GET', path, undefined, { as: null })
  expect([status === 200 && text.includes('not for the web')]).toEqual([false])
})

test('a checkout that was not built says how to build it', async () => {
  const answer = await unbuilt.call('GET', '/console/instances', undefined, { as: null })
  expect(answer.status).toBe(503)
  expect(answer.text).toContain('npm run build:console')
})

test('an installed package without these files says where they are missing', async () => {
  const site = new Site((_arrival, error) => {
    throw error
  })
  mountConsolePages(site, '/app/tenon & more/dist/console/', false)
  const answer = await site.answer(arrivalOf('GET', '/console/instances'))
  expect([answer?.status, answer?.headers['content-type']]).toEqual([
    503,
    'text/html; charset=utf-8',
  ])
  expect(answer?.content).toContain('<code>/app/tenon &amp; more/dist/console/</code>')
  expect(answer?.content).not.toContain('checkout')
})

test('while a build takes the place of another, screens have the page of before, and then the new one', async () => {
  const place = await mkdtemp(join(tmpdir(), 'tenon-replaced-'))
  const page = join(place, 'console', 'index.html')
  await replaceFolder(join(place, 'console'), writePage('first'))
  await using running = await runService(
    { mode: 'production' },
    { consoleFolder: join(place, 'console') },
  )
  const shown = async (): Promise<unknown> => {
    const { status, text } = await running.call('GET', '/console', undefined, { as: null })
    return [status, text]
  }
  expect(await shown()).toEqual([200, 'first'])
  await replaceFolder(join(place, 'console'), async (made) => {
    // Nothing of what is there is touched while the next one is made.
    await writePage('second')(made)
    expect(await shown()).toEqual([200, 'first'])
  })
  expect(await shown()).toEqual([200, 'second'])
  const failed = replaceFolder(join(place, 'console'), async (made) => {
    await writePage('third')(made)
    throw new Error('the build failed')
  })
  await expect(failed).rejects.toThrow('the build failed')
  expect([await shown(), await readdir(place)]).toEqual([[200, 'second'], ['console']])
  // Between two renames, or where somebody has removed it.
  await rm(page)
  expect(await shown()).toEqual([200, 'second'])
  await rm(place, { recursive: true })
})

const writePage =
  (text: string) =>
  async (made: string): Promise<void> => {
    await mkdir(made)
    await writeFile(join(made, 'index.html'), text)
  }
