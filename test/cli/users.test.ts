// `tenon users` against a running service: everything of one end user is handed over, and erased.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningService, runService } from '../fixtures/running-service.ts'
import { tenonHere } from './run-here.ts'
import { folderOf, type Run } from './run-tenon.ts'

let world: RunningService
beforeAll(async () => {
  world = await runService()
  for (const user of ['ada', 'bob'])
    await world.connect('gong', { external_user_id: user, name: `Gong of ${user}` })
})
afterAll(() => world[Symbol.asyncDispose]())

async function users(args: readonly string[], folder?: string): Promise<Run> {
  const env = { TENON_URL: world.url, TENON_TOKEN: world.token }
  return await tenonHere(['users', ...args], { env, ...(folder === undefined ? {} : { folder }) })
}

interface Line {
  readonly type: string
}

function linesIn(text: string): readonly Line[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

async function accountsOf(user: string): Promise<number> {
  const { body } = await world.call('GET', `/v1/integrations/connectors?external_user_id=${user}`)
  return (body as { readonly data: readonly unknown[] }).data.length
}

test('an export is lines of JSON on the output, ended by their number, and has no secret', async () => {
  const { code, out, err } = await users(['export', 'ada'])
  const lines = linesIn(out)
  expect([code, err, lines.at(-1)]).toEqual([
    0,
    'exported ada\n',
    { type: 'end', lines: lines.length - 1 },
  ])
  expect(out).toContain('Gong of ada')
  expect(out).not.toContain('Gong of bob')
  const { credentials } = world.vendor('gong').options()
  expect(out).not.toContain(String(Object.values(credentials)[1]))
})

test('with --out it is a new file for its owner only, which no second export overwrites', async () => {
  const folder = folderOf({})
  const file = join(folder, 'ada.jsonl')
  expect(await users(['export', 'ada', '--out', 'ada.jsonl'], folder)).toMatchObject({
    code: 0,
    out: '',
    err: 'exported ada\n',
  })
  const text = readFileSync(file, 'utf8')
  expect(linesIn(text).at(-1)?.type).toBe('end')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const again = await users(['export', 'ada', '--out', 'ada.jsonl'], folder)
  expect(again.code).not.toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('an erasure has to be confirmed, and leaves other users alone', async () => {
  const asked = await users(['erase', 'ada'])
  expect([asked.code, asked.err.includes('say --yes'), await accountsOf('ada')]).toEqual([
    2,
    true,
    1,
  ])
  const done = await users(['erase', 'ada', '--yes', '--json'])
  expect([done.code, JSON.parse(done.out)]).toMatchObject([0, { instances: 1 }])
  expect([await accountsOf('ada'), await accountsOf('bob')]).toEqual([0, 1])
  // Safe to repeat: there is nothing left.
  const again = await users(['erase', 'ada', '--yes'])
  expect([again.code, again.out.startsWith('erased ada: 0 instances')]).toEqual([0, true])
})

test('a service that is not there is said, and no file is left', async () => {
  const folder = folderOf({})
  const env = { TENON_URL: 'http://127.0.0.1:9', TENON_TOKEN: world.token }
  const args = ['users', 'export', 'ada', '--out', 'none.jsonl']
  const { code, err } = await tenonHere(args, { env, folder })
  expect([code, err.includes('tenon serve starts a service')]).toEqual([expect.any(Number), true])
  expect([code === 0, existsSync(join(folder, 'none.jsonl'))]).toEqual([false, false])
})
