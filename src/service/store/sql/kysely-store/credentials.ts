// Credentials of instances. Their tokens are changed by statements that touch nothing else, and only from the generation
// they were made from.
import type { InsertQueryBuilder, InsertResult } from 'kysely'
import { ConnectorError } from '../../../../errors.ts'
import type {
  CredentialInput,
  CredentialReplacement,
  CredentialRow,
  CredentialStore,
} from '../../../store/credentials.ts'
import { REFRESH_PURPOSE } from '../../../store/credentials.ts'
import type { InstanceRow, InstanceState } from '../../../store/instances.ts'
import type { Owner } from '../../../store/owner.ts'
import type { AuditEntry } from '../../../store/audit.ts'
import { type StoreDatabase, undo } from '../database.ts'
import type { Columns, Executor, Tables } from '../schema.ts'
import { appendInstanceEvent, authErrorColumns, stateEvent } from './append-event.ts'
import { appendAudit } from './audit-chain.ts'
import { patchColumns, REFRESHED_STATES, toInstance } from './instance-row.ts'
import { useOAuthSecret } from './consents.ts'
import { visibleTo } from './owner-filter.ts'
import { readRow, writeRow } from './row.ts'
import { changesAny, StoreGroup } from './store-group.ts'

/** How often new credentials are sealed again because a refresh took their generation. */
const REPLACE_ATTEMPTS = 20

/** What replaces the credentials of an instance, from one generation; null: it had none. */
interface Replacing {
  readonly owner: Owner
  readonly instanceId: string
  readonly generation: number | null
  readonly next: CredentialInput
  readonly change: CredentialReplacement
  readonly audit: AuditEntry
}

export class Credentials extends StoreGroup implements CredentialStore {
  readonly read: CredentialStore['read'] = async (instanceId) => {
    const row = await this.db
      .selectFrom('credential')
      .select(['generation', 'sealed', 'expires_at', 'access_fingerprint', 'refresh_fingerprint'])
      .where('instance_id', '=', instanceId)
      .executeTakeFirst()
    return row === undefined ? null : readRow<CredentialRow>(row)
  }

