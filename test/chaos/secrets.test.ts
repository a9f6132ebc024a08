// Secrets in a real process: its files, its log, its answers and what a crash leaves behind.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCanaries } from '../faults/canary.ts'
import { eventually } from '../faults/resources.ts'
import { type AcmeVendor, CLIENT, startAcmeVendor } from './acme-vendor.ts'
import {
  type Answer,
  connectAcme,
  DEV_TOKEN,
  execute,
  type Fleet,
  folderFleet,
  type ServeProcess,
} from './processes.ts'

let vendor: AcmeVendor
let fleet: Fleet

beforeAll(async () => {
  vendor = await startAcmeVendor()
  fleet = folderFleet()
})
afterAll(async () => {
  await fleet[Symbol.asyncDispose]()
  await vendor[Symbol.asyncDispose]()
})

const DEFECTS = `--import ${join(import.meta.dirname, 'throw-on-signal.ts')}`

test('K1, K5 and K6 of more than 20 secrets none is in a file, a log line, an answer, a metric or what a crash leaves', async () => {
  const canaries = createCanaries()
  if (!('folder' in fleet.place)) throw new TypeError('this fleet has a folder')
  const { folder } = fleet.place
  const reports = join(folder, 'reports')
  mkdirSync(reports, { recursive: true, mode: 0o700 })
  const masterKey = randomBytes(32).toString('base64')
  const secretsOfProcess = {
    TENON_MASTER_KEYS: `k1:${masterKey}`,
    TENON_METRICS_TOKEN: canaries.issue('metrics token').replaceAll('"', '_'),
    TENON_OAUTH_ACME_CLIENT_ID: 'client-of-the-operator',
    TENON_OAUTH_ACME_CLIENT_SECRET: canaries.issue('secret of the operator’s client'),
  }
  canaries.watch('master key', masterKey)
  canaries.watch('metrics token', secretsOfProcess.TENON_METRICS_TOKEN)
  canaries.watch('development token', DEV_TOKEN)
  const one = await fleet.start({
    env: {
      ...secretsOfProcess,
      TENON_LOG_LEVEL: 'debug',
      NODE_OPTIONS: `${DEFECTS} --report-on-signal --report-signal=SIGUSR2 --report-directory=${reports}`,
    },
  })
  const answers: Answer[] = []
  const told: Pick<ServeProcess, 'call'> = {
    async call(...given) {
      const answer = await one.call(...given)
      answers.push(answer)
      return answer
    },
  }
  const collection = '/v1/integrations/connectors'
  const create = (
    credentials: object,
    query = '',
    headers: Readonly<Record<string, string>> = {},
  ) =>
    told.call(
      'POST',
      collection + query,
      {
        external_user_id: 'user-1',
        connector_type: 'acme',
        name: 'canaries',
        credentials,
        server_url: vendor.url,
      },
      { headers },
    )
  const idOf = ({ body }: Answer): string => (body as { readonly id: string }).id

  // Made, made again under the same key, refused by a vendor that sends everything back, refused by us.
  const keys = {
    api_key: canaries.issue('api key'),
    api_secret: canaries.issue('api secret'),
  }
  const made = await create(keys, '', { 'idempotency-key': 'make-1' })
  const replayed = await create(keys, '', { 'idempotency-key': 'make-1' })
  expect([made.status, replayed.status, idOf(replayed)]).toEqual([201, 201, idOf(made)])
  const bad = { api_key: canaries.issue('refused key'), api_secret: canaries.issue('its secret') }
  vendor.refused.add(bad.api_key)
  expect((await create(bad)).status).toBe(424)
  expect(
    (
      await create({
        api_key: canaries.issue('key with a wrong name'),
        apikey: canaries.issue('a wrong name'),
      })
    ).status,
  ).toBe(400)
  expect((await create({ api_key: [canaries.issue('key in a list')] })).status).toBe(400)

  // Changed, and changed to something that is refused.
  const next = { api_key: canaries.issue('next key'), api_secret: canaries.issue('next secret') }
  const patch = (credentials: object) =>
    told.call('PATCH', `${collection}/${idOf(made)}`, { credentials })
  expect((await patch(next)).status).toBe(200)
  expect((await patch(bad)).status).toBe(424)

  // OAuth by hand: given tokens, refreshed ones, refused ones, lost ones.
  const given = vendor.provider.connect()
  const ownClient = { client_id: CLIENT.client_id, client_secret: CLIENT.client_secret }
  canaries.watch('secret of the client', CLIENT.client_secret)
  canaries.watch('access token', given.access_token)
  canaries.watch('refresh token', given.refresh_token)
  const oauth = await connectAcme(told, vendor.url, { ...given, ...ownClient })
  vendor.provider.endAccess()
  expect((await execute(told, oauth, 'customers.list')).status).toBe(200)
  const wrongClient = await connectAcme(told, vendor.url, {
    refresh_token: canaries.issue('refresh token of a wrong client'),
    client_id: 'nobody',
    client_secret: canaries.issue('secret of a wrong client'),
  })
  const foreign = canaries.issue('foreign refresh token')
  const revoked = await connectAcme(told, vendor.url, { refresh_token: foreign, ...ownClient })
  const echoing = await connectAcme(told, vendor.url, {
    refresh_token: canaries.issue('refresh token that comes back'),
    ...ownClient,
  })
  const lost = vendor.provider.connect()
  canaries.watch('lost refresh token', lost.refresh_token)
  const unknown = await connectAcme(told, vendor.url, {
    refresh_token: lost.refresh_token,
    ...ownClient,
  })
  for (const id of [wrongClient, revoked]) await execute(told, id, 'customers.list')
  vendor.provider.fail({
    kind: 'refusal',
    status: 400,
    body: {
      error: 'invalid_scope',
      error_description: `no ${foreign} and no ${CLIENT.client_secret}`,
    },
  })
  await execute(told, echoing, 'customers.list')
  vendor.provider.fail({ kind: 'lost' })
  await execute(told, unknown, 'customers.list')
  for (const seen of vendor.provider.presented)
    canaries.watch(`presented ${canaries.count}`, seen.refreshToken)

  // A write under a key, a refusal that repeats what it was sent, everything that shows an instance.
  const write = { headers: { 'idempotency-key': 'write-1' } }
  await execute(told, idOf(made), 'customers.create', { name: 'canary' }, write)
  await execute(told, idOf(made), 'customers.create', { name: 'canary' }, write)
  const minted = await one.call('POST', '/api/v1/account/applications/scoped-token', {
    external_user_id: 'user-1',
  })
  const { token } = minted.body as { readonly token: string }
  canaries.watch('scoped token', token)
  vendor.refused.add(next.api_key)
  for (const id of [idOf(made), oauth, wrongClient, revoked, echoing, unknown]) {
    await execute(told, id, 'customers.list', {}, { token })
    await told.call('GET', `${collection}/${id}`)
    await told.call('POST', `${collection}/${id}/check`, {})
    await told.call('POST', `${collection}/${id}/preview`, {
      entity: 'customers',
      action: 'list',
      params: {},
    })
    await told.call('GET', `${collection}/${id}/describe`)
  }
  await told.call('GET', collection)
  await told.call('GET', collection, undefined, { token: `${token.slice(0, -1)}x` })
  const metrics = await told.call('GET', '/metrics', undefined, {
    token: secretsOfProcess.TENON_METRICS_TOKEN,
  })
  expect([metrics.status, metrics.text.includes('tenon_refresh_total')]).toEqual([200, true])

  // What a crash leaves: a diagnostic report, and the log of an error that nobody caught.
  one.signal('SIGUSR2')
  await eventually(() => readdirSync(reports).length > 0)
  const live = canaries.findInFolder(folder)
  one.signal('SIGHUP')
  expect((await one.ended).code).toBe(1)
  expect(one.output.out).toContain('a defect for the test')

  expect(canaries.count).toBeGreaterThan(20)
  expect(live).toEqual([])
  expect(canaries.findInFolder(folder)).toEqual([])
  expect(canaries.findIn('log', one.output.out)).toEqual([])
  expect(canaries.findIn('standard error', one.output.err)).toEqual([])
  const shown = answers.map(({ headers, text }) => JSON.stringify(headers) + text).join('\n')
  expect(canaries.findIn('answers', shown)).toEqual([])
  // The vendor got them: the tests above have tried something.
  const sent = JSON.stringify(vendor.requests)
  expect(canaries.findIn('requests', sent).length).toBeGreaterThan(10)
})

test('X2 an error that nobody caught, and a promise that nobody awaited, are logged; what runs is answered; exit 1', async () => {
  await using other = folderFleet()
  for (const signal of ['SIGHUP', 'SIGWINCH'] as const) {
    const one = await other.start({ env: { NODE_OPTIONS: DEFECTS } })
    const instance = await connectAcme(one, vendor.url, { api_key: 'key-of-acme' })
    const gate = vendor.hold('POST /customers')
    const running = execute(one, instance, 'customers.create', { name: signal })
    await gate.arrived()
    one.signal(signal)
    await eventually(() => one.log().some(({ level }) => level === 'error'))
    gate.open()
    expect((await running).status).toBe(200)
    expect(await one.ended).toEqual({ code: 1, signal: null })
    expect(one.log().filter(({ level }) => level === 'error')).toEqual([
      expect.objectContaining({
        msg: 'an error that nobody caught; this process ends',
        stack: expect.stringContaining('for the test'),
      }),
    ])
  }
})
