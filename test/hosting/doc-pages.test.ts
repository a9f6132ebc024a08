// The pages of the documentation of a running service: each as Markdown, under the same rule as the page itself.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ERRORS } from '../../src/errors.ts'
import { type CallAnswer, type RunningService, runService } from '../fixtures/running-service.ts'

let folder: string
let running: RunningService
let shut: RunningService

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-docs-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'reference.html'), '<!doctype html><title>Reference</title>')
  running = await runService({}, { consoleFolder: folder })
  shut = await runService({ mode: 'production', docs: false }, { consoleFolder: folder })
})
afterAll(async () => {
  await running[Symbol.asyncDispose]()
  await shut[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const read = (path: string, method = 'GET'): Promise<CallAnswer> =>
  running.call(method, path, undefined, { as: null })

async function listed(): Promise<readonly string[]> {
  const { text } = await read('/llms.txt')
  return [...text.matchAll(/^- \[.+\]\((.+)\): .+[.]$/gm)].map(([, path = '']) => path)
}

test('llms.txt lists every page with one sentence, at both addresses', async () => {
  const [first, second] = await Promise.all([read('/llms.txt'), read('/docs/llms.txt')])
  expect([first.status, first.headers.get('content-type')]).toEqual([
    200,
    'text/plain; charset=utf-8',
  ])
  expect(second.text).toBe(first.text)
  const paths = await listed()
  expect(paths).toHaveLength(first.text.split('\n- ').length - 1)
  expect(paths).toEqual(
    expect.arrayContaining([
      '/docs/host-apps.md',
      '/docs/reference/errors.md',
      '/docs/operations/listLogs.md',
      '/docs/connectors/gong.md',
      '/docs/changelog.md',
    ]),
  )
})

test('every page of the list is there as Markdown and as a page, with heads alone too', async () => {
  for (const path of await listed()) {
    const text = await read(path)
    expect([path, text.status, text.headers.get('content-type')]).toEqual([
      path,
      200,
      'text/markdown; charset=utf-8',
    ])
    expect([path, /^# .+\n/m.test(text.text)]).toEqual([path, true])
    expect([path, (await read(path, 'HEAD')).status]).toEqual([path, 200])
    // What has a place of its own in the reference leads there.
    expect([path, [200, 302]]).toEqual([
      path,
      expect.arrayContaining([(await read(path.slice(0, -3))).status]),
    ])
  }
})

test.for([
  ['/docs/operations/listLogs', '/docs#listLogs'],
  ['/docs/reference/api', '/docs'],
  ['/docs/reference/errors', '/docs/errors'],
])('%s leads to %s', async ([path, to]) => {
  const answer = await fetch(running.url + path, { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([302, to])
})

test('every operation of the document has its page, made from it', async () => {
  const { body } = await read('/openapi.json')
  const { paths } = body as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId: string }>>>>
  }
  const list = new Set(await listed())
  const ids = Object.values(paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  )
  expect(ids.filter((id) => !list.has(`/docs/operations/${id}.md`))).toEqual([])
  const { text } = await read('/docs/operations/getLog.md')
  expect(text).toContain('`GET /v1/logs/{log_id}`')
  expect(text).toContain('| `request_id` | string or null | yes |')
  expect(text).toContain('(../errors.md#token_invalid)')
})

test('a page of a connector is made from the manifest that runs, its errors from the table', async () => {
  const { text } = await read('/docs/connectors/gong.md')
  const manifest = running.service.catalogue.find('gong')
  expect(text).toContain(`version ${manifest?.version}`)
  expect(text).toContain('### calls.list')
  const errors = await read('/docs/errors.md')
  expect(Object.keys(ERRORS).filter((code) => !errors.text.includes(`\`${code}\``))).toEqual([])
})

test('the menu and the search have every page of the list, and its text as it is served', async () => {
  const pages = (await read('/docs/pages.json')).body as readonly { readonly path: string }[]
  expect(pages.map(({ path }) => `/docs/${path}.md`).toSorted()).toEqual(
    (await listed()).toSorted(),
  )
  const [texts, again] = [await read('/docs/texts.json'), await read('/docs/texts.json')]
  expect(texts.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect([again.text, again.headers.get('vary')]).toEqual([texts.text, texts.headers.get('vary')])
  const body = texts.body as Readonly<Record<string, string>>
  // The page that has all operations repeats theirs.
  const paths = pages.map(({ path }) => path).filter((path) => path !== 'reference/api')
  expect(Object.keys(body)).toEqual(paths)
  for (const path of ['host-apps', 'operations/listLogs', 'connectors/gong', 'changelog'])
    expect(body[path]).toBe((await read(`/docs/${path}.md`)).text)
})

test.for([
  '/docs/nothing.md',
  '/docs/connectors/none.md',
  '/docs/../package.json.md',
  '/docs/errors/x.md',
])('what is no page is 404 in Markdown, with a way out: %s', async (path) => {
  const answer = await read(path)
  expect([answer.status, answer.headers.get('content-type')]).toEqual(
    path.includes('..') ? [404, expect.any(String)] : [404, 'text/markdown; charset=utf-8'],
  )
  if (!path.includes('..')) expect(answer.text).toContain('/docs/llms.txt')
})

test('a page that is not there is 404 and still shows the way out', async () => {
  const answer = await read('/docs/nothing')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    404,
    'text/html; charset=utf-8',
  ])
})

test('nothing of the documentation is there where it is switched off', async () => {
  for (const path of [
    '/llms.txt',
    '/docs.md',
    '/docs/llms.txt',
    '/docs/host-apps.md',
    '/docs/texts.json',
    '/docs',
  ])
    expect([path, (await shut.call('GET', path, undefined, { as: null })).status]).toEqual([
      path,
      404,
    ])
})