  readonly commitRefresh: CredentialStore['commitRefresh'] = async (id, generation, next, audit) =>
    await this.database.transaction(async (tx) => {
      const query = tx
        .selectFrom('connector_instance')
        .select(['config', 'state', 'auth_error_since'])
        .where('instance_id', '=', id)
      const before = await this.database.lock(query).executeTakeFirst()
      if (before === undefined) return false
      if (!(await this.#storeNext(tx, id, generation, next))) return false
      await tx.deleteFrom('refresh_intent').where('instance_id', '=', id).execute()
      const { config } = readRow<Pick<InstanceRow, 'config'>>({ config: before.config })
      const row = await tx
        .updateTable('connector_instance')
        .set({
          next_refresh_at: next.nextRefreshAt,
          ...(before.state === 'disabled'
            ? {}
            : { state: 'active', state_reason: null, auth_error_since: null }),
          ...(next.config === undefined
            ? {}
            : { ...writeRow({ config: { ...config, ...next.config } }), updated_at: this.now() }),
        })
        .where('instance_id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      await appendAudit(this.database, tx, audit)
      // A refresh that changes nothing anybody sees is no event.
      if (row.state !== before.state)
        await appendInstanceEvent(this.database, tx, stateEvent(row.state, before), row)
      else if (row.config !== before.config)
        await appendInstanceEvent(this.database, tx, 'connector.updated', row)
      return true
    })

  readonly replace: CredentialStore['replace'] = async (owner, instanceId, change, audit) => {
    for (let attempt = 1; attempt <= REPLACE_ATTEMPTS; attempt++) {
      const current = await this.db
        .selectFrom('connector_instance')
        .leftJoin('credential', 'credential.instance_id', 'connector_instance.instance_id')
        .select('credential.generation')
        .where('connector_instance.instance_id', '=', instanceId)
        .where(visibleTo(owner))
        .executeTakeFirst()
      if (current === undefined) return 'instance_unknown'
      const { generation } = current
      // Sealing may use this store, so it is no part of the transaction.
      const next = await change.seal((generation ?? 0) + 1)
      const replacing = { owner, instanceId, generation, next, change, audit }
      const result = await this.database.transaction((tx) => this.#replaceFrom(tx, replacing))
      if (result === 'replaced') await this.database.scrub()
      if (result !== 'generation_moved') return result
    }
    throw new ConnectorError(
      'store_unavailable',
      'the credentials are refreshed faster than they can be replaced',
      { retryAfterMs: 1000 },
    )
  }

  async #replaceFrom(
    tx: Executor,
    { owner, instanceId, generation, next, change, audit }: Replacing,
  ): Promise<'generation_moved' | Awaited<ReturnType<CredentialStore['replace']>>> {
    const query = tx
      .selectFrom('connector_instance')
      .selectAll()
      .where('instance_id', '=', instanceId)
      .where(visibleTo(owner))
    const before = await this.database.lock(query).executeTakeFirst()
    if (before === undefined) return 'instance_unknown'
    const { oauthSecretHash: secretHash, patch, authMethod, grantedScopes } = change
    if (secretHash !== null) {
      const refusal = await useOAuthSecret(this.database, tx, { ...toInstance(before), secretHash })
      if (refusal !== null) return refusal
    }
    const isStored =
      generation === null
        ? await changesAny(
            tx,
            insertCredential(this.database, tx, instanceId, next).onConflict((conflict) =>
              conflict.doNothing(),
            ),
          )
        : await this.#storeNext(tx, instanceId, generation, next)
    if (!isStored) throw undo('generation_moved')
    await endRefresh(tx, instanceId)
    const state = stateColumns(before.state, change)
    const { config, replicationConfig } = change
    const row = await tx
      .updateTable('connector_instance')
      .set((eb) => ({
        credential_epoch: eb('credential_epoch', '+', 1),
        next_refresh_at: change.nextRefreshAt ?? null,
        updated_at: this.now(),
        ...patchColumns(patch ?? {}),
        ...state,
        ...authErrorColumns(this.database, state.state, before),
        ...writeRow({ config, authMethod, grantedScopes, replicationConfig }),
      }))
      .where('instance_id', '=', instanceId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await appendAudit(this.database, tx, audit)
    const isNews = row.state !== before.state
    const type = isNews ? stateEvent(row.state, before) : 'connector.updated'
    await appendInstanceEvent(this.database, tx, type, row)
    return 'replaced'
  }

  /** Compare and set: false when the generation is another one by now. */
  async #storeNext(
    tx: Executor,
    instanceId: string,
    generation: number,
    next: CredentialInput,
  ): Promise<boolean> {
    const storing = tx
      .updateTable('credential')
      .set({ ...tokenColumns(next), generation: generation + 1, updated_at: this.now() })
      .where('instance_id', '=', instanceId)
      .where('generation', '=', generation)
    return await changesAny(tx, storing)
  }

  readonly reseal: CredentialStore['reseal'] = async (instanceId, generation, sealed) => {
    const resealing = this.db
      .updateTable('credential')
      .set({ sealed })
      .where('instance_id', '=', instanceId)
      .where('generation', '=', generation)
    return await changesAny(this.db, resealing)
  }

  readonly expiring: CredentialStore['expiring'] = async (beforeMs, limit) => {
    const rows = await this.db
      .selectFrom('connector_instance')
      .selectAll()
      .where('next_refresh_at', '<=', beforeMs)
      .where('state', 'in', REFRESHED_STATES)
      .orderBy('next_refresh_at')
      .orderBy('instance_id')
      .limit(limit)
      .execute()
    return rows.map(toInstance)
  }

  readonly scheduleRefresh: CredentialStore['scheduleRefresh'] = async (id, nextRefreshAt) => {
    await this.db
      .updateTable('connector_instance')
      .set({ next_refresh_at: nextRefreshAt })
      .where('instance_id', '=', id)
      .execute()
  }
}

/** The statement that stores the first credentials of an instance. */
export function insertCredential(
  database: StoreDatabase,
  tx: Executor,
  instanceId: string,
  first: CredentialInput,
): InsertQueryBuilder<Tables, 'credential', InsertResult> {
  return tx.insertInto('credential').values({
    instance_id: instanceId,
    generation: 1,
    ...tokenColumns(first),
    updated_at: database.now(),
  })
}

/** The columns that hold tokens, and what is known of them. */
function tokenColumns({
  sealed,
  expiresAt,
  accessFingerprint,
  refreshFingerprint,
}: CredentialInput): Columns<CredentialInput> {
  return writeRow({ sealed, expiresAt, accessFingerprint, refreshFingerprint })
}

/** New credentials are yet to be proved, unless they were before. */
function stateColumns(
  before: InstanceState,
  { patch, state = { state: 'pending', stateReason: null } }: CredentialReplacement,
): Columns<Pick<InstanceRow, 'state' | 'stateReason'>> {
  const isEnabled = patch?.enabled ?? before !== 'disabled'
  if (!isEnabled) return { state: 'disabled', state_reason: null }
  return writeRow({ state: state.state, stateReason: state.stateReason })
}

/** A refresh under way is not stopped, but nothing that it still writes will count. */
async function endRefresh(tx: Executor, instanceId: string): Promise<void> {
  await tx
    .updateTable('lease')
    .set((eb) => ({ fence: eb('fence', '+', 1), held_until: 0, owner_id: '' }))
    .where('instance_id', '=', instanceId)
    .where('purpose', '=', REFRESH_PURPOSE)
    .execute()
  await tx.deleteFrom('refresh_intent').where('instance_id', '=', instanceId).execute()
}
