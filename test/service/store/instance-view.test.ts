import { expect, test } from 'vitest'
import { INSTANCE } from '../../../src/service/routes/schemas.ts'
import { showInstance } from '../../../src/service/store/instance-view.ts'

test('the schema of an instance names every member that is shown, and requires all but those of some instances', () => {
  const shown = showInstance(
    {
      id: '0199f3a1-0000-7000-8000-000000000001',
      organizationId: 'org',
      externalUserId: 'user-42',
      connectorType: 'facebook-marketing',
      connectorVersion: '1.0.0',
      name: 'Marketing',
      state: 'active',
      stateReason: null,
      enabled: true,
      authMethod: null,
      grantedScopes: null,
      config: { account_ids: '1001' },
      replicationConfig: { account_ids: '1001' },
      sync: {},
      serverUrl: 'https://eu.vendor.example',
      credentialEpoch: 1,
      createdAt: 0,
      updatedAt: 0,
      lastCheckedAt: null,
      nextRefreshAt: null,
    },
    { version: '1.0.1', syncIntervalSeconds: 900 },
  )
  const { properties, required } = INSTANCE
  expect(Object.keys(Object(properties)).toSorted()).toEqual(Object.keys(shown).toSorted())
  const { replication_config: _, server_url: server, ...always } = shown
  expect(server).toBe('https://eu.vendor.example')
  expect(new Set(required as readonly string[])).toEqual(new Set(Object.keys(always)))
})
