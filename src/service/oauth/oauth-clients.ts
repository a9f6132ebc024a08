// OAuth clients by connector type: the operator's of the settings, and those that administrators store for their
// organisation, which every process knows.
import type { OAuthClient } from '../../engine/credentials/token-request.ts'
import { isConnectorError } from '../../errors.ts'
import { auditOf } from '../audit.ts'
import { failureFacts, type ServiceLog } from '../log.ts'
import type { OperatorClient } from '../settings.ts'
import type { OAuthClientPlace, OAuthClientRow } from '../store/oauth-clients.ts'
import { organizationKeyOwner } from '../store/owner.ts'
import type { Store } from '../store/store.ts'
import type { Principal } from '../tokens/principal.ts'
import type { Vault } from '../vault/vault.ts'

export interface OAuthClientsPorts {
  readonly store: Pick<Store, 'oauthClients'>
  readonly vault: Vault
  readonly log: Pick<ServiceLog, 'warn'>
  /** The operator's: they go before those of the store. */
  readonly given: Readonly<Record<string, OperatorClient>>
}

export interface StoredClient {
  readonly row: OAuthClientRow
  /** Null: its secret could not be opened yet, or was altered. */
  readonly client: OperatorClient | null
  /** It was altered: another look at the same bytes would tell the audit log again, and find the same. */
  readonly isAltered: boolean
}

/** What a client is changed to. `secret` absent: as it is; null: it has none. */
export interface ClientChange {
  readonly id: string
  readonly secret?: string | null
}

export class OAuthClients {
  readonly #ports: OAuthClientsPorts
  #stored: ReadonlyMap<string, StoredClient> = new Map()
  #generation = 0
  #looking: Promise<void> | null = null

  constructor(ports: OAuthClientsPorts) {
    this.#ports = ports
  }

  /** Another number as soon as any stored client is another one. */
  get generation(): number {
    return this.#generation
  }

  /** The operator's; null: the settings have none. */
  given(type: string): OperatorClient | null {
    return this.#ports.given[type] ?? null
  }

  stored(organizationId: string, type: string): StoredClient | null {
    return this.#stored.get(keyOf({ organizationId, connectorType: type })) ?? null
  }

  /** Those that an organisation has stored, as they are now. */
  async list(organizationId: string): Promise<readonly OAuthClientRow[]> {
    await this.refresh()
    return [...this.#stored.values()]
      .map(({ row }) => row)
      .filter((row) => row.organizationId === organizationId)
  }

  /** What an organisation connects accounts with; null: there is none. The same object while it is the same client. */
  of(organizationId: string, type: string): OperatorClient | null {
    return this.given(type) ?? this.stored(organizationId, type)?.client ?? null
  }

  /** Tells clients of one organisation and type apart. */
  markOf(organizationId: string, type: string): number {
    return this.given(type) === null ? (this.stored(organizationId, type)?.row.version ?? 0) : 0
  }

  /** Looks for what other processes have changed; one look for all who ask meanwhile. */
  async refresh(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = null))
    await this.#looking
  }

  /** Stores a client; false: somebody else has changed it just now. */
  async put(
    principal: Principal,
    requestId: string,
    type: string,
    change: ClientChange,
  ): Promise<boolean> {
    const { store, vault } = this.#ports
    const place = { organizationId: principal.organizationId, connectorType: type }
    await this.#lookNow()
    const before = this.#stored.get(keyOf(place))?.row ?? null
    const secret =
      change.secret === undefined && before !== null
        ? await openSecret(vault, before)
        : change.secret
    const version = Math.max(Date.now(), (before?.version ?? 0) + 1)
    const row = { ...place, clientId: change.id, version }
    const secretSealed =
      secret === undefined || secret === null ? null : await sealSecret(vault, row, secret)
    const members = ['client_id', ...(change.secret === undefined ? [] : ['client_secret'])]
    const audit = auditOf(principal, requestId, 'oauth_client.put', { target: type, members })
    const isDone = await store.oauthClients.put(
      { ...row, secretSealed },
      before?.version ?? null,
      audit,
    )
    await this.#lookNow()
    return isDone
  }

  /** False: there is none. */
  async remove(principal: Principal, requestId: string, type: string): Promise<boolean> {
    const { store } = this.#ports
    const place = { organizationId: principal.organizationId, connectorType: type }
    const audit = auditOf(principal, requestId, 'oauth_client.remove', { target: type })
    const isDone = await store.oauthClients.remove(place, audit)
    await this.#lookNow()
    return isDone
  }

  /** A look that begins now: one under way may have read before a change. */
  async #lookNow(): Promise<void> {
    await this.#looking?.catch(() => {})
    await this.refresh()
  }

  async #look(): Promise<void> {
    const { store, vault, log } = this.#ports
    const rows = await store.oauthClients.list()
    const before = this.#stored
    const next = new Map<string, StoredClient>()
    for (const row of rows) {
      const known = before.get(keyOf(row))
      if (
        known?.row.version === row.version &&
        (known.client !== null || isStillAltered(known, row))
      )
        next.set(keyOf(row), { ...known, row })
      else
        next.set(
          keyOf(row),
          await openClient(vault, row).then(
            (client) => ({ row, client, isAltered: false }),
            (error: unknown) => {
              tell(row, error)
              return { row, client: null, isAltered: isConnectorError(error, 'internal_error') }
            },
          ),
        )
    }
    const isSame =
      next.size === before.size &&
      [...next].every(([key, { client }]) => client === (before.get(key)?.client ?? null))
    this.#stored = next
    if (!isSame) this.#generation += 1

    function tell({ organizationId, connectorType }: OAuthClientRow, error: unknown): void {
      const place = { organization_id: organizationId, connector_type: connectorType }
      log.warn({ ...place, ...failureFacts(error) }, 'a stored OAuth client does not open')
    }
  }
}

