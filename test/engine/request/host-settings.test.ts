import { expect, test } from 'vitest'

import { isConnectorError } from '../../../src/errors.ts'
import { parseText } from '../../../src/language/expression/parse-text.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import type { Server } from '../../../src/language/manifest/manifest.ts'
import { createServerResolver } from '../../../src/engine/request/base-url.ts'
import { exampleManifest } from './example-manifest.ts'

interface Setup {
  readonly urls: readonly string[]
  readonly hosts: Server['hosts']
  readonly serverUrl?: string
}

function resolve({ urls, hosts, serverUrl }: Setup, config: JsonObject): unknown {
  const manifest = exampleManifest({
    server: { urls: urls.map((url) => parseText(url)), hosts, headers: [] },
  })
  try {
    return createServerResolver(manifest, null, serverUrl)({ config })
  } catch (error) {
    if (isConnectorError(error)) return error.code
    throw error
  }
}

const REFUSED = 'destination_refused'
const LABEL: Setup = { urls: ['https://{{ config.x }}.example.net/v2'], hosts: ['*.example.net'] }

test.for<[value: string, origin: string]>([
  ['acme', 'https://acme.example.net'],
  ['ACME', 'https://acme.example.net'],
  // The Kelvin sign in lower case is the letter k.
  ['\u212a', 'https://k.example.net'],
  ['a', 'https://a.example.net'],
  ['7', 'https://7.example.net'],
  ['acme-2', 'https://acme-2.example.net'],
  ['xn--bcher-kva', 'https://xn--bcher-kva.example.net'],
  [
    'a23456789012345678901234567890123456789012345678901234567890123',
    'https://a23456789012345678901234567890123456789012345678901234567890123.example.net',
  ],
])('G1 the label %j gives %s', ([value, origin]) => {
  expect(resolve(LABEL, { x: value })).toEqual({ origin, path: '/v2' })
})

test.for([
  '',
  ' ',
  'a b',
  ' acme',
  'acme ',
  'acme\n',
  '\tacme',
  'ac\tme',
  'ac\0me',
  '\r\n',
  '-acme',
  'acme-',
  'ac_me',
  'a.b',
  '.acme',
  'acme.',
  '.',
  '..',
  'evil.com/',
  'evil.com#',
  'evil.com?',
  'evil.com\\',
  'evil.com%2f',
  'evil.com%23',
  'evil.com:443/',
  'evil.com:80#@',
  'a@evil.com/',
  'a:b@evil.com/',
  '@',
  'a@',
  'a:b@c',
  '/',
  '//',
  '//evil.com/',
  '/../',
  '\\',
  '\\\\evil.com\\',
  '#',
  '?',
  ';',
  ':',
  ':80',
  'a:80',
  '127.0.0.1:80/',
  '127.0.0.1',
  '127.0.0.1/',
  '[::1]',
  '[::1]/',
  '169.254.169.254/',
  'localhost/',
  'evil。com/',
  'evil．com',
  'evil｡com',
  'acme／',
  'ａcme',
  'bücher',
  'ac\u00adme',
  'ac\u200bme',
  'ﬀ',
  '\ud800',
  '*',
  '*.evil',
  '%',
  '%61',
  '{{ config.y }}',
  '$(id)',
  "'",
  'https://evil.com/',
  'a234567890123456789012345678901234567890123456789012345678901234',
])('G1 the label %j is refused', (value) => {
  expect(resolve(LABEL, { x: value })).toBe(REFUSED)
})

const WHOLE: Setup = {
  urls: ['{{ config.url }}/v2'],
  hosts: ['api.example.net', '*.shards.example.net'],
}

test.for<[value: string, base: { origin: string; path: string }]>([
  ['https://api.example.net', { origin: 'https://api.example.net', path: '/v2' }],
  ['https://api.example.net/', { origin: 'https://api.example.net', path: '/v2' }],
  ['https://API.example.NET', { origin: 'https://api.example.net', path: '/v2' }],
  ['https://us-7.shards.example.net', { origin: 'https://us-7.shards.example.net', path: '/v2' }],
  ['https://a.b.shards.example.net', { origin: 'https://a.b.shards.example.net', path: '/v2' }],
  ['https://api.example.net/x', { origin: 'https://api.example.net', path: '/x/v2' }],
  ['https://api.example.net/x/', { origin: 'https://api.example.net', path: '/x/v2' }],
])('G1 the whole URL %j is taken', ([value, base]) => {
  expect(resolve(WHOLE, { url: value })).toEqual(base)
})

