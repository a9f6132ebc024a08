import { describe, expect, test } from 'vitest'

import { followRedirect } from '../../../src/engine/adapters/redirect.ts'

import { requestOf } from './requests.ts'

const HERE = 'https://api.vendor.example/v1/media?key=secret&id=7'

const read = requestOf(HERE, {
  headers: {
    accept: '*/*',
    authorization: 'Bearer secret',
    cookie: 'session=secret',
    'x-api-key': 'secret',
  },
  redirects: 3,
  secretHeaders: ['X-Api-Key'],
  secretQuery: ['key'],
})

const write = requestOf('https://api.vendor.example/v1/things', {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer secret' },
  body: '{"name":"a"}',
  redirects: 3,
})

describe('G3 a redirect to another origin', () => {
  test('G3 loses credentials in headers and query, and keeps the rest', () => {
    const location = 'https://cdn.example/file?key=secret&signature=a%2Fb'
    expect(followRedirect(read, 302, location)).toEqual({
      ...read,
      url: 'https://cdn.example/file?signature=a%2Fb',
      headers: { accept: '*/*' },
      redirects: 2,
    })
  })

  test('G3 another port or scheme is another origin', () => {
    for (const location of ['https://api.vendor.example:8443/', 'http://api.vendor.example/']) {
      expect(followRedirect(read, 302, location)?.headers).toEqual({ accept: '*/*' })
    }
  })

  test('G3 credentials do not come back when the chain returns', () => {
    const away = followRedirect(read, 302, 'https://cdn.example/')
    const back = away && followRedirect(away, 302, 'https://api.vendor.example/')
    expect(back?.headers).toEqual({ accept: '*/*' })
  })

  test('G3 a body never goes there', () => {
    for (const status of [301, 302, 307, 308]) {
      expect(followRedirect(write, status, 'https://other.example/')).toBeNull()
    }
    expect(followRedirect(write, 303, 'https://other.example/')).toEqual({
      ...write,
      method: 'GET',
      url: 'https://other.example/',
      headers: {},
      body: null,
      redirects: 2,
    })
    const readWithBody = requestOf(HERE, { body: '{}', redirects: 1 })
    expect(followRedirect(readWithBody, 302, 'https://other.example/')?.body).toBeNull()
  })
})

describe('a redirect within the origin', () => {
  test('keeps headers, and the query as the vendor wrote it', () => {
    expect(followRedirect(read, 308, '/v2/media?key=other')).toEqual({
      ...read,
      url: 'https://api.vendor.example/v2/media?key=other',
      redirects: 2,
    })
  })

  test('resolves relative addresses and drops the fragment', () => {
    expect(followRedirect(read, 302, 'other?x=1#part')?.url).toBe(
      'https://api.vendor.example/v1/other?x=1',
    )
  })

  test.for([
    { status: 301, method: 'GET', want: 'GET' },
    { status: 302, method: 'HEAD', want: 'HEAD' },
    { status: 303, method: 'HEAD', want: 'HEAD' },
    { status: 301, method: 'POST', want: null },
    { status: 302, method: 'DELETE', want: null },
    { status: 303, method: 'DELETE', want: 'GET' },
    { status: 307, method: 'POST', want: 'POST' },
    { status: 308, method: 'PATCH', want: 'PATCH' },
  ])('$status of $method becomes $want', ({ status, method, want }) => {
    expect(followRedirect({ ...write, method }, status, '/next')?.method ?? null).toBe(want)
  })

  test('307 and 308 repeat the body', () => {
    expect(followRedirect(write, 307, '/next')).toEqual({
      ...write,
      url: 'https://api.vendor.example/next',
      redirects: 2,
    })
  })
})

test.for([
  { name: 'no hop is left', request: { ...read, redirects: 0 }, status: 302, location: '/next' },
  { name: 'there is no address', request: read, status: 302, location: undefined },
  { name: 'the address cannot be read', request: read, status: 302, location: 'https://[' },
  { name: 'the status is 300', request: read, status: 300, location: '/next' },
  { name: 'the status is 304', request: read, status: 304, location: '/next' },
  { name: 'the status is 305', request: read, status: 305, location: '/next' },
  { name: 'the status is 200', request: read, status: 200, location: '/next' },
])('a redirect is the answer where $name', ({ request, status, location }) => {
  expect(followRedirect(request, status, location)).toBeNull()
})
