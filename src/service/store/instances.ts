// Connector instances and their states.
import type { SYNC_TROUBLES } from '../../display/account-states.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { AuditEntry } from './audit.ts'
import type { CredentialInput } from './credentials.ts'
import type { Owner } from './owner.ts'

export type InstanceState = 'pending' | 'active' | 'refresh_unknown' | 'auth_error' | 'disabled'

/** In these nothing is synchronized, whatever the settings are. */
export const STANDING_STILL: readonly InstanceState[] = ['auth_error', 'disabled']

/** Why an instance is in its state, for people and programs. */
export interface StateReason {
  readonly code: string
  readonly detail: string
  readonly since: number
  /** What the third party answered; null: nothing that has a status. */
  readonly upstreamStatus: number | null
}

export interface InstanceRow {
  readonly id: string
  readonly organizationId: string
  readonly externalUserId: string
  readonly connectorType: string
  readonly connectorVersion: string
  readonly name: string
  readonly state: InstanceState
  readonly stateReason: StateReason | null
  readonly enabled: boolean
  /** null: the connector takes no credentials. */
  readonly authMethod: string | null
  readonly grantedScopes: readonly string[] | null
  readonly config: JsonObject
  readonly replicationConfig: JsonObject | null
  readonly sync: JsonObject
  readonly serverUrl: string | null
  /** 1 at first, + 1 whenever the credentials are replaced by hand. A refresh leaves it alone. */
  readonly credentialEpoch: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly lastCheckedAt: number | null
  /** When the credentials want to be refreshed ahead of need; null: never. */
  readonly nextRefreshAt: number | null
}

export interface InstanceFilter extends Partial<
  Pick<InstanceRow, 'externalUserId' | 'connectorType' | 'state' | 'name'>
> {
  /** The beginning of the name, the user or the id; ASCII letters in upper or lower case. */
  readonly startsWith?: string
  /** Words, each of which stands in the name, the user, the id or the connector, in any case of ASCII letters: see LATEST. */
  readonly contains?: string
  readonly sync?: SyncTrouble
  /** With `late`: the instances of which a copy is overdue; those of which one fails are found in addition. */
  readonly overdue?: readonly string[]
}

/** What an instance is told to be late by; `sync` as it is stored. */
export type SyncedInstance = Pick<
  InstanceRow,
  'id' | 'connectorType' | 'connectorVersion' | 'enabled' | 'state' | 'sync'
>

/** See SYNC_TROUBLES. */
export type SyncTrouble = (typeof SYNC_TROUBLES)[number]

/**
 * Words may stand anywhere, where no index leads to them: they are looked for in so many instances that changed last,
 * which bounds what it costs.
 */
export const LATEST = 10_000

/** `id` is the order in which instances were created; `name` is without regard to the case of ASCII letters. */
export interface InstanceOrder {
  readonly by: 'id' | 'name' | 'updatedAt'
  readonly isDescending: boolean
}

export interface InstancePageWanted extends InstanceFilter {
  /** At most so many rows. */
  readonly limit: number
  /** Absent: by id. */
  readonly order?: InstanceOrder
  /** Only rows behind this one in the order. */
  readonly after?: Pick<InstanceRow, InstanceOrder['by']>
}

export interface InstanceGroup extends Pick<InstanceRow, 'connectorType' | 'state'> {
  readonly count: number
}

type Patched = 'name' | 'enabled' | 'config' | 'replicationConfig' | 'sync'

/**
 * What a change by hand may touch: never a column of the credentials. `enabled`: with false the state becomes `disabled`;
 * with true a disabled instance becomes `pending`.
 */
export type InstancePatch = Partial<Pick<InstanceRow, Patched | 'connectorVersion' | 'serverUrl'>>

export interface StateChange {
  /** Nothing happens in any other state. */
  readonly from: readonly InstanceState[]
  readonly to: InstanceState
  readonly reason: StateReason | null
  readonly lastCheckedAt?: number
  /** Nothing happens either when the credentials have another generation by now. */
  readonly generation?: number
}

export type OAuthSecretRefusal = 'oauth_secret_unknown' | 'oauth_secret_used'

export interface InstanceStore {
  /**
   * Stores an instance with generation 1 of its credentials, and uses up the secret of a consent when its hash is given:
   * one transaction. When the secret is refused nothing is stored, and the data key made for the instance is erased.
   */
  insert(
    row: InstanceRow,
    credential: CredentialInput | null,
    options: { readonly oauthSecretHash: string | null; readonly audit: AuditEntry },
  ): Promise<'inserted' | OAuthSecretRefusal>
  get(owner: Owner, id: string): Promise<InstanceRow | null>
  /** For jobs, which act for nobody: they have the id from a row of the store, never from a request. */
  find(id: string): Promise<InstanceRow | null>
  /** `isWhole` is false while a node of the database is away: those that lie there are missing. */
  list(
    owner: Owner,
    wanted: InstancePageWanted,
  ): Promise<{ readonly rows: readonly InstanceRow[]; readonly isWhole: boolean }>
  /** How many there are of each connector in each state. */
  count(
    owner: Owner,
    filter: InstanceFilter,
  ): Promise<{ readonly groups: readonly InstanceGroup[]; readonly isWhole: boolean }>
  /** Those of these ids that are there, of any owner, in no order. */
  synced(ids: readonly string[]): Promise<readonly SyncedInstance[]>
  /** When the newest instance changed last that `contains` does not look at; null: it looks at all. */
  latestBefore(owner: Owner): Promise<number | null>
  /** Users that have instances, each once, in order; after `after`, and `contains` in any case of ASCII letters. */
  users(
    owner: Owner,
    filter: { readonly contains: string; readonly after?: string; readonly limit: number },
  ): Promise<{ readonly users: readonly string[]; readonly isWhole: boolean }>
  /** The row after the change; null: unknown, or changed after `unchangedSince`. */
  update(
    owner: Owner,
    id: string,
    patch: InstancePatch & { readonly unchangedSince?: number | undefined },
    audit: AuditEntry,
  ): Promise<InstanceRow | null>
  /**
   * Makes every other change under the same `unchangedSince` come too late. False: the instance is unknown, or another
   * change was faster.
   */
  claim(owner: Owner, id: string, unchangedSince: number): Promise<boolean>
  /**
   * Gives the state before. Null: the instance is unknown, in a state that `from` does not name, or its credentials are
   * another generation. The first member of the entry is what the state was (`from active`), where it becomes another one.
   */
  setState(id: string, change: StateChange, audit?: AuditEntry): Promise<InstanceState | null>
  /**
   * Erases the instance with credentials, data keys, intent, leases, jobs and idempotency records in one transaction, and
   * leaves the job that takes its copies away.
   */
  delete(owner: Owner, id: string, audit: AuditEntry): Promise<boolean>
  countByState(): Promise<Readonly<Record<InstanceState, number>>>
}
