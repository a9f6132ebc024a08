import { describe, expect, test } from 'vitest'
import { parseText } from '../../../src/language/expression/parse-text.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import type { Manifest, Server } from '../../../src/language/manifest/manifest.ts'
import { type BaseUrl, createServerResolver } from '../../../src/engine/request/base-url.ts'

/** A resolver needs of a manifest only its server and its type. */
function resolver(
  urls: readonly string[],
  hosts: Server['hosts'],
  serverUrl?: string,
): (config: JsonObject) => BaseUrl {
  const manifest = {
    type: 'acme',
    server: { urls: urls.map((url) => parseText(url)), hosts, headers: [] },
  } as unknown as Manifest
  const resolve = createServerResolver(manifest, null, serverUrl)
  return (config) => resolve({ config })
}

const site = resolver(['https://{{ config.site }}.atlassian.net'], ['*.atlassian.net'])
const whole = resolver(['{{ config.url }}'], ['api.gong.io', '*.api.gong.io'])
const dotted = resolver(
  ['https://www.zohoapis.{{ config.dc }}/crm'],
  ['www.zohoapis.eu', 'www.zohoapis.com.au', '*.example.net'],
)
const own = resolver(['https://{{ config.host }}/api/v4'], 'any')

test.for([
  {
    resolve: site,
    config: { site: 'acme' },
    want: { origin: 'https://acme.atlassian.net', path: '' },
  },
  {
    resolve: site,
    config: { site: 'ACME' },
    want: { origin: 'https://acme.atlassian.net', path: '' },
  },
  {
    resolve: whole,
    config: { url: 'https://api.gong.io' },
    want: { origin: 'https://api.gong.io', path: '' },
  },
  {
    resolve: whole,
    config: { url: 'https://us-12345.api.gong.io/' },
    want: { origin: 'https://us-12345.api.gong.io', path: '' },
  },
  {
    resolve: own,
    config: { host: 'git.example.com' },
    want: { origin: 'https://git.example.com', path: '/api/v4' },
  },
  {
    resolve: own,
    config: { host: 'Git.Example.com:8443' },
    want: { origin: 'https://git.example.com:8443', path: '/api/v4' },
  },
  {
    resolve: own,
    config: { host: 'git.example.com:443/' },
    want: { origin: 'https://git.example.com', path: '/api/v4' },
  },
  {
    resolve: own,
    config: { host: 'intra.example.com:65535/tools/git lab' },
    want: { origin: 'https://intra.example.com:65535', path: '/tools/git%20lab/api/v4' },
  },
  {
    resolve: dotted,
    config: { dc: 'com.au' },
    want: { origin: 'https://www.zohoapis.com.au', path: '/crm' },
  },
  {
    resolve: dotted,
    config: { dc: 'EU' },
    want: { origin: 'https://www.zohoapis.eu', path: '/crm' },
  },
])('$config', ({ resolve, config, want }) => expect(resolve(config)).toEqual(want))

describe('G1 a label of the host', () => {
  test.for(
    [
      'evil.com/',
      'evil.com#',
      'evil.com?',
      'evil.com\\',
      'a@evil.com/',
      '127.0.0.1:80/',
      'evil.com:443',
      'a.b',
      'evil。com',
      'evil．com',
      '',
      ' ',
      'a b',
      'a\nb',
      'a\tb',
      'a%2eb',
      '%2F',
      '..',
      '.',
      '-a',
      'a-',
      'a_b',
      '[::1]',
      '0x7f000001',
      'a/..',
      'a//b',
      "a'b",
      '"',
      '<',
      '>',
      '{',
      '}',
      '|',
      '^',
      '`',
      '$',
      '*',
      'a,b',
      'a;b',
      'a=b',
      'a&b',
      'ä',
      'xn--a b',
      '\u0000',
      '\u200b',
      'a\u00ad',
      'a'.repeat(64),
      '🙂',
      'localhost:80',
      '@',
      'user:pass@host',
      'http://x',
      'https://x',
    ].filter((value) => value !== '0x7f000001'),
  )('%j is refused', (value) => {
    expect(() => site({ site: value })).toThrow(
      expect.objectContaining({ code: 'destination_refused' }),
    )
  })
})

describe('G1 a whole base URL', () => {
  test.for([
    'http://api.gong.io',
    'https://evil.example',
    'https://api.gong.io.evil.example',
    'https://evilapi.gong.io',
    'https://gong.io',
    'https://api.gong.io@evil.example',
    'https://user:pass@api.gong.io',
    'https://user@api.gong.io',
    'https://api.gong.io:8443',
    'https://api.gong.io:80',
    'https://api.gong.io?x=1',
    'https://api.gong.io#x',
    'https://api.gong.io\\@evil.example',
    'https:\\\\evil.example',
    'https:/api.gong.io',
    '//api.gong.io',
    'api.gong.io',
    'ftp://api.gong.io',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://127.0.0.1',
    'https://[::1]',
    'https://2130706433',
    'https://0177.0.0.1',
    'https://169.254.169.254',
    'https://localhost',
    'https://api.gong.io.',
    'https://.api.gong.io',
    'https://api。gong。io',
    'https://api.gong.io%2eevil.example',
    'https://api.gong.io%00.evil.example',
    'https://',
    '',
    'https://*.api.gong.io',
    'https://api_gong.io',
    ' https://api.gong.io',
    'https://api.gong.io\n.evil.example',
  ])('%j is refused', (url) => {
    expect(() => whole({ url })).toThrow(expect.objectContaining({ code: 'destination_refused' }))
  })
})

