// The client on fetch in a context that has the standards of the web and nothing of Node.
import { stripTypeScriptTypes } from 'node:module'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningService, runService } from '../../fixtures/running-service.ts'
import { signWebhook } from '../../../src/client/webhooks/signature.ts'
import { blocksOf } from '../../docs/blocks.ts'
import { bundleForBrowsers } from './bundle.ts'

test('nothing of Node is reachable, and it has at most 30 KB, compressed', async () => {
  const { code, ofNode, modules } = await bundleForBrowsers()
  expect(ofNode).toEqual([])
  expect(modules.filter((path) => !path.includes('src/'))).toEqual([])
  expect(gzipSync(code).length).toBeLessThan(30_000)
})

/** What edge runtimes have: WinterTC's minimum common API, as far as the client could want it. */
const WEB = [
  'AbortController',
  'AbortSignal',
  'Blob',
  'File',
  'Headers',
  'ReadableStream',
  'Request',
  'Response',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
  'atob',
  'clearTimeout',
  'crypto',
  'fetch',
  'performance',
  'setTimeout',
] as const

let world: RunningService
beforeAll(async () => {
  world = await runService()
})
afterAll(() => world[Symbol.asyncDispose]())

test('the bundle works where there are web standards alone', async () => {
  const { code } = await bundleForBrowsers()
  const given = Object.fromEntries(WEB.map((name) => [name, globalThis[name]]))
  const { clientId = '', clientSecret = '' } = world.service.firstApplication ?? {}
  const settings = { baseUrl: world.url, clientId, clientSecret }
  const { credentials, config } = world.vendor('jira').options()
  const context = createContext({ ...given, settings, credentials, config })
  runInContext(code, context)
  const program = `(async () => {
    const application = tenon.serviceClient(settings)
    const { id } = await application.instances.create({
      external_user_id: 'u', connector_type: 'jira', name: 'jira', credentials, config,
    })
    const jira = await application.connect('jira', { connectorId: id, externalUserId: 'u' })
    const keys = []
    for await (const issue of jira.issues.api_search({ jql: 'project = OPS', maxResults: 2 })) {
      keys.push(issue.key)
      if (keys.length === 3) break
    }
    const failed = await jira.issues.get({}).catch((error) => [tenon.isConnectorError(error), error.code])
    await application.close()
    return JSON.stringify([keys.length, failed, typeof process, typeof Buffer])
  })()`
  const told = (await runInContext(program, context)) as string
  expect(JSON.parse(told)).toEqual([3, [true, 'params_invalid'], 'undefined', 'undefined'])
})

test('the worker of the guide runs there', async () => {
  const { code } = await bundleForBrowsers()
  const given = Object.fromEntries(WEB.map((name) => [name, globalThis[name]]))
  const context = createContext(given)
  runInContext(code, context)
  const documented = blocksOf('docs/host-apps.md').find(({ text }) =>
    text.includes('export default'),
  )
  runInContext(
    stripTypeScriptTypes(documented?.text ?? '')
      .replace(/import (\{.*\}) from 'tenon\/fetch'/, 'const $1 = tenon')
      .replace('export default', 'var worker ='),
    context,
  )
  const worker = given['worker' as never] as unknown as Worker
  const { clientId = '', clientSecret = '' } = world.service.firstApplication ?? {}
  const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
  const env = {
    TENON_URL: world.url,
    TENON_CLIENT_ID: clientId,
    TENON_CLIENT_SECRET: clientSecret,
    WEBHOOK_SECRET: secret,
  }
  const { filter } = world.vendor('gong').example('call_audio.download') as {
    readonly filter: { readonly callIds: readonly string[] }
  }
  const asked = {
    connectorId: await world.connect('gong'),
    externalUserId: 'user-1',
    callId: filter.callIds[0],
  }
  const answer = await worker.fetch(
    new Request('https://worker.example.com/', { method: 'POST', body: JSON.stringify(asked) }),
    env,
  )
  expect([answer.headers.get('content-type'), (await answer.bytes()).length > 1000]).toEqual([
    'audio/mpeg',
    true,
  ])

  const body = JSON.stringify({
    type: 'sync.completed',
    timestamp: new Date().toISOString(),
    data: {},
  })
  const timestamp = Math.floor(Date.now() / 1000)
  const delivery = new Request('https://worker.example.com/tenon-events', {
    method: 'POST',
    body,
    headers: {
      'webhook-id': 'm1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signWebhook({ id: 'm1', timestamp, body }, [secret]),
    },
  })
  expect(await (await worker.fetch(delivery, env)).text()).toBe('sync.completed')
})

interface Worker {
  fetch(request: Request, env: object): Promise<Response>
}
