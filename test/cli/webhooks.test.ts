// `tenon webhooks` and `tenon events` against a running service.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bareEnvironment } from '../fixtures/bare-environment.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'
import { webhookReceiver } from '../fixtures/webhook-receiver.ts'
import { tenonHere } from './run-here.ts'
import type { Run } from './run-tenon.ts'

let world: RunningService
beforeAll(async () => {
  world = await runService({ jobs: true })
})
afterAll(() => world[Symbol.asyncDispose]())

const env = (): Record<string, string> => ({ TENON_URL: world.url, TENON_TOKEN: world.token })

async function run(...args: readonly string[]): Promise<Run> {
  return await tenonHere(args, { env: env() })
}

/** An instance of which nothing happens by itself. */
async function connect(): Promise<string> {
  return await world.connect('gong', { sync: { enabled: false } })
}

test('a webhook from its making to its end', async () => {
  await using receiver = await webhookReceiver()
  const made = await run('webhooks', 'create', receiver.url, '--types', 'connector.deleted')
  expect([made.code, made.err]).toEqual([0, 'The secret is shown only now.\n'])
  expect(made.out).toMatch(/^secret +whsec_\S+$/m)
  const id = /^id +(\S+)$/m.exec(made.out)?.[1] ?? ''
  expect((await run('webhooks', 'test', id)).out).toMatch(/^delivered: 200, \d+ ms\n$/)
  receiver.status = 500
  expect(await run('webhooks', 'test', id)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^not delivered: 500, /),
  })
  receiver.status = 200
  await world.call('DELETE', `/v1/integrations/connectors/${await connect()}`)
  const deliveries = async (): Promise<readonly { readonly event_id: string }[]> =>
    (await run('webhooks', 'deliveries', id, '--json')).out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { readonly event_id: string })
  // The receiver has it before the service has written down that it was taken.
  await expect.poll(deliveries).toMatchObject([{ type: 'connector.deleted', state: 'delivered' }])
  expect(receiver.got.length).toBe(3)
  const event = (await deliveries())[0]?.event_id ?? ''
  expect((await run('webhooks', 'redeliver', event, '--webhook', id)).out).toBe(
    'queued for 1 webhook\n',
  )
  const rotated = await run('webhooks', 'rotate-secret', id, '--keep', '0', '--json')
  expect(JSON.parse(rotated.out)).toMatchObject({
    id,
    secret: expect.stringMatching(/^whsec_/),
    previous_secret_ends_at: null,
  })
  expect((await run('webhooks', 'update', id, '--types', 'all', '--disable')).out).toMatch(
    /^enabled +false$/m,
  )
  const listed = await run('webhooks', 'list')
  expect(listed.out).toMatch(new RegExp(`^${id}  false +${receiver.url}`, 'm'))
  expect(listed.out).not.toContain('whsec_')
  expect((await run('webhooks', 'delete', id)).code).toBe(2)
  expect((await run('webhooks', 'delete', id, '--yes')).out).toBe(`deleted ${id}\n`)
  expect((await run('webhooks', 'show', id)).code).toBe(1)
})

test.for([
  {
    args: ['create', 'http://127.0.0.1:1', '--types', 'sync.faild'],
    says: 'did you mean "sync.failed"',
  },
  { args: ['update', 'x'], says: 'nothing to change' },
  { args: ['update', 'x', '--enable', '--disable'], says: 'exclude each other' },
  { args: ['rotate-secret', 'x', '--keep', 'soon'], says: '--keep' },
  { args: ['deliveries', 'x', '--limit', '0'], says: '--limit' },
])('tenon webhooks $args is wrong use', async ({ args, says }) => {
  expect(await run('webhooks', ...args)).toEqual({
    code: 2,
    out: '',
    err: expect.stringContaining(says),
  })
})

test('events are shown from a place on, by type, and as lines of JSON', async () => {
  const before = await run('events', '--limit', '1000', '--json')
  const place = /--cursor (\S+)\n/.exec(before.err)?.[1] ?? ''
  const id = await connect()
  const from = ['events', '--cursor', place] as const
  const lines = (await run(...from, '--json')).out.trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { readonly type: string }).type)).toEqual([
    'connector.created',
    'connector.updated',
  ])
  const table = await run(...from, '--types', 'connector.updated')
  expect(table.out).toMatch(new RegExp(`connector.updated  \\S* +gong .*active`))
  expect(table.out).not.toContain('connector.created')
  const first = await run(...from, '--limit', '1', '--json')
  const next = /--cursor (\S+)\n/.exec(first.err)?.[1] ?? ''
  const rest = await run('events', '--cursor', next, '--json')
  expect(rest.out.trim().split('\n')).toEqual(lines.slice(1))
  await world.call('DELETE', `/v1/integrations/connectors/${id}`)
})

test('--follow goes on until it is interrupted', async () => {
  const child = spawn(process.execPath, ['bin/tenon.js', 'events', '--follow', '--json'], {
    env: { ...bareEnvironment, ...env() },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const first = JSON.parse(String((await lines.next()).value)) as { readonly type: string }
  expect(first.type).toBe('connector.created')
  const id = await connect()
  for (;;) {
    const { value } = await lines.next()
    const { type, data } = JSON.parse(String(value)) as {
      readonly type: string
      readonly data: { readonly id: string }
    }
    if (type === 'connector.created' && data.id === id) break
  }
  child.kill('SIGINT')
  await closed
  expect(child.exitCode).toBe(130)
})