describe('G1 a host that the customer runs', () => {
  test.for(
    [
      'localhost',
      '127.0.0.1',
      '10.0.0.1',
      '[::1]',
      '::1',
      '2130706433',
      '0x7f.1',
      'git.example.com#',
      'git.example.com?',
      'a@git.example.com',
      'https://git.example.com',
      'git.example.com\\',
      '.example.com',
      'example.com.',
      'git..example.com',
      '-a.example.com',
      'git_a.example.com',
      'gît.example.com',
      '',
      ' git.example.com',
    ].filter((host) => host !== '0x7f.1'),
  )('%j is refused', (host) => {
    expect(() => own({ host })).toThrow(expect.objectContaining({ code: 'destination_refused' }))
  })
})

test('the first address with no absent part is used', () => {
  const resolve = resolver(
    [
      'https://api.atlassian.com/ex/jira/{{ config.cloud_id }}',
      'https://{{ config.site }}.atlassian.net',
    ],
    ['api.atlassian.com', '*.atlassian.net'],
  )
  expect(resolve({ cloud_id: '1f2e', site: 'acme' })).toEqual({
    origin: 'https://api.atlassian.com',
    path: '/ex/jira/1f2e',
  })
  expect(resolve({ site: 'acme' })).toEqual({ origin: 'https://acme.atlassian.net', path: '' })
  expect(() => resolve({})).toThrow(
    expect.objectContaining({ code: 'config_invalid', details: { missing: ['cloud_id', 'site'] } }),
  )
})

test('G5 a setting in the path keeps to its segments', () => {
  const resolve = resolver(['https://api.example.com/v/{{ config.version }}'], [])
  expect(resolve({ version: 'v24.0' })).toEqual({
    origin: 'https://api.example.com',
    path: '/v/v24.0',
  })
  for (const version of ['..', '.', 'a/../b', '', 'a\nb']) {
    expect(() => resolve({ version })).toThrow(
      expect.objectContaining({ code: 'destination_refused' }),
    )
  }
  expect(resolve({ version: 'a?b#c' }).path).toBe('/v/a%3Fb%23c')
})

test('another server keeps the path', () => {
  const resolve = resolver(['https://api.example.com/v2'], [], 'http://127.0.0.1:8080/proxy/')
  expect(resolve({})).toEqual({ origin: 'http://127.0.0.1:8080', path: '/proxy/v2' })
})

describe('G1 several labels from a setting', () => {
  const below = resolver(
    ['https://{{ config.dc }}.example.net'],
    ['*.example.net', 'a.b.example.net'],
  )
  test.for([
    'com',
    'com.au.evil',
    'com.au.',
    '.com',
    'com..au',
    'eu.',
    'com.au/',
    'com.au:443',
    '',
  ])('%j is refused where the finished host is not listed', (dc) => {
    expect(() => dotted({ dc })).toThrow(expect.objectContaining({ code: 'destination_refused' }))
  })
  test('an entry with * does not take them, a literal entry does', () => {
    expect(below({ dc: 'a.b' })).toEqual({ origin: 'https://a.b.example.net', path: '' })
    expect(() => below({ dc: 'a.c' })).toThrow(
      expect.objectContaining({ code: 'destination_refused' }),
    )
  })
})

describe('G1 a host of the customer with port and path', () => {
  test.for([
    'git.example.com:0',
    'git.example.com:65536',
    'git.example.com:080',
    'git.example.com:',
    'git.example.com:80:81',
    'git.example.com:x',
    'git.example.com//a',
    'git.example.com/a//b',
    'git.example.com/..',
    'git.example.com/a/../b',
    'git.example.com/.',
    'u:1@git.example.com',
    '127.0.0.1:8443',
    '[::1]:8443',
    'localhost:8443',
    'git.example.com:1/\n',
    'https://x.example',
    'git.example.com:8443@evil.example',
    'git.example.com\\a:1',
    ':8443',
    '/a',
    '2130706433:1',
  ])('%j is refused', (host) => {
    expect(() => own({ host })).toThrow(expect.objectContaining({ code: 'destination_refused' }))
  })
  test('marks of a query stay in the path', () => {
    expect(own({ host: 'git.example.com/a?b#c' })).toEqual({
      origin: 'https://git.example.com',
      path: '/a%3Fb%23c/api/v4',
    })
  })
})
