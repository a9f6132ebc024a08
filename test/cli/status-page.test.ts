// The page on which a vendor tells whether it is up, where the command line and the API name it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningService, runService } from '../fixtures/running-service.ts'
import { tenonHere } from './run-here.ts'

const PAGES = {
  'facebook-marketing': null,
  github: 'https://www.githubstatus.com',
  gong: 'https://status.gong.io',
  jira: 'https://jira-software.status.atlassian.com',
  slack: 'https://slack-status.com',
  stripe: 'https://status.stripe.com',
}

let world: RunningService

beforeAll(async () => {
  world = await runService()
})
afterAll(() => world[Symbol.asyncDispose]())

test('connector types tell it, or that nobody has said', async () => {
  const { body } = await world.call('GET', '/v1/connectors')
  const { data } = body as {
    readonly data: readonly { readonly connector_type: string; readonly status_page: unknown }[]
  }
  expect(Object.fromEntries(data.map((each) => [each.connector_type, each.status_page]))).toEqual(
    PAGES,
  )
})

test.for([
  { name: 'fails', type: 'gong', operation: 'users.list', status: 500, code: 'upstream_failed' },
  {
    name: 'refuses',
    type: 'jira',
    operation: 'projects.api_search',
    status: 403,
    code: 'upstream_forbidden',
  },
] as const)('a vendor that $name: $code', async ({ type, operation, status, code: said }) => {
  const id = await world.connect(type)
  world.vendor(type).fail('*', { mode: 'status', status, times: 100 })
  const { code, err } = await tenonHere(
    ['try', type, operation, '--connector-id', id, '--timeout', '60'],
    {
      env: {
        TENON_URL: world.url,
        TENON_CLIENT_ID: world.service.firstApplication?.clientId ?? '',
        TENON_CLIENT_SECRET: world.service.firstApplication?.clientSecret ?? '',
      },
    },
  )
  expect([code === 0, err]).toEqual([false, expect.stringContaining(said)])
  const line = err.split('\n').find((each) => each.includes('whether the third party is up'))
  expect(line).toBe(
    said === 'upstream_failed' ? `  whether the third party is up: ${PAGES[type]}` : undefined,
  )
})