test.for([
  '',
  ' ',
  'api.example.net',
  '//api.example.net',
  'http://api.example.net',
  'HTTPS://api.example.net',
  'ftp://api.example.net',
  'ws://api.example.net',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/plain,x',
  'https:api.example.net',
  'https:/api.example.net',
  'https:///api.example.net',
  'https:\\\\api.example.net',
  'https://',
  ' https://api.example.net',
  'https://api.example.net ',
  'https://api.example.net\n',
  'https://api.exa\tmple.net',
  'https://evil.com',
  'https://example.net',
  'https://other.example.net',
  'https://x.api.example.net',
  'https://shards.example.net',
  'https://evilshards.example.net',
  'https://xapi.example.net',
  'https://api.example.net.evil.com',
  'https://api.example.net.',
  'https://api.example.netx',
  'https://api.example.net@evil.com',
  'https://evil.com@api.example.net',
  'https://user:pw@api.example.net',
  'https://user@api.example.net',
  'https://:@api.example.net',
  'https://@api.example.net',
  'https://api.example.net:443',
  'https://api.example.net:8443',
  'https://api.example.net:80',
  'https://api.example.net:',
  'https://api.example.net?',
  'https://api.example.net?x=1',
  'https://api.example.net/?x=1',
  'https://api.example.net#',
  'https://api.example.net#x',
  'https://api.example.net/#x',
  'https://evil.com#api.example.net',
  'https://evil.com#.shards.example.net',
  'https://evil.com/.shards.example.net',
  'https://evil.com\\.shards.example.net',
  'https://evil.com?.shards.example.net',
  'https://evil.com%2f.shards.example.net',
  'https://api.example.net\\x',
  'https://api.example.net/x\\y',
  'https://api。example。net',
  'https://api.example．net',
  'https://аpi.example.net',
  'https://%61pi.example.net',
  'https://-x.shards.example.net',
  'https://x_y.shards.example.net',
  'https://.shards.example.net',
  'https://a..shards.example.net',
  'https://127.0.0.1',
  'https://2130706433',
  'https://0x7f.1',
  'https://[::1]',
  'https://localhost',
  'https://{{ config.host }}',
  'https://api.example.net\ud800',
])('G1 the whole URL %j is refused', (value) => {
  expect(resolve(WHOLE, { url: value })).toBe(REFUSED)
})

const ANY: Setup = { urls: ['https://{{ config.host }}/rest'], hosts: 'any' }

