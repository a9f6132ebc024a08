import { afterEach, expect, test } from 'vitest'
import type { UpstreamRequest } from '../../../src/engine/request/upstream-request.ts'
import type { Transport } from '../../../src/engine/exchange/transport.ts'
import { openCredentials } from '../../../src/service/credentials/sealed-credentials.ts'
import { exampleManifest, oauthMethod } from '../../engine/credentials/example-manifest.ts'
import { CLIENT, codeOf, type KeeperWorld, openKeeperWorld, tokenOf } from './keeper-set-up.ts'

// What is not a single-use refresh token takes the same path: logins, settings that answers bring, look-ups behind them.

const opened: KeeperWorld[] = []
afterEach(async () => {
  for (const world of opened.splice(0)) await world.close()
})

async function open(options: Parameters<typeof openKeeperWorld>[0]): Promise<KeeperWorld> {
  const world = await openKeeperWorld(options)
  opened.push(world)
  return world
}

const soon = ({ clock }: KeeperWorld): number => clock.monotonic() + 60_000

interface Scripted extends Transport {
  readonly sent: UpstreamRequest[]
}

/** Answers in order, the last one again and again. */
function scripted(
  answers: readonly { readonly status?: number; readonly body: unknown }[],
): Scripted {
  const sent: UpstreamRequest[] = []
  return {
    sent,
    async send(request) {
      const { status = 200, body } = answers[Math.min(sent.length, answers.length - 1)] ?? {
        body: null,
      }
      sent.push(request)
      return { status, headers: {}, url: request.url, body: Buffer.from(JSON.stringify(body)) }
    },
    stream: () => Promise.reject(new Error('nothing is streamed here')),
    close: async () => {},
  }
}

const LOGIN = exampleManifest({
  methods: [
    {
      name: 'login',
      credentials: {
        required: ['user', 'password'],
        properties: { user: { type: 'string' }, password: { type: 'string', writeOnly: true } },
      },
      headers: { 'X-Session': '{{ session.token }}' },
      session: {
        request: 'POST /login',
        body: { user: '{{ credentials.user }}', password: '{{ credentials.password }}' },
        store: { 'session.token': '$.token' },
        ttlMs: 3_600_000,
      },
    },
  ],
})

test('a login is shared by all processes, sealed, and repeated when it was refused', async () => {
  const world = await open({ manifest: LOGIN })
  const transport = scripted([{ body: { token: 'session-1' } }, { body: { token: 'session-2' } }])
  const id = await world.instance({ user: 'ada', password: 'right-password' })
  const [one, two] = [world.keeper(id, { transport }), world.keeper(id, { transport })]
  const lent = await one.current(soon(world))
  expect((await two.current(soon(world))).applied.headers).toEqual({ 'x-session': 'session-1' })
  expect(transport.sent).toHaveLength(1)
  const again = await Promise.all([one.renew(lent, soon(world)), two.renew(lent, soon(world))])
  expect(again.map(({ applied }) => applied.headers)).toEqual([
    { 'x-session': 'session-2' },
    { 'x-session': 'session-2' },
  ])
  expect(transport.sent).toHaveLength(2)
  expect(await openCredentials(world.vault, world.store, id)).toMatchObject({
    generation: 3,
    credentials: { user: 'ada', password: 'right-password' },
    session: { token: 'session-2' },
  })
})

test('a login whose answer was lost is simply repeated after the wait', async () => {
  const world = await open({ manifest: LOGIN })
  const transport = scripted([{ body: { other: 1 } }, { body: { token: 'session-1' } }])
  const id = await world.instance({ user: 'ada', password: 'right-password' })
  const keeper = world.keeper(id, { transport })
  expect(await codeOf(keeper.current(soon(world)))).toBe('refresh_failed')
  expect((await world.row(id)).state).toBe('active')
  world.clock.forward(1_100)
  expect((await keeper.current(soon(world))).applied.headers).toEqual({ 'x-session': 'session-1' })
})

