// The tables of access and of grants against what else names them: the schema of manifests, its document, other sources.
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../../src/language/json/json.ts'
import { own } from '../../../../src/language/json/own.ts'
import {
  ACCESS,
  accessParts,
  storesOf,
} from '../../../../src/language/manifest/access/all-access.ts'
import {
  CLIENT_AUTH,
  type Grant,
  GRANTS,
  presentationsOf,
} from '../../../../src/language/manifest/access/grants.ts'
import { readSchema } from '../../../../src/language/manifest/schema-problems.ts'
import { manifestOf } from '../resolved.ts'

const words = Object.keys(ACCESS)
const grants = Object.keys(GRANTS) as Grant[]
const document = readFileSync('docs/manifest-language.md', 'utf8')

/** What stands below these keys. */
const below = (value: unknown, ...keys: string[]): unknown =>
  keys.reduce((found, key) => own(found as JsonObject, key), value)
const definition = (...keys: string[]): unknown => below(readSchema(), 'definitions', ...keys)

test('the schema of manifests has these blocks, grants and places of the client', () => {
  const known = /^(title|description|docs|credentials|server|derive|apply|jwt|after_token|revoke)$/
  const keys = Object.keys(definition('authMethod', 'properties') as JsonObject)
  expect(keys.filter((key) => !known.test(key))).toEqual(words)
  expect(definition('oauth2', 'properties', 'grant', 'enum')).toEqual(grants)
  expect(definition('oauth2', 'properties', 'token', 'properties', 'client_auth', 'enum')).toEqual(
    Object.keys(CLIENT_AUTH),
  )
})

test('the schema has a consent page for the grants whose code a person brings, and for no others', () => {
  const { if: without, then, else: otherwise } = definition('oauth2') as Record<string, JsonObject>
  expect(below(without, 'properties', 'grant', 'enum')).toEqual(
    grants.filter((grant) => GRANTS[grant].presents !== null),
  )
  expect([then, otherwise]).toEqual([
    { properties: { authorize: false } },
    { required: ['authorize'] },
  ])
})

test('the document of the language has a row for each block, and names the grants and places of the client', () => {
  const [, rows = ''] = /\| Block \| Keys \|\n\|---\|---\|\n((?:\|.*\n)*)/.exec(document) ?? []
  expect([...rows.matchAll(/^\| `(\w+)`/gm)].map(([, word]) => word)).toEqual(words)
  const [, named = ''] = /`grant` \(([^)]*)\)/.exec(rows) ?? []
  expect([...named.matchAll(/`(\w+)`/g)].map(([, grant]) => grant)).toEqual(grants)
  const [, places] = /`client_auth`: ([\w, ]*), `body`/.exec(rows) ?? []
  expect(places?.split(', ')).toEqual(Object.keys(CLIENT_AUTH))
})

test('no other source asks for a block of a method, for a grant, or for a place of the client', () => {
  const asked = new RegExp(
    `\\bmethod\\??\\.(${words.join('|')})\\b` +
      `|[\\w)\\]]\\??\\.oauth2\\b|\\{ oauth2 \\}\\) =>|\\{[^{}]*\\boauth2\\b[^{}]*\\} = [\\w.]*\\b(method|auth)\\b` +
      `|(case|[!=]==) '(${grants.join('|')})'` +
      `|\\b(clientAuth|client_auth) [!=]== '`,
  )
  const others = new Set([
    // The type attribute of an input field, and the format of a schema.
    'src/console/form/schema-form.tsx',
    'src/agents/missing-input.ts',
    // Here the service itself is asked for tokens.
    'src/service/agent-access/mount-agent-access.ts',
  ])
  const exclude = ['src/language/manifest/{access/**,source.ts}', 'src/client/generated/**']
  const sources = globSync('src/**/*.{ts,tsx}', { exclude })
  expect(sources.length).toBeGreaterThan(500)
  expect(
    sources.filter((file) => !others.has(file) && asked.test(readFileSync(file, 'utf8'))),
  ).toEqual([])
})

const CREDENTIALS = {
  username: 'ada',
  password: 'secret',
  client_id: 'id',
  access_token: 'a',
}
test.for<{ readonly grant: Grant; readonly first: JsonObject | null; readonly isRenewed: boolean }>(
  [
    { grant: 'authorization_code', first: null, isRenewed: true },
    { grant: 'client_credentials', first: { grant_type: 'client_credentials' }, isRenewed: false },
    {
      grant: 'password',
      first: { grant_type: 'password', username: 'ada', password: 'secret' },
      isRenewed: true,
    },
  ],
)('what $grant presents without a person', ({ grant, first, isRenewed }) => {
  const refresh = { grant_type: 'refresh_token', refresh_token: 'r' }
  const given = (refreshes: boolean, credentials: JsonObject): unknown =>
    presentationsOf({ grant, refreshes }, credentials)
  const alone = first === null ? [] : [first]
  const withToken = { ...CREDENTIALS, refresh_token: 'r' }
  expect(given(true, withToken)).toEqual([...(isRenewed ? [refresh] : []), ...alone])
  expect(given(false, withToken)).toEqual(alone)
  expect(given(true, CREDENTIALS)).toEqual(alone)
})

test('the parts of a block have their places in the file, and its stores are those of the method', () => {
  const source = {
    credentials: { properties: { access_token: { type: 'string' } } },
    apply: { bearer: '{{ credentials.access_token }}' },
    oauth2: {
      grant: 'client_credentials',
      token: { url: 'https://auth.example/token', headers: { 'X-One': '1' } },
      store: { 'config.site': '$.site' },
      after_token: [{ request: { http: 'GET /me' }, store: { 'config.id': '$.id' } }],
    },
  } as const
  const parts = accessParts({ at: ['auth', 'm'], source })
  const places = [parts.urls, parts.requests, parts.headers, parts.stores].map((list) =>
    list.map(({ at }) => at.join('.')),
  )
  expect(places).toEqual([
    ['auth.m.oauth2.token.url'],
    ['auth.m.oauth2.after_token.0.request'],
    ['auth.m.oauth2.token.headers'],
    ['auth.m.oauth2.store', 'auth.m.oauth2.after_token.0.store'],
  ])
  const config = { properties: { site: { type: 'string' }, id: { type: 'string' } } }
  const [method] = manifestOf({ config, auth: { m: source } }).auth
  expect(method === undefined ? [] : storesOf(method).map(({ name }) => name)).toEqual([
    'site',
    'id',
  ])
})