test.for<[value: string, origin: string]>([
  ['jira.customer.example', 'https://jira.customer.example'],
  ['JIRA.Customer.example', 'https://jira.customer.example'],
  ['a.b.c.d.example', 'https://a.b.c.d.example'],
  ['xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
])('G1 where the customer runs the server the host %j gives %s', ([value, origin]) => {
  expect(resolve(ANY, { host: value })).toEqual({ origin, path: '/rest' })
})

test.for([
  '',
  '.',
  '..',
  ' ',
  'localhost',
  'LOCALHOST',
  'intranet',
  'localhost.',
  'shop.example.',
  '.shop.example',
  'shop..example',
  'shop.example ',
  ' shop.example',
  'shop.example\n',
  'shop.exa\tmple',
  'shop.example\0',
  'shop.example:',
  'shop.example?',
  'shop.example#',
  'shop.example\\',
  'a@shop.example',
  'a:b@shop.example',
  '@shop.example',
  'https://shop.example',
  '//shop.example',
  '-shop.example',
  'shop-.example',
  'sh_op.example',
  '*.example',
  '127.0.0.1',
  '127.1',
  '127.0.0.1.',
  '0.0.0.0',
  '10.0.0.1',
  '169.254.169.254',
  '192.168.0.1',
  '1.2.3.4.5',
  '999.999.999.999',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  'shop.0x7f',
  'shop.1',
  '[::1]',
  '::1',
  '[::ffff:127.0.0.1]',
  '[fe80::1%25eth0]',
  'shop。example',
  'shop．example',
  'ｓhop.example',
  '①27.0.0.1',
  'bücher.example',
  'sh\u00adop.example',
  'sh\u200bop.example',
  '%73hop.example',
  'shop%2eexample',
  'shop.example%00',
  '{{ config.other }}.example',
  '\ud800.example',
  'xn--.example',
])('G1 where the customer runs the server the host %j is refused', (value) => {
  expect(resolve(ANY, { host: value })).toBe(REFUSED)
})

test.for<[value: JsonObject[string], want: unknown]>([
  ['a', { origin: 'https://api.example.net', path: '/t/a' }],
  ['a/b', { origin: 'https://api.example.net', path: '/t/a/b' }],
  ['a b?#', { origin: 'https://api.example.net', path: '/t/a%20b%3F%23' }],
  ['a\\b', { origin: 'https://api.example.net', path: '/t/a%5Cb' }],
  ['%2e%2e', { origin: 'https://api.example.net', path: '/t/%252e%252e' }],
  [7, { origin: 'https://api.example.net', path: '/t/7' }],
  ['', REFUSED],
  ['..', REFUSED],
  ['.', REFUSED],
  ['a/..', REFUSED],
  ['a//b', REFUSED],
  ['/a', REFUSED],
  ['a/', REFUSED],
  ['a\n', REFUSED],
  ['\ud800', REFUSED],
  [['a'], REFUSED],
  [{ a: 1 }, REFUSED],
])('G1 the path setting %j: %j', ([value, want]) => {
  const setup: Setup = {
    urls: ['https://api.example.net/t/{{ config.tenant }}'],
    hosts: ['api.example.net'],
  }
  expect(resolve(setup, { tenant: value })).toEqual(want)
})

const TWO: Setup = {
  urls: [
    'https://api.example.net/ex/{{ config.cloudId }}',
    'https://{{ config.site }}.example.org',
  ],
  hosts: ['api.example.net', '*.example.org'],
}

test.for<[config: JsonObject, base: { origin: string; path: string }]>([
  [
    { cloudId: '1', site: 's' },
    { origin: 'https://api.example.net', path: '/ex/1' },
  ],
  [{ cloudId: '1' }, { origin: 'https://api.example.net', path: '/ex/1' }],
  [{ site: 's' }, { origin: 'https://s.example.org', path: '' }],
  [
    { cloudId: null, site: 's' },
    { origin: 'https://s.example.org', path: '' },
  ],
])('the first complete base URL is used: %j', ([config, base]) => {
  expect(resolve(TWO, config)).toEqual(base)
})

test('a complete base URL that is refused does not give way to the next', () => {
  expect(resolve(TWO, { cloudId: '..', site: 's' })).toBe(REFUSED)
})

test.for<[config: JsonObject | undefined]>([[{}], [undefined], [{ site: null, cloudId: null }]])(
  'the names of missing settings are said: %j',
  ([config]) => {
    const manifest = exampleManifest({
      server: { urls: TWO.urls.map((url) => parseText(url)), hosts: TWO.hosts, headers: [] },
    })
    expect(() =>
      createServerResolver(manifest, null)(config === undefined ? {} : { config }),
    ).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        message: 'example needs one of the settings cloudId, site to know where to call',
        errors: [
          { pointer: '/config/cloudId', code: 'required', detail: 'is needed for the base URL' },
          { pointer: '/config/site', code: 'required', detail: 'is needed for the base URL' },
        ],
        details: { missing: ['cloudId', 'site'] },
      }),
    )
  },
)

test.for<[serverUrl: string, base: unknown]>([
  ['http://127.0.0.1:8080', { origin: 'http://127.0.0.1:8080', path: '/v2' }],
  ['http://127.0.0.1:8080/', { origin: 'http://127.0.0.1:8080', path: '/v2' }],
  ['http://127.0.0.1:8080/acme', { origin: 'http://127.0.0.1:8080', path: '/acme/v2' }],
  ['https://proxy.example.org/a/b/', { origin: 'https://proxy.example.org', path: '/a/b/v2' }],
  ['127.0.0.1', 'config_invalid'],
  ['', 'config_invalid'],
  ['ftp://127.0.0.1', 'config_invalid'],
  ['localhost:8080', 'config_invalid'],
])('serverUrl %j replaces the origin and keeps the path', ([serverUrl, base]) => {
  expect(resolve({ ...LABEL, serverUrl }, { x: 'acme' })).toEqual(base)
})

test('G1 serverUrl does not open the way for a setting that would be refused without it', () => {
  expect(resolve({ ...LABEL, serverUrl: 'http://127.0.0.1:8080' }, { x: 'evil.com/' })).toBe(
    REFUSED,
  )
})
