// Credentials of instances. Their tokens are changed by statements that touch nothing else, and only from the generation
// they were made from.
import type { Selectable } from 'kysely'
import { ConnectorError } from '../../../../errors.ts'
import type {
  CredentialInput,
  CredentialReplacement,
  CredentialRow,
  CredentialStore,
} from '../../../store/credentials.ts'
import { REFRESH_PURPOSE } from '../../../store/credentials.ts'
import { type StoreDatabase, undo } from '../database.ts'
import type { Executor, Tables } from '../schema.ts'
import { appendInstanceEvent, authErrorColumns, stateEvent } from './append-event.ts'
import { appendAudit } from './audit-chain.ts'
import { patchColumns, reasonText, REFRESHED_STATES, toInstance } from './instance-row.ts'
import { jsonText, readBytes, readObject } from './json-column.ts'
import { visibleTo } from './owner-filter.ts'
import { useOAuthSecret } from './use-oauth-secret.ts'

/** How often new credentials are sealed again because a refresh took their generation. */
const REPLACE_ATTEMPTS = 20

export function createCredentials(database: StoreDatabase): CredentialStore {
  const { db, now } = database
  return {
    async read(instanceId) {
      const row = await db
        .selectFrom('credential')
        .selectAll()
        .where('instance_id', '=', instanceId)
        .executeTakeFirst()
      return row === undefined ? null : toCredential(row)
    },

    async commitRefresh(instanceId, generation, next, audit) {
      return await database.transaction(async (tx) => {
        const instance = await database
          .lock(
            tx
              .selectFrom('connector_instance')
              .select(['config', 'state', 'auth_error_since'])
              .where('instance_id', '=', instanceId),
          )
          .executeTakeFirst()
        if (instance === undefined) return false
        if (!(await storeNext(database, tx, instanceId, generation, next))) return false
        await tx.deleteFrom('refresh_intent').where('instance_id', '=', instanceId).execute()
        const state = instance.state === 'disabled' ? 'disabled' : 'active'
        const row = await tx
          .updateTable('connector_instance')
          .set({
            next_refresh_at: next.nextRefreshAt,
            ...(state === 'disabled'
              ? {}
              : { state, state_reason: null, ...authErrorColumns(database, state, instance) }),
            ...(next.config === undefined
              ? {}
              : {
                  config: JSON.stringify({ ...readObject(instance.config), ...next.config }),
                  updated_at: now(),
                }),
          })
          .where('instance_id', '=', instanceId)
          .returningAll()
          .executeTakeFirstOrThrow()
        await appendAudit(database, tx, audit)
        // A refresh that changes nothing anybody sees is no event.
        if (row.state !== instance.state)
          await appendInstanceEvent(database, tx, stateEvent(row.state, instance), row)
        else if (row.config !== instance.config)
          await appendInstanceEvent(database, tx, 'connector.updated', row)
        return true
      })
    },

    async replace(owner, instanceId, seal, change, audit) {
      for (let attempt = 1; attempt <= REPLACE_ATTEMPTS; attempt++) {
        const current = await db
          .selectFrom('connector_instance')
          .leftJoin('credential', 'credential.instance_id', 'connector_instance.instance_id')
          .select('credential.generation')
          .where('connector_instance.instance_id', '=', instanceId)
          .where(visibleTo(owner))
          .executeTakeFirst()
        if (current === undefined) return 'instance_unknown'
        const { generation } = current
        // Sealing may use this store, so it is no part of the transaction.
        const next = await seal((generation ?? 0) + 1)
        const done = await database.transaction(async (tx) => {
          const instance = await database
            .lock(
              tx
                .selectFrom('connector_instance')
                .select([
                  'state',
                  'auth_error_since',
                  'organization_id',
                  'external_user_id',
                  'connector_type',
                ])
                .where('instance_id', '=', instanceId)
                .where(visibleTo(owner)),
            )
            .executeTakeFirst()
          if (instance === undefined) return 'instance_unknown' as const
          const refusal =
            change.oauthSecretHash === null
              ? null
              : await useOAuthSecret(database, tx, {
                  secretHash: change.oauthSecretHash,
                  organizationId: instance.organization_id,
                  externalUserId: instance.external_user_id,
                  connectorType: instance.connector_type,
                })
          if (refusal !== null) return refusal
          const stored =
            generation === null
              ? await storeFirst(database, tx, instanceId, next)
              : await storeNext(database, tx, instanceId, generation, next)
          if (!stored) throw undo('generation_moved')
          await endRefresh(tx, instanceId)
          const state = stateColumns(instance.state, change)
          const row = await tx
            .updateTable('connector_instance')
            .set((eb) => ({
              credential_epoch: eb('credential_epoch', '+', 1),
              next_refresh_at: change.nextRefreshAt ?? null,
              updated_at: now(),
              ...patchColumns(change.patch ?? {}),
              ...state,
              ...authErrorColumns(database, state.state, instance),
              ...(change.config === undefined ? {} : { config: JSON.stringify(change.config) }),
              ...(change.authMethod === undefined ? {} : { auth_method: change.authMethod }),
              ...(change.grantedScopes === undefined
                ? {}
                : { granted_scopes: jsonText(change.grantedScopes) }),
              ...(change.replicationConfig === undefined
                ? {}
                : { replication_config: jsonText(change.replicationConfig) }),
            }))
            .where('instance_id', '=', instanceId)
            .returningAll()
            .executeTakeFirstOrThrow()
          await appendAudit(database, tx, audit)
          const isNews = row.state !== instance.state
          const type = isNews ? stateEvent(row.state, instance) : 'connector.updated'
          await appendInstanceEvent(database, tx, type, row)
          return 'replaced' as const
        })
        if (done === 'replaced') await database.scrub()
        if (!isMoved(done)) return done
      }
      throw new ConnectorError(
        'store_unavailable',
        'the credentials are refreshed faster than they can be replaced',
        { retryAfterMs: 1000 },
      )
    },

    async reseal(instanceId, generation, sealed) {
      const { numUpdatedRows } = await db
        .updateTable('credential')
        .set({ sealed })
        .where('instance_id', '=', instanceId)
        .where('generation', '=', generation)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async expiring(beforeMs, limit) {
      const rows = await db
        .selectFrom('connector_instance')
        .selectAll()
        .where('next_refresh_at', '<=', beforeMs)
        .where('state', 'in', REFRESHED_STATES)
        .orderBy('next_refresh_at')
        .orderBy('instance_id')
        .limit(limit)
        .execute()
      return rows.map(toInstance)
    },

    async scheduleRefresh(instanceId, nextRefreshAt) {
      await db
        .updateTable('connector_instance')
        .set({ next_refresh_at: nextRefreshAt })
        .where('instance_id', '=', instanceId)
        .execute()
    },
  }
}

/** The columns that hold tokens, and what is known of them. */
export function credentialColumns(
  input: CredentialInput,
): Pick<
  Selectable<Tables['credential']>,
  'sealed' | 'expires_at' | 'access_fingerprint' | 'refresh_fingerprint'
> {
  return {
    sealed: input.sealed,
    expires_at: input.expiresAt,
    access_fingerprint: input.accessFingerprint,
    refresh_fingerprint: input.refreshFingerprint,
  }
}

/** New credentials are yet to be proved, unless they were before. */
function stateColumns(
  before: string,
  { patch, state = { state: 'pending', stateReason: null } }: CredentialReplacement,
): { readonly state: string; readonly state_reason: string | null } {
  const isEnabled = patch?.enabled ?? before !== 'disabled'
  return isEnabled
    ? { state: state.state, state_reason: reasonText(state.stateReason) }
    : { state: 'disabled', state_reason: null }
}

/** Compare and set: false when the generation is another one by now. */
async function storeNext(
  { now }: StoreDatabase,
  tx: Executor,
  instanceId: string,
  generation: number,
  next: CredentialInput,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('credential')
    .set({ ...credentialColumns(next), generation: generation + 1, updated_at: now() })
    .where('instance_id', '=', instanceId)
    .where('generation', '=', generation)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function storeFirst(
  { now }: StoreDatabase,
  tx: Executor,
  instanceId: string,
  next: CredentialInput,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('credential')
    .values({
      instance_id: instanceId,
      generation: 1,
      ...credentialColumns(next),
      updated_at: now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('generation')
    .executeTakeFirst()
  return inserted !== undefined
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

function isMoved(done: string): done is 'generation_moved' {
  return done === 'generation_moved'
}

function toCredential(row: Selectable<Tables['credential']>): CredentialRow {
  return {
    generation: row.generation,
    sealed: readBytes(row.sealed),
    expiresAt: row.expires_at,
    accessFingerprint: row.access_fingerprint,
    refreshFingerprint: row.refresh_fingerprint,
  }
}
