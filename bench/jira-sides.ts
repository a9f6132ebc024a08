// Ways to make the same call: a record, or a page of records, of an issue tracker.
import { isDeepStrictEqual } from 'node:util'

import { Pool, request } from 'undici'

import type { Client } from '../src/index.ts'
import { createUndiciTransport } from '../src/engine/adapters/undici-transport.ts'

import { loadPackage } from './build.ts'
import { type Body, pageIn, recordIn } from './jira-bodies.ts'
import type { Side } from './measure.ts'
import { loadRivals } from './rivals.ts'

export const CREDENTIALS = { username: 'ada@example.com', password: 'a-token-of-some-length' }
export const SETTINGS = { subdomain: 'acme' }

/** One way of asking. What `ask` gives makes one call, whose value is the record or the list of records. */
export interface JiraSide extends AsyncDisposable {
  readonly name: string
  ask(body: Body): () => Promise<unknown>
}

/** What rivals are asked for, too. */
export const RECORD: Body = recordIn('wide')
export const PAGE: Body = pageIn('wide', 50, '150 KB')

const HEADERS = {
  accept: 'application/json',
  authorization: `Basic ${Buffer.from(`${CREDENTIALS.username}:${CREDENTIALS.password}`).toString('base64')}`,
}

/** The whole client, as a host app uses it, without the manifest's own bound of ten calls at once. */
export async function openClient(url: string): Promise<JiraSide> {
  const { connect } = await loadPackage()
  // Entities and actions are those of the bodies, so that the general client is enough.
  const jira: Client = await connect('jira', {
    credentials: CREDENTIALS,
    config: SETTINGS,
    serverUrl: url,
    allowHosts: ['127.0.0.1'],
    limits: null,
  })
  return {
    name: 'tenon',
    ask:
      ({ entity, action, params }) =>
      async () => {
        const answer = await jira.execute(entity, action, params)
        if ('records' in answer) return answer.records
        return 'data' in answer ? answer.data : null
      },
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
    ask: asking(get),
    [Symbol.asyncDispose]: () => transport.close(),
  }
}

/** What everybody is compared with: `undici.request` and JSON.parse. */
export function openUndici(url: string): JiraSide {
  const get = async (path: string): Promise<unknown> => {
    const { body } = await request(url + path, { headers: HEADERS })
    return JSON.parse(await body.text())
  }
  return { name: 'undici.request', ask: asking(get), async [Symbol.asyncDispose]() {} }
}

/** The least that can be written over undici: a handler of its own for what comes, and JSON.parse. */
export function openHandler(url: string): JiraSide {
  const pool = new Pool(url, { pipelining: 1 })
  const get = (path: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      pool.dispatch(
        { method: 'GET', path, headers: HEADERS },
        {
          onRequestStart() {},
          onResponseStart() {},
          onResponseData: (_controller, chunk) => void chunks.push(chunk),
          onResponseEnd: () => resolve(JSON.parse(Buffer.concat(chunks).toString())),
          onResponseError: (_controller, error) => reject(error),
        },
      )
    })
  return {
    name: 'own dispatch handler',
    ask: asking(get),
    [Symbol.asyncDispose]: () => pool.close(),
  }
}

/** `fetch` of Node and the packages of bench/rivals. */
export async function openRivals(url: string): Promise<JiraSide[]> {
  const get = async (path: string): Promise<unknown> =>
    await (await fetch(url + path, { headers: HEADERS })).json()
  const rivals = await loadRivals(url, CREDENTIALS)
  return [
    { name: 'global fetch', ask: asking(get), async [Symbol.asyncDispose]() {} },
    ...rivals.map(({ name, record, page }) => ({
      name,
      ask: (body: Body) => (body === RECORD ? record : page),
      async [Symbol.asyncDispose]() {},
    })),
  ]
}

/** The sides for one body. Throws unless all give the same: else they are not comparable. */
export async function sidesOf(all: readonly JiraSide[], body: Body): Promise<Side[]> {
  const sides = all.map((side) => ({ name: side.name, call: side.ask(body) }))
  const [first, ...others] = await Promise.all(
    sides.map(async ({ name, call }) => ({ name, value: await call() })),
  )
  for (const other of others) {
    if (!isDeepStrictEqual(other.value, first?.value)) {
      throw new Error(`${other.name} and ${first?.name} give different results: ${body.title}`)
    }
  }
  return sides
}

/** Calls of what gets the parsed body at a path. */
function asking(get: (path: string) => Promise<unknown>): JiraSide['ask'] {
  return ({ path, records }) =>
    async () => {
      const value = await get(path)
      // A page, as the bodies are made.
      return records === null ? value : (value as Readonly<Record<string, unknown>>)[records]
    }
}