test('a wrong password is the credentials’ fault and leaves the state alone', async () => {
  const world = await open({ manifest: LOGIN })
  const transport = scripted([{ status: 401, body: { error: 'no' } }])
  const id = await world.instance({ user: 'ada', password: 'wrong-password' })
  expect(await codeOf(world.keeper(id, { transport }).current(soon(world)))).toBe(
    'credentials_refused login_refused',
  )
  expect((await world.row(id)).state).toBe('active')
})

const ROAMING = exampleManifest({
  url: 'https://{{ config.region }}.api.example.com',
  hosts: ['*.api.example.com'],
  config: { properties: { region: { type: 'string' } } },
  methods: [oauthMethod({ store: { 'config.region': '$.region' } })],
})

test('a setting that the token answer brings is stored with the tokens, in one commit', async () => {
  const world = await open({ manifest: ROAMING })
  const answer = {
    access_token: 'at-2',
    refresh_token: 'rt-2',
    expires_in: 60,
    token_type: 'bearer',
  }
  const transport = scripted([{ body: { ...answer, region: 'eu' } }])
  const id = await world.instance(
    { refresh_token: 'rt-1', ...CLIENT },
    { config: { region: 'us' } },
  )
  const config = { region: 'us' }
  const instance = { id, organizationId: 'org-1', authMethod: 'oauth', config }
  const keeper = world.keeper(id, { transport, instance, serverUrl: null })
  expect(keeper.config()).toEqual(config)
  const lent = await keeper.current(soon(world))
  expect([tokenOf(lent), lent.config]).toEqual(['at-2', { region: 'eu' }])
  expect((await world.row(id)).config).toEqual({ region: 'eu' })
  const events = await world.store.audit.list(
    { organizationId: 'org-1' },
    { instanceId: id, limit: 1 },
  )
  expect(events[0]).toMatchObject({ action: 'credentials.refreshed', members: ['region'] })
})

const SITES = exampleManifest({
  url: 'https://api.example.com/ex/{{ config.cloud_id }}',
  config: { properties: { cloud_id: { type: 'string', minLength: 1 } } },
  methods: [
    oauthMethod({
      afterToken: [
        {
          request: 'GET https://api.example.com/oauth/sites',
          store: { 'config.cloud_id': '$.id' },
        },
      ],
    }),
  ],
})

test('what a connection still lacks is asked for once, by one process, and kept for all', async () => {
  const world = await open({ manifest: SITES })
  const transport = scripted([{ body: { id: 'cloud-1' } }])
  const id = await world.instance({ access_token: 'at-1', refresh_token: 'rt-1', ...CLIENT })
  const keepers = Array.from({ length: 3 }, () => world.keeper(id, { transport, serverUrl: null }))
  const lent = await Promise.all(keepers.map((keeper) => keeper.current(soon(world))))
  for (const { config } of lent) expect(config).toEqual({ cloud_id: 'cloud-1' })
  expect(lent.map(tokenOf)).toEqual(['at-1', 'at-1', 'at-1'])
  expect(transport.sent).toHaveLength(1)
  expect((await world.row(id)).config).toEqual({ cloud_id: 'cloud-1' })
})

test('R8 settings found by a process whose lease is another’s by now move no generation', async () => {
  const world = await open({ manifest: SITES })
  const { store } = world
  const id = await world.instance({ access_token: 'at-1', refresh_token: 'rt-1', ...CLIENT })
  const slow = scripted([{ body: { id: 'cloud-1' } }])
  const keeper = world.keeper(id, {
    serverUrl: null,
    store: {
      ...store,
      leases: { ...store.leases, acquire: (a, b, c) => store.leases.acquire(a, b, c, 1) },
    },
    transport: {
      ...slow,
      async send(request) {
        // Waits for time: a lease of one millisecond ends.
        await world.clock.sleep(20)
        if (slow.sent.length === 0) await store.leases.acquire(id, 'refresh', 'next', 100)
        return await slow.send(request)
      },
    },
  })
  expect((await keeper.current(soon(world))).config).toEqual({ cloud_id: 'cloud-1' })
  // The first answer was thrown away with the lease, the second one stored.
  expect(slow.sent).toHaveLength(2)
  expect((await store.credentials.read(id))?.generation).toBe(2)
})
