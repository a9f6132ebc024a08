// An OAuth client of the operator that the third party refuses says nothing about the instances that use it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type AcmeVendor, startAcmeVendor } from '../../chaos/acme-vendor.ts'
import { type CallAnswer, type RunningService, runService } from '../../fixtures/running-service.ts'

const MANIFEST = join(import.meta.dirname, '../../chaos/acme.yaml')
const DEV_TOKEN = 'development-token-of-the-tests'
const KNOWN = { id: 'client-1', secret: 'client-secret-1' }
const REFUSED = { ...KNOWN, secret: 'a secret of last year' }
const COLLECTION = '/v1/integrations/connectors'

async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-client-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

async function start(data: string, client: typeof KNOWN): Promise<RunningService> {
  return await runService({
    mode: 'dev',
    devToken: DEV_TOKEN,
    manifests: [MANIFEST],
    connectors: ['acme'],
    allowHosts: ['127.0.0.1'],
    oauthClients: { acme: client },
    data,
  })
}

async function startVendor(): Promise<AcmeVendor> {
  const vendor = await startAcmeVendor()
  onTestFinished(() => vendor[Symbol.asyncDispose]())
  return vendor
}

async function connect(
  world: RunningService,
  { url }: AcmeVendor,
  credentials: object,
): Promise<string> {
  const answer = await world.call(
    'POST',
    `${COLLECTION}?check=false`,
    {
      external_user_id: 'user-1',
      connector_type: 'acme',
      name: 'acme',
      server_url: url,
      credentials,
    },
    { as: DEV_TOKEN },
  )
  expect(answer.status).toBe(201)
  return (answer.body as { readonly id: string }).id
}

const list = (world: RunningService, id: string): Promise<CallAnswer> =>
  world.call(
    'POST',
    `/api/v1/connectors/sources/${id}/execute`,
    { entity: 'customers', action: 'list', params: {} },
    { as: DEV_TOKEN },
  )

async function statesOf({ service }: RunningService, ids: readonly string[]): Promise<unknown[]> {
  const rows = await Promise.all(ids.map((id) => service.store.instances.find(id)))
  return rows.map((row) => [row?.state, row?.stateReason])
}

test('an OAuth client of the operator that is refused leaves every instance as it was, is told to the operator once, and they heal when it is right again', async () => {
  const vendor = await startVendor()
  const data = await dataFolder()
  const ids: string[] = []
  {
    await using world = await start(data, REFUSED)
    for (let each = 0; each < 3; each++)
      ids.push(await connect(world, vendor, vendor.provider.connect()))
    for (const id of ids) expect((await list(world, id)).status).toBe(200)
    vendor.provider.endAccess()
    for (const id of ids) {
      const answer = await list(world, id)
      expect([answer.status, answer.body]).toMatchObject([
        502,
        {
          code: 'refresh_failed',
          retryable: true,
        },
      ])
    }
    const [first = ''] = ids
    const check = await world.call('POST', `${COLLECTION}/${first}/check`, undefined, {
      as: DEV_TOKEN,
    })
    expect(check.body).toMatchObject({ result: 'inconclusive', state: 'active' })
    expect(await statesOf(world, ids)).toEqual(ids.map(() => ['active', null]))
    const told = world.lines.filter(({ message }) => message.includes('OAuth client'))
    expect(told).toEqual([
      {
        level: 'error',
        facts: {
          connector_type: 'acme',
          settings: ['TENON_OAUTH_ACME_CLIENT_ID', 'TENON_OAUTH_ACME_CLIENT_SECRET'],
          error: 'invalid_client',
        },
        message: expect.any(String),
      },
    ])
    expect(await world.service.metrics.text()).toContain(
      'tenon_refresh_total{connector_type="acme",result="client_refused"}',
    )
  }
  await using world = await start(data, KNOWN)
  for (const id of ids) expect((await list(world, id)).status).toBe(200)
  expect(await statesOf(world, ids)).toEqual(ids.map(() => ['active', null]))
  expect(vendor.provider.counters).toMatchObject({ refreshes: 3, replays: 0 })
})

test('an OAuth client that the credentials bring is theirs: it is refused, and the check says so', async () => {
  const vendor = await startVendor()
  await using world = await start(await dataFolder(), KNOWN)
  const id = await connect(world, vendor, {
    ...vendor.provider.connect(),
    client_id: 'client-1',
    client_secret: 'wrong-secret',
  })
  vendor.provider.endAccess()
  expect((await list(world, id)).body).toMatchObject({
    code: 'credentials_refused',
  })
  expect(await statesOf(world, [id])).toMatchObject([['auth_error', {}]])
})
