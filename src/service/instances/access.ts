// What an instance may do at its third party, and for how long: nothing of it is secret.
import { consentOf, consentScopes, missingScopes } from '../../language/manifest/access/consent.ts'
import type { JsonSchema } from '../../language/manifest/manifest.ts'
import * as s from '../routes/schemas.ts'
import { timeOrNull } from '../store/instance-view.ts'
import type { InstanceRow } from '../store/instances.ts'
import type { Connections } from './connections.ts'

const RENEWALS = ['automatic', 'consent', 'credentials', 'none'] as const

export const ACCESS: JsonSchema = s.open({
  auth_method: { type: ['string', 'null'] },
  expires_at: {
    ...s.TIME_OR_NULL,
    description:
      'When the access token expires or expired; null: there is none yet, or the third party does not say when.',
  },
  renewal: {
    enum: RENEWALS,
    description:
      '`automatic`: the service renews the token. `consent`: the user agrees again at the third party. `credentials`: somebody gives other credentials. `none`: the third party asks for none.',
  },
  granted_scopes: {
    ...s.orNull(s.listOf({ type: 'string' })),
    description: 'What the third party said that it granted; null: it did not say.',
  },
  wanted_scopes: {
    ...s.listOf({ type: 'string' }),
    description: 'What the consent of this version of the connector asks for.',
  },
  missing_scopes: {
    ...s.listOf(
      s.open({
        scope: { type: 'string' },
        title: { type: ['string', 'null'], description: 'What it allows, in words.' },
        operations: {
          ...s.listOf({ type: 'string' }),
          description: 'Operations that need it, as `entity.action`.',
        },
      }),
    ),
    description:
      'What is wanted and not granted, by name: a new consent can bring it. Empty where the third party did not say what it granted.',
  },
})

/** Throws `connector_version_unavailable`, and what reading the credentials throws. */
export async function showAccess(
  { now, connections }: { readonly now: number; readonly connections: Connections },
  row: InstanceRow,
): Promise<object> {
  const { manifest, keeper } = await connections.of(row)
  const method = manifest.auth.find(({ name }) => name === row.authMethod)
  const { grantedScopes } = row
  const known = { auth_method: row.authMethod, granted_scopes: grantedScopes }
  if (method === undefined)
    return { ...known, expires_at: null, renewal: 'none', wanted_scopes: [], missing_scopes: [] }
  const { leftMs, isRenewable } = await keeper.lifetime()
  const byHand = consentOf(method) === null ? 'credentials' : 'consent'
  return {
    ...known,
    expires_at: timeOrNull(leftMs === null ? null : Math.round(now + leftMs)),
    renewal: isRenewable ? 'automatic' : byHand,
    wanted_scopes: consentScopes(manifest, method),
    missing_scopes: grantedScopes === null ? [] : missingScopes(manifest, method, grantedScopes),
  }
}
