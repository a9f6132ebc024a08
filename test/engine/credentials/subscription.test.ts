// Subscriptions that an earlier attempt left behind, wherever they stand in the vendor's list.
import { expect, test } from 'vitest'
import { compileSubscription } from '../../../src/engine/credentials/subscription.ts'
import type { UpstreamRequest } from '../../../src/engine/request/upstream-request.ts'
import { manifestOf } from '../../language/manifest/resolved.ts'
import { createStoppedClock } from './stopped-clock.ts'

const URL_OF_OURS = 'https://tenon.example/hook'
const OURS = { target: URL_OF_OURS }
const OTHER = { target: 'https://other.example/hook' }

interface Answer {
  readonly body: unknown
  readonly link?: string
}

/** What is found in pages that a vendor answers one after the other, and what it was asked. */
async function findIn(find: object, answers: (request: UpstreamRequest, asked: number) => Answer) {
  const manifest = manifestOf({
    webhooks: {
      verify: { token: { header: 'x-token', value: '{{ webhook.token }}' } },
      subscribe: {
        create: { request: { http: 'POST /hooks' }, store: { id: '$.id' } },
        find: {
          from: '$.hooks',
          match: { '$.target': '{{ webhook.url }}' },
          store: { id: '$.id' },
          ...find,
        },
        delete: { http: 'DELETE /hooks/{{ subscription.id }}' },
      },
    },
  })
  const sent: UpstreamRequest[] = []
  const compiled = compileSubscription(manifest, null, {
    clock: createStoppedClock(),
    serverUrl: null,
    client: null,
    transport: {
      send(request) {
        sent.push(request)
        const { body, link } = answers(request, sent.length)
        return Promise.resolve({
          status: 200,
          headers: { 'content-type': 'application/json', ...(link !== undefined && { link }) },
          url: request.url,
          body: Buffer.from(JSON.stringify(body)),
        })
      },
      stream: () => Promise.reject(new Error('nothing is streamed here')),
      close: () => Promise.resolve(),
    },
  })
  const applied = {
    headers: { 'x-key': 'k' },
    query: [],
    secretHeaders: ['x-key'],
    secretQuery: [],
  }
  const subscriber = { scope: { webhook: { url: URL_OF_OURS } }, applied } as never
  const found = await compiled?.find(subscriber).catch((error: unknown) => error)
  return { found, asked: sent.map(({ url }) => url.replace('https://api.thing.example', '')) }
}

test('all pages of a list are read by its cursor', async () => {
  const find = {
    request: { http: 'GET /hooks', query: { after: '{{ params.after }}' } },
    pagination: { type: 'cursor', param: 'after', next: '$.next' },
  }
  const pages = [
    { hooks: [{ ...OTHER, id: 1 }], next: 'b' },
    { hooks: [{ ...OURS, id: 2 }], next: 'c' },
    {
      hooks: [
        { ...OTHER, id: 3 },
        { ...OURS, id: 4 },
      ],
    },
  ]
  expect(await findIn(find, (_, asked) => ({ body: pages[asked - 1] }))).toEqual({
    found: [{ id: 2 }, { id: 4 }],
    asked: ['/hooks', '/hooks?after=b', '/hooks?after=c'],
  })
})

test('pages that are counted end with an empty one', async () => {
  const find = {
    request: { http: 'GET /hooks', query: { page: '{{ params.page }}' } },
    pagination: { type: 'page', param: 'page' },
  }
  const answer = (_: UpstreamRequest, asked: number): Answer => ({
    body: { hooks: asked < 3 ? [{ ...OURS, id: asked }] : [] },
  })
  expect(await findIn(find, answer)).toEqual({
    found: [{ id: 1 }, { id: 2 }],
    asked: ['/hooks?page=1', '/hooks?page=2', '/hooks?page=3'],
  })
})

test('links to pages are followed on the own server, and nowhere else', async () => {
  const find = {
    request: { http: 'GET /hooks' },
    pagination: { type: 'link', param: 'next_page', next: '$link.next' },
  }
  const to = (url: string) => (_: UpstreamRequest, asked: number) => ({
    body: { hooks: [{ ...OURS, id: asked }] },
    ...(asked === 1 && { link: `<${url}>; rel="next"` }),
  })
  expect(await findIn(find, to('https://api.thing.example/hooks?p=2'))).toEqual({
    found: [{ id: 1 }, { id: 2 }],
    asked: ['/hooks', '/hooks?p=2'],
  })
  const { found, asked } = await findIn(find, to('https://evil.example/hooks?p=2'))
  expect([found, asked]).toEqual([
    expect.objectContaining({ code: 'upstream_malformed' }),
    ['/hooks'],
  ])
})

test('a list without an end is told, and nothing is taken for all of it', async () => {
  const find = {
    request: { http: 'GET /hooks', query: { page: '{{ params.page }}' } },
    pagination: { type: 'page', param: 'page' },
  }
  const { found, asked } = await findIn(find, () => ({ body: { hooks: [{ ...OTHER, id: 1 }] } }))
  expect([found, asked.length]).toEqual([
    expect.objectContaining({ code: 'upstream_malformed' }),
    100,
  ])
})
