import { describe, expect, test } from 'vitest'

import { earlySettings, resolveSettings } from '../../../src/engine/credentials/settings.ts'
import type { ConnectorError } from '../../../src/errors.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import type { Manifest } from '../../../src/language/manifest/manifest.ts'
import { exampleManifest, oauthMethod } from './example-manifest.ts'

const KEY = {
  name: 'key',
  credentials: { required: ['key'], properties: { key: { type: 'string' } } },
  derive: { dc: "{{ match credentials.key '-([a-z0-9]+)$' }}" },
  bearer: '{{ credentials.key }}',
}
const DERIVING = exampleManifest({
  url: 'https://{{ config.dc }}.api.example.com',
  config: {
    required: ['dc'],
    properties: {
      dc: { type: 'string', pattern: '^[a-z0-9]+$' },
      page: { type: 'integer', default: 50 },
    },
  },
  methods: [KEY],
})
const SITE = exampleManifest({
  url: 'https://{{ config.site }}.api.example.com',
  config: {
    properties: {
      site: { type: 'string', aliases: ['subdomain'] },
      cloud_id: { type: 'string' },
    },
  },
  methods: [
    {
      name: 'token',
      credentials: { required: ['token'], properties: { token: { type: 'string' } } },
    },
    {
      ...oauthMethod({
        afterToken: [
          { request: 'GET https://api.example.com/sites', store: { 'config.cloud_id': '$.id' } },
        ],
      }),
      url: 'https://api.example.com/{{ config.cloud_id }}',
    },
  ],
})

function settingsOf(
  manifest: Manifest,
  index: number,
  config: JsonObject,
  credentials: JsonObject = {},
): JsonObject {
  return resolveSettings({
    manifest,
    method: manifest.auth[index] ?? null,
    config,
    credentials,
    serverUrl: null,
  })
}

test.for([
  {
    name: 'defaults are filled in, and what credentials tell',
    run: () => settingsOf(DERIVING, 0, {}, { key: 'abc-us5' }),
    want: { dc: 'us5', page: 50 },
  },
  {
    name: 'what the caller gives wins over both',
    run: () => settingsOf(DERIVING, 0, { dc: 'eu1', page: 10 }, { key: 'abc-us5' }),
    want: { dc: 'eu1', page: 10 },
  },
  {
    name: 'another accepted name stands under its own',
    run: () => settingsOf(SITE, 0, { subdomain: 'acme' }),
    want: { site: 'acme' },
  },
  {
    name: 'a setting of the base URL that the method will find may be missing',
    run: () => settingsOf(SITE, 1, {}),
    want: {},
  },
  {
    name: 'before the credentials are known, a derived setting may be missing',
    run: () => earlySettings(DERIVING, {}),
    want: { page: 50 },
  },
])('$name', ({ run, want }) => expect(run()).toEqual(want))

function refusal(run: () => unknown): ConnectorError {
  try {
    run()
  } catch (error) {
    return error as ConnectorError
  }
  throw new Error('nothing was refused')
}

describe('settings that are refused', () => {
  test.for([
    {
      name: 'every problem at once',
      run: () => settingsOf(DERIVING, 0, { dc: 'EU!', page: 'many', extra: 1 }),
      pointers: ['/config/dc', '/config/extra', '/config/page'],
    },
    {
      name: 'a required one that the credentials do not tell',
      run: () => settingsOf(DERIVING, 0, {}, { key: 'abc' }),
      pointers: ['/config/dc'],
    },
    {
      name: 'problems that are certain before the credentials are known',
      run: () => earlySettings(DERIVING, { page: 'many' }),
      pointers: ['/config/page'],
    },
  ])('config_invalid: $name', ({ run, pointers }) => {
    const error = refusal(run)
    expect(error.code).toBe('config_invalid')
    expect(error.errors.map(({ pointer }) => pointer).toSorted()).toEqual(pointers)
  })

  test('config_invalid: without a base URL there is nothing to call', () => {
    expect(() => settingsOf(SITE, 0, {})).toThrow(
      expect.objectContaining({ code: 'config_invalid' }),
    )
  })

  test('G1 destination_refused: a base URL with a host that is not listed', () => {
    const manifest = exampleManifest({
      url: '{{ config.base }}',
      config: { properties: { base: { type: 'string' } } },
      methods: [KEY],
    })
    expect(() => settingsOf(manifest, 0, { base: 'https://evil.example' })).toThrow(
      expect.objectContaining({ code: 'destination_refused' }),
    )
  })
})
