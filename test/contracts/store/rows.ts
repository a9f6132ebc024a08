// Rows as tests store them.
import { randomBytes, randomUUID } from 'node:crypto'
import type { TokenRow } from '../../../src/service/store/applications-and-tokens.ts'
import type { AuditEntry } from '../../../src/service/store/audit.ts'
import type { ConnectSessionInput } from '../../../src/service/store/connect-sessions.ts'
import type { OAuthSecretInput, OAuthStateInput } from '../../../src/service/store/consents.ts'
import type { CredentialInput, IntentInput } from '../../../src/service/store/credentials.ts'
import type { IdempotencyPlace } from '../../../src/service/store/idempotency.ts'
import type { InstanceRow } from '../../../src/service/store/instances.ts'
import type { Store } from '../../../src/service/store/store.ts'

/** A name that no other test has. */
export function unique(prefix: string): string {
  return `${prefix}-${randomBytes(6).toString('hex')}`
}

export function instanceRow(changes: Partial<InstanceRow> = {}): InstanceRow {
  return {
    id: randomUUID(),
    organizationId: 'acme',
    externalUserId: 'user-42',
    connectorType: 'gong',
    connectorVersion: '1.0.0',
    name: 'Gong of ACME',
    state: 'pending',
    stateReason: null,
    enabled: true,
    authMethod: 'oauth2',
    grantedScopes: ['calls:read'],
    config: { api_base_url: 'https://api.gong.io', account_ids: ['1', '2'] },
    replicationConfig: null,
    sync: { enabled: true, interval_seconds: 900 },
    serverUrl: null,
    credentialEpoch: 1,
    createdAt: 1_795_000_000_000,
    updatedAt: 1_795_000_000_000,
    lastCheckedAt: null,
    nextRefreshAt: null,
    ...changes,
  }
}

export function credentialInput(text = 'sealed'): CredentialInput {
  return {
    sealed: new TextEncoder().encode(text),
    expiresAt: 1_795_000_900_000,
    accessFingerprint: `access of ${text}`,
    refreshFingerprint: `refresh of ${text}`,
  }
}

export function auditEntry(
  row: Pick<InstanceRow, 'id' | 'organizationId'>,
  action = 'test',
): AuditEntry {
  return {
    organizationId: row.organizationId,
    instanceId: row.id,
    requestId: 'request-1',
    actor: 'client-1',
    action,
    target: row.id,
    outcome: 'done',
    members: ['name'],
    address: '192.0.2.1',
    token: '0123456789ab',
  }
}

export function organizationEntry(organizationId: string, action = 'test'): AuditEntry {
  return {
    organizationId,
    instanceId: null,
    requestId: null,
    actor: 'cli',
    action,
    target: 'client-1',
    outcome: 'done',
    members: [],
    address: null,
    token: null,
  }
}

/** Without an organisation and a subject, which no other test has. */
export const PERSON = {
  issuer: 'https://login.example.com',
  login: 'ada@example.com',
  name: 'Ada Lovelace',
  role: 'developer',
} as const

/** An instance with credentials of generation 1. */
export async function storedInstance(
  store: Store,
  changes: Partial<InstanceRow> = {},
  credential: CredentialInput | null = credentialInput(),
): Promise<InstanceRow> {
  const row = instanceRow(changes)
  await store.instances.insert(row, credential, { oauthSecretHash: null, audit: auditEntry(row) })
  return row
}

export function tokenRow(changes: Partial<TokenRow> = {}): TokenRow {
  return {
    hash: unique('hash'),
    kind: 'application',
    organizationId: 'acme',
    clientId: null,
    scope: null,
    expiresAt: Date.now() + 900_000,
    ...changes,
  }
}

export function scopedToken(organizationId: string, externalUserId: string): TokenRow {
  return tokenRow({
    kind: 'scoped',
    organizationId,
    scope: {
      externalUserId,
      connectorTypes: ['gong'],
      connectorIds: null,
      actions: ['*.list'],
      manage: true,
    },
  })
}

export function secretInput(changes: Partial<OAuthSecretInput> = {}): OAuthSecretInput {
  return {
    secretHash: unique('secret'),
    organizationId: 'acme',
    externalUserId: 'user-42',
    connectorType: 'gong',
    sealed: new Uint8Array([1, 2, 3]),
    grantedScopes: ['calls:read'],
    config: { api_base_url: 'https://api.gong.io' },
    expiresAt: Date.now() + 600_000,
    ...changes,
  }
}

export function stateInput(changes: Partial<OAuthStateInput> = {}): OAuthStateInput {
  return {
    stateHash: unique('state'),
    ticketHash: unique('ticket'),
    organizationId: 'acme',
    clientId: 'client-1',
    tokenHash: 'token-1',
    externalUserId: 'user-42',
    connectorType: 'gong',
    connectorVersion: '1.0.0',
    authMethod: 'oauth',
    redirectUrl: 'https://app.example.com/connected',
    hostState: 'from the host',
    config: null,
    verifierSealed: new Uint8Array([0, 255, 7]),
    issuer: null,
    expiresAt: Date.now() + 600_000,
    ...changes,
  }
}

export function intentInput(instanceId: string, changes: Partial<IntentInput> = {}): IntentInput {
  return {
    instanceId,
    generation: 1,
    refreshFingerprint: 'refresh of sealed',
    fence: 1,
    kind: 'normal',
    sentBy: 'process-1',
    attempts: 1,
    notBefore: null,
    mark: null,
    ...changes,
  }
}

export function place(changes: Partial<IdempotencyPlace> = {}): IdempotencyPlace {
  return {
    organizationId: 'acme',
    instanceId: null,
    route: 'create',
    keyHash: unique('key'),
    ...changes,
  }
}

export function sessionInput(changes: Partial<ConnectSessionInput> = {}): ConnectSessionInput {
  return {
    tokenHash: unique('hash'),
    organizationId: 'acme',
    clientId: 'client-1',
    externalUserId: 'user-42',
    connectorTypes: ['gong', 'jira'],
    instanceId: null,
    returnUrl: 'https://app.example.com/connected',
    allowedOrigin: 'https://app.example.com',
    expiresAt: Date.now() + 600_000,
    ...changes,
  }
}
