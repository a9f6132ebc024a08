// The table of places against what else names them: the schema of manifests, its document, other sources.
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../../src/language/json/json.ts'
import { own } from '../../../../src/language/json/own.ts'
import type { Apply } from '../../../../src/language/manifest/credential-places/place.ts'
import {
  carriedBy,
  PLACES,
  takesBearerOnly,
} from '../../../../src/language/manifest/credential-places/places.ts'
import { readSchema } from '../../../../src/language/manifest/schema-problems.ts'
import { manifestOf } from '../resolved.ts'

const words = Object.keys(PLACES)

test('the schema of manifests has these words below apply', () => {
  const apply = own(own(own(own(readSchema(), 'definitions'), 'authMethod'), 'properties'), 'apply')
  expect(Object.keys(own(apply, 'properties') as JsonObject)).toEqual(words)
})

test('the document of the language has a row for each', () => {
  const text = readFileSync('docs/manifest-language.md', 'utf8')
  const [, rows = ''] = /\| Word of `apply` \|.*\n\|---\|---\|\n((?:\|.*\n)*)/.exec(text) ?? []
  expect([...rows.matchAll(/^\| `(\w+)`/gm)].map(([, word]) => word)).toEqual(words)
})

test('no other source asks for a word below apply', () => {
  const asked = new RegExp(
    `\\bapply\\??\\.(${words.join('|')})\\b|\\{[^{}]*\\b(${words.join('|')})\\b[^{}]*\\} = [\\w.]*\\bapply\\b`,
  )
  const sources = globSync('src/**/*.{ts,tsx}')
  expect(sources.length).toBeGreaterThan(500)
  expect(sources.filter((file) => asked.test(readFileSync(file, 'utf8')))).toEqual([])
})

const SECRET = '{{ credentials.key }}'
test.for([
  { apply: { basic: { username: SECRET, password: SECRET } }, carries: ['header authorization'] },
  { apply: { bearer: SECRET }, carries: ['header authorization'], bearerOnly: true },
  {
    apply: { headers: { 'X-Key': SECRET, Authorization: `Token ${SECRET}` } },
    carries: ['header x-key', 'header authorization'],
  },
  { apply: { query: { api_key: SECRET } }, carries: ['query api_key'] },
  {
    apply: {
      sign: { alg: 'hmac_sha256', key: SECRET, of: 'x', headers: { 'X-S': '{{ signature }}' } },
    },
    carries: ['signature'],
  },
  {
    apply: {
      aws_v4: { access_key_id: SECRET, secret_access_key: SECRET, region: 'eu', service: 's3' },
    },
    carries: ['signature'],
  },
  { apply: { oauth1: { consumer_key: SECRET, consumer_secret: SECRET } }, carries: ['signature'] },
  { apply: 'none', carries: [] },
  { apply: { tls: { certificate: SECRET, key: SECRET } }, carries: ['connection'] },
])('$apply carries $carries', ({ apply, carries, bearerOnly = false }) => {
  const auth = { key: { credentials: { properties: { key: { type: 'string' } } }, apply } }
  const [method] = manifestOf({ auth }).auth
  const resolved = method?.apply as Apply
  const names = carriedBy(resolved).map((part) =>
    part.in === 'signature' || part.in === 'connection' ? part.in : `${part.in} ${part.name}`,
  )
  expect([names, takesBearerOnly(resolved)]).toEqual([carries, bearerOnly])
})