function isStillAltered(
  { row, isAltered }: StoredClient,
  { secretSealed }: OAuthClientRow,
): boolean {
  return isAltered && Buffer.compare(row.secretSealed ?? NOTHING, secretSealed ?? NOTHING) === 0
}

const NOTHING = new Uint8Array()

/** What a repeated look tells the log when it fails. */
export const CLIENTS_LOOK_FAILURE =
  'stored OAuth clients could not be looked for; those so far go on'

/** Seals the secret of a client under the newest data key, if `isOld` says so of what there is. */
export async function resealOAuthClient(
  { vault, store }: { readonly vault: Vault; readonly store: Pick<Store, 'oauthClients'> },
  place: OAuthClientPlace,
  isOld: (sealed: Uint8Array) => boolean,
): Promise<'resealed' | 'fine' | 'changed'> {
  const rows = await store.oauthClients.list(place.organizationId)
  const row = rows.find(({ connectorType }) => connectorType === place.connectorType)
  if (row === undefined || row.secretSealed === null || !isOld(row.secretSealed)) return 'fine'
  const secret = await openSecret(vault, row)
  const sealed = await sealSecret(vault, row, secret ?? '')
  const isDone = await store.oauthClients.reseal(place, row.version, sealed)
  return isDone ? 'resealed' : 'changed'
}

async function openClient(vault: Vault, row: OAuthClientRow): Promise<OperatorClient> {
  const client: OAuthClient = { id: row.clientId, secret: await openSecret(vault, row) }
  return { ...client, givenBy: ['stored'] }
}

async function openSecret(
  vault: Vault,
  { organizationId, connectorType, version, secretSealed }: OAuthClientRow,
): Promise<string | null> {
  if (secretSealed === null) return null
  const owner = organizationKeyOwner(organizationId)
  return await vault.openText(owner, columnOf(connectorType), version, secretSealed)
}

async function sealSecret(
  vault: Vault,
  { organizationId, connectorType, version }: OAuthClientPlace & Pick<OAuthClientRow, 'version'>,
  secret: string,
): Promise<Uint8Array> {
  const owner = organizationKeyOwner(organizationId)
  return await vault.seal(owner, columnOf(connectorType), version, secret)
}

function columnOf(connectorType: string): string {
  return `stored_oauth_client:${connectorType}`
}

function keyOf({ organizationId, connectorType }: OAuthClientPlace): string {
  return JSON.stringify([organizationId, connectorType])
}
