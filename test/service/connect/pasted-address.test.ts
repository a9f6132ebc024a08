// Addresses of pages that people paste where a part of one is asked for: the part is taken where nothing is left in doubt.
import { expect, test } from 'vitest'
import { loadManifestFile, requireManifest } from '../../../src/language/manifest/load.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import type { Manifest } from '../../../src/language/manifest/manifest.ts'
import { choose, type Offer, settingsShown } from '../../../src/service/connect/choice.ts'
import { takeApart } from '../../../src/service/connect/pasted-address.ts'

const SITE = '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d'
const OTHER = '9a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d'

const jira = { type: 'jira', way: 'api_token' } as const
const enterprise = { type: 'github', way: 'token' } as const
const stripe = { type: 'stripe', way: 'secret_key' } as const

async function choiceOf({ type, way }: { readonly type: string; readonly way: string }) {
  const manifest = askingForAll(requireManifest(await loadManifestFile(`manifests/${type}.yaml`)))
  const offer: Offer = { organizationId: 'acme', manifests: [manifest], instance: null }
  const choice = choose({ oauthClients: { of: () => null } } as never, offer, type, way)
  if (choice === null) throw new TypeError(`${type} has no way ${way}`)
  return choice
}

/** As a manifest is that asks end users for settings which the packaged one leaves to applications. */
function askingForAll(manifest: Manifest): Manifest {
  const { config } = manifest
  const { properties } = config.schema as { readonly properties: Record<string, JsonObject> }
  const asked = Object.entries(properties).map(([name, schema]) => {
    const { set_by: _, ...rest } = schema
    return [name, rest]
  })
  return {
    ...manifest,
    config: { ...config, schema: { ...config.schema, properties: Object.fromEntries(asked) } },
  }
}

test.for([
  // The addresses of the manifest say where the part stands.
  { of: jira, field: 'subdomain', text: 'https://acme.atlassian.net/jira/your-work', want: 'acme' },
  { of: jira, field: 'subdomain', text: ' acme.atlassian.net ', want: 'acme' },
  { of: jira, field: 'subdomain', text: 'HTTPS://Acme.Atlassian.net?a=b#c', want: 'acme' },
  // Hosts have no capitals.
  { of: jira, field: 'subdomain', text: ' ACME ', want: 'acme' },
  { of: jira, field: 'subdomain', text: 'ACME Inc', want: null },
  {
    of: jira,
    field: 'cloud_id',
    text: `https://api.atlassian.com/ex/jira/${SITE}/rest`,
    want: SITE,
  },
  {
    of: enterprise,
    field: 'host',
    text: 'https://github.example.com/acme/site',
    want: 'github.example.com',
  },
  {
    of: enterprise,
    field: 'api_host',
    text: 'https://github.example.com/api/v3/',
    want: 'github.example.com/api/v3',
  },
  // One part alone has the form that is asked for.
  { of: jira, field: 'cloud_id', text: `https://admin.atlassian.com/s/${SITE}/users`, want: SITE },
  {
    of: stripe,
    field: 'stripe_account',
    text: 'https://dashboard.stripe.com/acct_1AbC/payments',
    want: 'acct_1AbC',
  },
  // Nothing is guessed.
  {
    of: jira,
    field: 'cloud_id',
    text: `https://admin.atlassian.com/o/${OTHER}/s/${SITE}`,
    want: null,
  },
  { of: jira, field: 'subdomain', text: 'https://acme.example.com/jira', want: null },
  { of: jira, field: 'subdomain', text: 'https://acme.atlassian.net.example.com/', want: null },
  { of: jira, field: 'subdomain', text: 'https://me:secret@acme.atlassian.net/', want: null },
  { of: jira, field: 'subdomain', text: 'https://localhost/', want: null },
  { of: jira, field: 'subdomain', text: 'ftp://acme.atlassian.net/', want: null },
  // What fits stays as it is.
  { of: jira, field: 'subdomain', text: 'acme', want: null },
  { of: enterprise, field: 'host', text: 'github.example.com', want: null },
  { of: enterprise, field: 'api_host', text: 'github.example.com/api/v3', want: null },
])('$of.type, $field: of "$text" is taken $want', async ({ of, field, text, want }) => {
  const name = `config.${field}`
  const given = { [name]: text, other: 'stays' }
  expect(takeApart(await choiceOf(of), given)).toEqual({
    typed: want === null ? given : { ...given, [name]: want },
    // Of small letters nothing is said.
    taken: new Set(want === null || want === text.trim().toLowerCase() ? [] : [name]),
  })
})

test('a secret is never taken apart', async () => {
  const choice = await choiceOf(jira)
  const typed = { 'credentials.password': 'https://acme.atlassian.net/' }
  expect(takeApart(choice, typed)).toEqual({ typed, taken: new Set() })
})

test('a connection shows what its host says of whose it is, and no value that all have', async () => {
  const { manifest } = await choiceOf(jira)
  expect(settingsShown(manifest, { subdomain: 'acme', cloud_id: SITE })).toEqual([
    { label: 'Subdomain', value: 'acme' },
  ])
  const github = (await choiceOf(enterprise)).manifest
  expect(settingsShown(github, { api_host: 'api.github.com' })).toEqual([])
})
