import { expect, test } from 'vitest'

import { silentLogger } from '../../../src/client/observe.ts'
import { createCredentialKeeper } from '../../../src/engine/credentials/keeper.ts'
import type { CredentialKeeper } from '../../../src/engine/credentials/refreshing-keeper.ts'
import { ConnectorError } from '../../../src/errors.ts'
import type { UpstreamRequest } from '../../../src/engine/request/upstream-request.ts'
import { exampleManifest, type ExampleMethod } from './example-manifest.ts'
import { codeOf } from './keeper-set-up.ts'
import { createStoppedClock, type StoppedClock } from './stopped-clock.ts'

const SESSION: NonNullable<ExampleMethod['session']> = {
  request: 'POST /login',
  body: { user: '{{ credentials.user }}', password: '{{ credentials.password }}' },
  store: { 'session.token': '$.token' },
}
const EVER = Number.MAX_SAFE_INTEGER

interface World {
  readonly keeper: CredentialKeeper
  readonly clock: StoppedClock
  readonly sent: UpstreamRequest[]
}

type Answer = { status?: number; body: unknown } | Error

function worldOf(answers: readonly Answer[], session: Partial<typeof SESSION> = {}): World {
  const sent: UpstreamRequest[] = []
  const clock = createStoppedClock()
  const keeper = createCredentialKeeper({
    log: silentLogger,
    manifest: exampleManifest({
      methods: [
        {
          credentials: {
            required: ['user', 'password'],
            properties: { user: { type: 'string' }, password: { type: 'string', writeOnly: true } },
          },
          headers: { 'X-Session': '{{ session.token }}' },
          session: { ...SESSION, ...session },
        },
      ],
    }),
    credentials: { user: 'ada', password: 'right-password' },
    onCredentials: () => Promise.reject(new Error('a login changes nothing that must be saved')),
    clock,
    transport: {
      send(request) {
        const answer = answers[Math.min(sent.length, answers.length - 1)] ?? { body: null }
        sent.push(request)
        if (answer instanceof Error) return Promise.reject(answer)
        const { status = 200, body } = answer
        return Promise.resolve({
          status,
          headers: {},
          url: request.url,
          body: Buffer.from(JSON.stringify(body)),
        })
      },
      stream: () => Promise.reject(new Error('nothing is streamed here')),
      close: () => Promise.resolve(),
    },
  })
  return { keeper, clock, sent }
}

const session = async ({ keeper }: World): Promise<string | undefined> =>
  (await keeper.current(EVER)).applied.headers['x-session']

test('the first call logs in, without the headers of the session, and concurrent calls share it', async () => {
  const world = worldOf([{ body: { token: 'session-1' } }])
  expect(await Promise.all([session(world), session(world), session(world)])).toEqual(
    Array(3).fill('session-1'),
  )
  expect(
    world.sent.map(({ method, url, headers, body }) => ({
      method,
      url,
      session: headers['x-session'],
      body,
    })),
  ).toEqual([
    {
      method: 'POST',
      url: 'https://api.example.com/login',
      session: undefined,
      body: '{"user":"ada","password":"right-password"}',
    },
  ])
})

test('G3 whatever a login carries counts as secret', async () => {
  const world = worldOf([{ body: { token: 'session-1' } }], {
    headers: { 'X-Password': '{{ credentials.password }}' },
  })
  await session(world)
  expect(world.sent.map(({ secretHeaders }) => secretHeaders)).toEqual([['x-password']])
})

test('a 401 logs in once more', async () => {
  const world = worldOf([{ body: { token: 'session-1' } }, { body: { token: 'session-2' } }])
  const lent = await world.keeper.current(EVER)
  const renewed = await Promise.all([1, 2, 3].map(() => world.keeper.renew(lent, EVER)))
  expect(renewed.map(({ applied }) => applied.headers['x-session'])).toEqual(
    Array(3).fill('session-2'),
  )
  expect(world.sent).toHaveLength(2)
})

test.for<{ name: string; session: Partial<typeof SESSION>; answer: Record<string, unknown> }>([
  { name: 'ttl', session: { ttlMs: 600_000 }, answer: {} },
  { name: 'seconds of life', session: { expires: '$.until' }, answer: { until: 600 } },
  { name: 'seconds of life as text', session: { expires: '$.until' }, answer: { until: '600' } },
  {
    name: 'a time in seconds',
    session: { expires: '$.until' },
    answer: { until: Date.UTC(2026, 0, 1, 0, 10, 1) / 1000 },
  },
  {
    name: 'a time in milliseconds',
    session: { expires: '$.until' },
    answer: { until: Date.UTC(2026, 0, 1, 0, 10, 1) },
  },
  {
    name: 'an ISO time',
    session: { expires: '$.until' },
    answer: { until: '2026-01-01T00:10:01Z' },
  },
])('a session ends by $name', async ({ session: changes, answer }) => {
  const world = worldOf(
    [{ body: { token: 'session-1', ...answer } }, { body: { token: 'session-2', ...answer } }],
    changes,
  )
  expect(await session(world)).toBe('session-1')
  await world.clock.advance(500_000)
  expect(await session(world)).toBe('session-1')
  await world.clock.advance(99_000)
  expect(await session(world)).toBe('session-2')
})

test('a session of unknown life is used until it is refused', async () => {
  const world = worldOf([{ body: { token: 'session-1', until: 'later' } }], { expires: '$.until' })
  await session(world)
  await world.clock.advance(1e9)
  expect(await session(world)).toBe('session-1')
  expect(world.sent).toHaveLength(1)
})

test.for<{ name: string; answer: Answer; code: string; againAfterMs: number }>([
  {
    name: 'a wrong password',
    answer: { status: 401, body: {} },
    code: 'credentials_refused',
    againAfterMs: 300_000,
  },
  {
    name: 'a login that is forbidden',
    answer: { status: 403, body: {} },
    code: 'credentials_refused',
    againAfterMs: 300_000,
  },
  {
    name: 'an unwell server',
    answer: { status: 503, body: {} },
    code: 'refresh_failed',
    againAfterMs: 1000,
  },
  {
    name: 'an answer without a session',
    answer: { body: {} },
    code: 'refresh_failed',
    againAfterMs: 1000,
  },
  {
    name: 'an answer that was lost',
    answer: new ConnectorError('upstream_timeout', 'late', { details: { sent: true } }),
    code: 'refresh_failed',
    againAfterMs: 1000,
  },
  {
    name: 'no connection',
    answer: new ConnectorError('upstream_unreachable', 'away', { details: { sent: false } }),
    code: 'refresh_failed',
    againAfterMs: 1000,
  },
])('$name is $code, and nothing is sent for a while', async ({ answer, code, againAfterMs }) => {
  const world = worldOf([answer, { body: { token: 'session-1' } }])
  expect(await codeOf(world.keeper.current(EVER))).toBe(code)
  expect(await codeOf(world.keeper.current(EVER))).toBe(code)
  expect(world.sent).toHaveLength(1)
  await world.clock.advance(againAfterMs)
  expect(await session(world)).toBe('session-1')
})

test('K5 a session is masked like any other secret', async () => {
  const world = worldOf([{ body: { token: 'session-1' } }])
  await session(world)
  expect(world.keeper.redact('got session-1 of right-password')).toBe('got [secret] of [secret]')
})

test('a preview puts *** for a session that is not there yet', async () => {
  const world = worldOf([])
  expect((await world.keeper.peek()).applied.headers).toEqual({ 'x-session': '***' })
  expect(world.sent).toEqual([])
})
