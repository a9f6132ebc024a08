import { describe, expect, test } from 'vitest'
import { connect } from '../../../src/client/connect.ts'
import { loadManifestFile, requireManifest } from '../../../src/language/manifest/load.ts'
import {
  type ScriptedExchange,
  scriptedUpstream,
} from '../../../src/sandbox/testing/scripted-upstream.ts'

const jira = requireManifest(await loadManifestFile('manifests/jira.yaml'))
const CREDENTIALS = { username: 'ada@example.com', password: 'demo-api-token' }

async function run(
  exchanges: readonly ScriptedExchange[],
  call: (client: Awaited<ReturnType<typeof connect>>) => Promise<unknown>,
): Promise<string | null> {
  const upstream = await scriptedUpstream(exchanges)
  try {
    await using client = await connect(jira, {
      credentials: CREDENTIALS,
      config: { subdomain: 'acme' },
      retries: 0,
      ...upstream.options(),
    })
    await call(client as never).catch(() => null)
    upstream.verify()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await upstream.close()
  }
}

const get = async (client: { execute: (...all: never[]) => unknown }): Promise<unknown> =>
  await client.execute(...(['issues', 'get', { issueIdOrKey: 'A-1', fields: 'id' }] as never[]))

const SEND = 'GET /rest/api/3/issue/A-1?fields=id'

describe('a script', () => {
  test.for<{ name: string; exchanges: ScriptedExchange[]; says: string | null }>([
    {
      name: 'that is followed is silent',
      exchanges: [{ expect: { send: SEND }, answer: { body: { id: '1' } } }],
      says: null,
    },
    {
      name: 'tells which request was another one',
      exchanges: [{ expect: { send: 'GET /rest/api/3/issue/A-2' }, answer: {} }],
      says: `the script was not followed:\nrequest 1: expected GET /rest/api/3/issue/A-2, got ${SEND}`,
    },
    {
      name: 'tells which header was another one',
      exchanges: [{ expect: { headers: { Accept: 'text/plain' } }, answer: {} }],
      says: 'the script was not followed:\nrequest 1: expected Accept: text/plain, got application/json',
    },
    {
      name: 'tells a request too many',
      exchanges: [],
      says: `the script was not followed:\nrequest 1: one request too many: ${SEND}`,
    },
    {
      name: 'tells what was never asked for',
      exchanges: [
        { answer: { body: { id: '1' } } },
        { expect: { send: 'GET /rest/api/3/myself' }, answer: {} },
      ],
      says: 'the script was not followed:\nnever asked for: GET /rest/api/3/myself',
    },
  ])('$name', async ({ exchanges, says }) => {
    expect(await run(exchanges, get as never)).toBe(says)
  })
})

test('disposing of a script that was not followed throws', async () => {
  await expect(async () => {
    await using upstream = await scriptedUpstream([{ answer: {} }])
    expect(upstream.requests).toEqual([])
  }).rejects.toThrow('never asked for: any request')
})
