// Which handler a request is led to, and with what.
import { expect, test } from 'vitest'
import { isConnectorError } from '../../../src/errors.ts'
import type { Answer } from '../../../src/service/http/arrival.ts'
import { Site } from '../../../src/service/http/site.ts'
import { arrivalOf } from '../../fixtures/arrival.ts'

const MOUNTED: readonly (readonly [string, string])[] = [
  ['GET', '/things'],
  ['POST', '/things'],
  ['GET', '/things/{id}'],
  ['PATCH', '/things/{id}'],
  ['GET', '/things/own/parts'],
  ['GET', '/things/{thing}/parts/{part}'],
  ['GET', '/pages'],
  ['GET', '/pages/*'],
  ['GET', '/pages/files/{name}'],
  ['*', '/any'],
  ['GET', '/any'],
]

const site = new Site((_arrival, error) =>
  told({
    refused: isConnectorError(error) && error.code,
    allow: isConnectorError(error) ? error.details['allow'] : error,
  }),
)
for (const [method, path] of MOUNTED)
  site.on(method, path, (call) =>
    told({ at: `${method} ${path}`, path: call.path, query: call.query }),
  )

function told(facts: object): Answer {
  return { status: 200, headers: {}, content: JSON.stringify(facts) }
}

async function ask(method: string, url: string): Promise<unknown> {
  const answer = await site.answer(arrivalOf(method, url))
  return JSON.parse(answer?.content as string)
}

const LONG = 'a'.repeat(101)

test.for<readonly [string, string, object]>([
  ['GET', '/things', { at: 'GET /things' }],
  ['GET', '/things/', { at: 'GET /things' }],
  ['HEAD', '/things', { at: 'GET /things' }],
  ['GET', 'http://x.example/things', { at: 'GET /things' }],
  ['GET', '/things?a=1&b=%20&b=2', { at: 'GET /things', query: { a: '1', b: [' ', '2'] } }],
  ['GET', '/things/?a', { at: 'GET /things', query: { a: '' } }],
  ['GET', '/things/7', { at: 'GET /things/{id}', path: { id: '7' } }],
  ['GET', '/things/%37%2F', { at: 'GET /things/{id}', path: { id: '7/' } }],
  ['GET', '/%74hings', { at: 'GET /things' }],
  // What is written wins, and where it leads nowhere the parameter is tried.
  ['GET', '/things/own', { at: 'GET /things/{id}', path: { id: 'own' } }],
  ['GET', '/things/own/parts', { at: 'GET /things/own/parts', path: {} }],
  [
    'GET',
    '/things/own/parts/2',
    { at: 'GET /things/{thing}/parts/{part}', path: { thing: 'own', part: '2' } },
  ],
  ['GET', '/pages/files/a', { at: 'GET /pages/files/{name}', path: { name: 'a' } }],
  ['GET', '/pages/files/a/b', { at: 'GET /pages/*', path: { '*': 'files/a/b' } }],
  ['GET', '/pages', { at: 'GET /pages' }],
  ['GET', '/any', { at: 'GET /any' }],
  ['PROPFIND', '/any', { at: '* /any' }],
  ['GET', '/Things', { refused: 'route_unknown' }],
  ['GET', '//things', { refused: 'route_unknown' }],
  ['GET', '/things/7/none', { refused: 'route_unknown' }],
  ['GET', `/things/${LONG}`, { refused: 'route_unknown' }],
  ['GET', '/things/%zz', { refused: 'request_malformed' }],
  ['DELETE', '/things', { refused: 'method_not_allowed', allow: 'GET, POST, HEAD, OPTIONS' }],
  ['PUT', '/things/7', { refused: 'method_not_allowed', allow: 'GET, PATCH, HEAD, OPTIONS' }],
  ['POST', '/pages/files', { refused: 'method_not_allowed', allow: 'GET, HEAD, OPTIONS' }],
])('%s %s', async ([method, url, expected]) => {
  expect(await ask(method, url)).toMatchObject(expected)
})
