// Ways to make the same two calls: fetch one issue, fetch one page of issues.
import { isDeepStrictEqual } from 'node:util'

import { request } from 'undici'

import { createUndiciTransport } from '../src/engine/adapters/undici-transport.ts'

import { loadPackage } from './build.ts'
import type { Side } from './measure.ts'
import { loadRivals } from './rivals.ts'

export const CREDENTIALS = { username: 'ada@example.com', password: 'a-token-of-some-length' }
export const SETTINGS = { subdomain: 'acme' }

/** One way of making both calls. They give the issue, and the list of issues. */
export interface JiraSide extends AsyncDisposable {
  readonly name: string
  readonly record: () => Promise<unknown>
  readonly page: () => Promise<unknown>
}

export type Call = 'record' | 'page'

const RECORD_PATH = '/rest/api/3/issue/ACME-7'
const PAGE_PATH =
  '/rest/api/3/search/jql?jql=project%20%3D%20ACME&fields=%2Anavigable&maxResults=50'

const HEADERS = {
  accept: 'application/json',
  authorization: `Basic ${Buffer.from(`${CREDENTIALS.username}:${CREDENTIALS.password}`).toString('base64')}`,
}

/** The whole client, as a host app uses it, without the manifest's own bound of ten calls at once. */
export async function openClient(url: string): Promise<JiraSide> {
  const { connect } = await loadPackage()
  const jira = await connect('jira', {
    credentials: CREDENTIALS,
    config: SETTINGS,
    serverUrl: url,
    allowHosts: ['127.0.0.1'],
    limits: null,
  })
  return {
    name: 'tenon',
    record: async () => {
      const { data } = (await jira.execute('issues', 'get', { issueIdOrKey: 'ACME-7' })) as {
        data: unknown
      }
      return data
    },
    page: async () =>
      (await jira.execute('issues', 'api_search', { jql: 'project = ACME', maxResults: 50 }))
        .records,
    [Symbol.asyncDispose]: () => jira.close(),
  }
}

/** Our transport alone, and JSON.parse. */
export function openTransport(url: string): JiraSide {
  const transport = createUndiciTransport({ allowHosts: ['127.0.0.1'] })
  const get = async (path: string): Promise<unknown> => {
    const { body } = await transport.send({
      method: 'GET',
      url: url + path,
      headers: HEADERS,
      body: null,
      redirects: 0,
      timeoutMs: 30_000,
      secretHeaders: ['authorization'],
      secretQuery: [],
    })
    return JSON.parse(body.toString())
  }
  return {
    name: 'tenon transport',
    record: () => get(RECORD_PATH),
    page: async () => issuesOf(await get(PAGE_PATH)),
    [Symbol.asyncDispose]: () => transport.close(),
  }
}

/** What everybody is compared with: `undici.request` and JSON.parse. */
export function openUndici(url: string): JiraSide {
  const get = async (path: string): Promise<unknown> => {
    const { body } = await request(url + path, { headers: HEADERS })
    return JSON.parse(await body.text())
  }
  return {
    name: 'undici.request',
    record: () => get(RECORD_PATH),
    page: async () => issuesOf(await get(PAGE_PATH)),
    async [Symbol.asyncDispose]() {},
  }
}

/** `fetch` of Node and the packages of bench/rivals. */
export async function openRivals(url: string): Promise<JiraSide[]> {
  const get = async (path: string): Promise<unknown> =>
    await (await fetch(url + path, { headers: HEADERS })).json()
  const rivals = await loadRivals(url, CREDENTIALS)
  return [
    {
      name: 'global fetch',
      record: () => get(RECORD_PATH),
      page: async () => issuesOf(await get(PAGE_PATH)),
      async [Symbol.asyncDispose]() {},
    },
    ...rivals.map((rival) => ({ ...rival, async [Symbol.asyncDispose]() {} })),
  ]
}

/** The sides for one of the calls. Throws unless all give the same: else they are not comparable. */
export async function sidesOf(all: readonly JiraSide[], call: Call): Promise<Side[]> {
  const sides = all.map((side) => ({ name: side.name, call: side[call] }))
  const [first, ...others] = await Promise.all(
    sides.map(async ({ name, call }) => ({ name, value: await call() })),
  )
  for (const other of others) {
    if (!isDeepStrictEqual(other.value, first?.value)) {
      throw new Error(`${other.name} and ${first?.name} give different results for the ${call}`)
    }
  }
  return sides
}

export function issuesOf(page: unknown): unknown {
  return (page as { issues: unknown }).issues
}
