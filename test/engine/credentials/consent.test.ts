// The address of the consent of each packaged connector, written by hand from the vendors' references.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compileConsent } from '../../../src/engine/credentials/consent.ts'
import { loadManifest } from '../../../src/language/manifest/load.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import { createPatientClock, scriptUpstream } from '../../contracts/scripted-upstream.ts'

const CASES: readonly {
  readonly type: string
  readonly config: JsonObject
  readonly address: string
  readonly scope: readonly string[]
  readonly separator: string
}[] = [
  {
    type: 'gong',
    config: { api_base_url: 'https://api.gong.io' },
    address:
      'https://app.gong.io/oauth2/authorize?response_type=code&client_id=app&redirect_uri=https%3A%2F%2Fhost.example%2Fback&scope=*&state=s-1',
    scope: [
      'api:users:read',
      'api:calls:read:basic',
      'api:calls:read:extensive',
      'api:calls:read:media-url',
      'api:workspaces:read',
      'api:calls:read:transcript',
      'api:stats:user-actions',
      'api:stats:user-actions:detailed',
      'api:stats:interaction',
      'api:settings:scorecards:read',
      'api:settings:trackers:read',
      'api:library:read',
      'api:coaching:read',
      'api:stats:scorecards',
    ],
    separator: '%20',
  },
  {
    type: 'jira',
    config: { subdomain: 'acme' },
    address:
      'https://auth.atlassian.com/authorize?response_type=code&client_id=app&redirect_uri=https%3A%2F%2Fhost.example%2Fback&scope=*&state=s-1&audience=api.atlassian.com&prompt=consent',
    scope: ['offline_access', 'read:jira-work', 'write:jira-work', 'read:jira-user'],
    separator: '%20',
  },
  {
    type: 'facebook-marketing',
    config: { account_ids: '1', api_version: 'v24.0', app_proof: false },
    address:
      'https://www.facebook.com/v24.0/dialog/oauth?response_type=code&client_id=app&redirect_uri=https%3A%2F%2Fhost.example%2Fback&scope=*&state=s-1',
    scope: ['ads_read', 'ads_management', 'business_management'],
    separator: '%2C',
  },
]

test.for(CASES)(
  'the consent of $type asks for what its actions need, each scope once',
  ({ type, config, address, scope, separator }) => {
    const file = `manifests/${type}.yaml`
    const { manifest } = loadManifest({ text: readFileSync(file, 'utf8'), file })
    if (manifest === null) throw new Error(`${file} has problems`)
    const consent = compileConsent(manifest, {
      client: { id: 'app', secret: 'x' },
      transport: scriptUpstream([]).transport,
      clock: createPatientClock(),
      serverUrl: null,
    })
    const url = consent?.url(config, {
      state: 's-1',
      redirectUri: 'https://host.example/back',
      kept: null,
    })
    const written = scope.map((each) => each.replaceAll(':', '%3A')).join(separator)
    expect(url).toBe(address.replace('*', written))
  },
)

test.for([
  {
    error: 'invalid_client',
    status: 401,
    want: { code: 'oauth_not_configured', reason: 'invalid_client' },
  },
  {
    error: 'unauthorized_client',
    status: 400,
    want: { code: 'oauth_not_configured', reason: 'unauthorized_client' },
  },
  { error: 'invalid_grant', status: 400, want: { code: 'credentials_refused' } },
  { error: 'invalid_scope', status: 400, want: { code: 'credentials_refused' } },
])('a code whose exchange is answered $error is $want.code', async ({ error, status, want }) => {
  const { manifest } = loadManifest({
    text: readFileSync('manifests/gong.yaml', 'utf8'),
    file: 'manifests/gong.yaml',
  })
  if (manifest === null) throw new Error('the manifest has problems')
  const consent = compileConsent(manifest, {
    client: { id: 'app', secret: 'x' },
    transport: scriptUpstream([{ status, body: { error } }]).transport,
    clock: createPatientClock(),
    serverUrl: null,
  })
  const exchange = {
    callback: { code: 'code-1' },
    redirectUri: 'https://host.example/back',
    kept: null,
  }
  const refused = await consent?.exchange({}, exchange).catch((thrown: unknown) => thrown)
  expect(refused).toMatchObject({
    code: want.code,
    details: want.reason === undefined ? {} : { reason: want.reason },
  })
})
