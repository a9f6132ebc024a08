// Where the secret of the first application goes: to a person, or to a file that only this user reads, and into no log.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SECRET_FILE, tellFirstApplication } from '../../src/cli/serving-process.ts'
import type { Channel } from '../../src/cli/terminal.ts'
import { DEFAULT_SETTINGS } from '../../src/service/environment.ts'
import { startProgram } from './start-tenon.ts'
import { folderOf } from './run-tenon.ts'

const FIRST = {
  clientId: 'default',
  clientSecret: 'tenon_cs_the-secret-of-this-test-and-of-no-other',
  organizationId: 'default',
}

interface Told {
  readonly facts: unknown
  /** What the channel got. */
  readonly shown: string
  readonly log: readonly unknown[]
}

async function tell(
  data: string,
  {
    isTerminal = false,
    clientSecret = null,
    first = FIRST,
  }: {
    readonly isTerminal?: boolean
    readonly clientSecret?: string | null
    readonly first?: typeof FIRST | null
  } = {},
): Promise<Told> {
  let shown = ''
  const log: unknown[] = []
  const channel: Channel = {
    isTerminal,
    isColoured: false,
    columns: 80,
    rows: 24,
    write: (text) => void (shown += text),
    paint: (_style, text) => text,
  }
  const at =
    (level: string) =>
    (facts: object): void =>
      void log.push({ level, ...facts })
  const facts = await tellFirstApplication(
    {
      firstApplication: first,
      settings: { ...DEFAULT_SETTINGS, data, clientSecret },
      log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    },
    channel,
  )
  return { facts, shown, log }
}

test('a terminal shows it, and nothing else has it', async () => {
  const data = join(folderOf({}), 'data')
  const { facts, shown, log } = await tell(data, { isTerminal: true })
  expect(facts).toEqual({ client_id: 'default', client_secret: FIRST.clientSecret })
  expect(shown).toContain(FIRST.clientSecret)
  expect(log).toEqual([])
  expect(statSync(data, { throwIfNoEntry: false })).toBeUndefined()
})

test('K5 without a terminal it is in a file of mode 0600 that the log names', async () => {
  const data = join(folderOf({}), 'data')
  const file = join(data, SECRET_FILE)
  const { facts, shown, log } = await tell(data)
  expect(facts).toEqual({ client_id: 'default', client_secret_file: file })
  expect(shown).toContain(file)
  expect(log).toEqual([{ level: 'warn', client_id: 'default', file }])
  expect(shown + JSON.stringify(log)).not.toContain(FIRST.clientSecret)
  expect(readFileSync(file, 'utf8')).toBe(`${FIRST.clientSecret}\n`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(data).mode & 0o777).toBe(0o700)
})

test('K5 a file that was there before is another one afterwards', async () => {
  const data = folderOf({ [SECRET_FILE]: 'old' })
  const before = statSync(join(data, SECRET_FILE)).mode & 0o777
  await tell(data)
  expect(before).not.toBe(0o600)
  expect(statSync(join(data, SECRET_FILE)).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(data, SECRET_FILE), 'utf8')).toBe(`${FIRST.clientSecret}\n`)
})

test('a file that cannot be written is an error with the way out, and no start that fails', async () => {
  const data = join(folderOf({ data: 'a file' }), 'data')
  const { facts, shown, log } = await tell(data)
  expect(facts).toEqual({ client_id: 'default' })
  expect(log).toMatchObject([{ level: 'error', file: join(data, SECRET_FILE) }])
  expect(shown + JSON.stringify(log)).not.toContain(FIRST.clientSecret)
})

test('what the operator gave is shown nowhere', async () => {
  const data = join(folderOf({}), 'data')
  const { facts, shown, log } = await tell(data, { clientSecret: FIRST.clientSecret })
  expect([facts, shown, log]).toEqual([
    { client_id: 'default' },
    '',
    [{ level: 'info', client_id: 'default' }],
  ])
  expect(statSync(data, { throwIfNoEntry: false })).toBeUndefined()
})

test('a start that makes no application tells nothing', async () => {
  expect(await tell(folderOf({}), { first: null })).toEqual({ facts: null, shown: '', log: [] })
})

const TOKEN = '/api/v1/account/applications/token'

test.for<readonly [string, readonly string[]]>([
  ['', []],
  [' with --json', ['--json']],
])(
  'K5 a first start without a terminal%s prints no secret, and the file opens the API',
  async ([, flags]) => {
    const folder = folderOf({})
    const data = join(folder, 'data')
    await using running = await startProgram(
      { TENON_DATA: data },
      ['serve', '--dev', '--port', '0', '--no-jobs', ...flags],
      /"url":"(http:[^"]+)"/,
    )
    const secret = readFileSync(join(data, SECRET_FILE), 'utf8').trim()
    expect(running.text()).toContain(join(data, SECRET_FILE))
    expect(running.text()).not.toContain(secret)
    expect(running.text()).not.toMatch(/tenon_cs_/)
    expect(await statusOf(running.found, 'default', secret)).toBe(200)
  },
)

test('a secret from a file of the operator is the one of the first application', async () => {
  const secret = 'the-secret-that-an-operator-keeps-in-a-file'
  const folder = folderOf({})
  writeFileSync(join(folder, 'secret'), `${secret}\n`)
  await using running = await startProgram(
    { TENON_DATA: join(folder, 'data'), TENON_CLIENT_SECRET_FILE: join(folder, 'secret') },
    ['serve', '--dev', '--port', '0', '--no-jobs'],
    /"url":"(http:[^"]+)"/,
  )
  expect(running.text()).not.toContain(secret)
  expect(await statusOf(running.found, 'default', secret)).toBe(200)
  expect(await statusOf(running.found, 'default', `${secret}x`)).toBe(401)
})

async function statusOf(url: string, client_id: string, client_secret: string): Promise<number> {
  const answer = await fetch(url + TOKEN, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id, client_secret }),
  })
  return answer.status
}
