// The client on fetch in a context that has the standards of the web and nothing of Node.
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningService, runService } from '../../fixtures/running-service.ts'
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
