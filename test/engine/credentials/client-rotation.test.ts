import { inspect } from 'node:util'

import { describe, expect, test } from 'vitest'

import { connect } from '../../../src/client/connect.ts'
import { isConnectorError } from '../../../src/errors.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import { loadManifestFile, requireManifest } from '../../../src/language/manifest/load.ts'
import type { Manifest } from '../../../src/language/manifest/manifest.ts'
import {
  createSandbox,
  type Sandbox,
  type SandboxConnection,
} from '../../../src/sandbox/sandbox.ts'
import { codeOf } from './keeper-set-up.ts'

// The whole way: the client of a host app, the transport, and the shipped manifests run backwards as vendors that
// rotate single-use refresh tokens.

const CONNECTORS = [
  { file: 'manifests/gong.yaml', entity: 'users', action: 'list', params: {} },
  { file: 'manifests/jira.yaml', entity: 'projects', action: 'api_search', params: {} },
] as const

async function vendorOf(
  file: string,
): Promise<{ vendor: Sandbox; call: readonly [Manifest, SandboxConnection] }> {
  const manifest = requireManifest(await loadManifestFile(file))
  const vendor = await createSandbox(manifest)
  return { vendor, call: [manifest, vendor.options('oauth')] }
}

const refreshes = (vendor: Sandbox): number => vendor.requests('oauth.token').length

describe.for(CONNECTORS)('$file', ({ file, entity, action, params }) => {
  test('200 concurrent calls over an expired token: one refresh, saved before the second round of requests', async () => {
    const { vendor, call } = await vendorOf(file)
    await using _ = vendor
    const [manifest, options] = call
    const order: string[] = []
    await using client = await connect(manifest, {
      ...options,
      limits: null,
      onCredentials: async () => {
        order.push('saving')
        // Waits for time: saving lasts longer than the calls that must wait for it.
        await new Promise((resolve) => setTimeout(resolve, 20))
        order.push('saved')
      },
    })
    await client.execute(entity, action, params)
    vendor.expireTokens()
    const before = { refreshes: refreshes(vendor), saved: order.length }
    const answers = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const answer = await client.execute(entity, action, params)
        order.push('answered')
        return answer
      }),
    )
    expect(answers.every(({ data }) => Array.isArray(data))).toBe(true)
    expect(refreshes(vendor) - before.refreshes).toBe(1)
    expect(order.slice(before.saved, before.saved + 2)).toEqual(['saving', 'saved'])
    expect(order.slice(before.saved + 2)).toEqual(Array.from({ length: 200 }, () => 'answered'))
  })

  test('R10 a callback that throws fails the call and hands the tokens over; the next call saves and goes on', async () => {
    const { vendor, call } = await vendorOf(file)
    await using _ = vendor
    const [manifest, options] = call
    let away = false
    let saved: JsonObject = {}
    await using client = await connect(manifest, {
      ...options,
      onCredentials: (next) => {
        if (away) throw new Error('the vault is away')
        saved = next
      },
    })
    await client.execute(entity, action, params)
    vendor.expireTokens()
    away = true
    const error: unknown = await client
      .execute(entity, action, params)
      .catch((reason: unknown) => reason)
    if (!isConnectorError(error, 'credentials_not_saved')) throw error
    const held = { ...error.credentials }
    expect(held['refresh_token']).not.toBe(saved['refresh_token'])
    expect(inspect(error, { showHidden: true })).not.toContain(held['refresh_token'])
    expect(await codeOf(client.execute(entity, action, params))).toBe('credentials_not_saved')
    const count = refreshes(vendor)
    away = false
    await client.execute(entity, action, params)
    expect(saved).toEqual(held)
    expect(refreshes(vendor)).toBe(count)
  })

  test('a lost answer is refresh_unknown, and nothing is presented in a loop', async () => {
    const { vendor, call } = await vendorOf(file)
    await using _ = vendor
    const [manifest, options] = call
    await using client = await connect(manifest, { ...options, onCredentials: () => {} })
    await client.execute(entity, action, params)
    vendor.expireTokens()
    vendor.fail('oauth.token', { mode: 'reset-after-apply', times: 1 })
    const count = refreshes(vendor)
    for (let turn = 0; turn < 5; turn++) {
      expect(await codeOf(client.execute(entity, action, params))).toBe('refresh_unknown')
    }
    expect(refreshes(vendor) - count).toBe(1)
  })
})
