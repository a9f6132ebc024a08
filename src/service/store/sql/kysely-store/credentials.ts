// Credentials of instances. Their tokens are changed by statements that touch nothing else, and only from the generation
// they were made from.
import { sql } from 'kysely'
import { ConnectorError } from '../../../../errors.ts'
import {
  type CredentialInput,
  type CredentialReplacement,
  type CredentialStore,
  REFRESH_PURPOSE,
} from '../../../store/credentials.ts'
import type { InstanceRow, InstanceState } from '../../../store/instances.ts'
import type { Owner } from '../../../store/owner.ts'
import type { AuditEntry } from '../../../store/audit.ts'
import { Undone } from '../database.ts'
import { atMost, inOrder, matching, oneMore, type Rows, without } from '../statements.ts'
import { appendInstanceEvent, authErrorColumns, stateEvent } from './append-event.ts'
import { appendAudit } from './audit-chain.ts'
import {
  changedAt,
  changeInstance,
  patchColumns,
  REFRESHED_STATES,
  toInstance,
  visibleTo,
} from './instance-row.ts'
import { useOAuthSecret } from './consents.ts'
import { StoreGroup } from './store-group.ts'

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
  readonly read: CredentialStore['read'] = async (instanceId) =>
    without(await this.rows.find('credential', { instanceId }), 'instanceId', 'updatedAt')

  readonly commitRefresh: CredentialStore['commitRefresh'] = async (
    instanceId,
    generation,
    { nextRefreshAt, config, ...next },
    audit,
  ) =>
    await this.rows.transaction(async (tx) => {
      const before = await tx.lock('connector_instance', { instanceId })
      if (before === null) return false
      if (!(await this.#storeNext(tx, instanceId, generation, next))) return false
      await tx.remove('refresh_intent', { instanceId })
      const row = await changeInstance(tx, instanceId, {
        nextRefreshAt,
        ...(before.state === 'disabled'
          ? {}
          : { state: 'active' as const, stateReason: null, authErrorSince: null }),
        ...(config === undefined
          ? {}
          : { config: { ...before.config, ...config }, updatedAt: this.now() }),
      })
      await appendAudit(tx, audit)
      // A refresh that changes nothing anybody sees is no event.
      if (row.state !== before.state)
        await appendInstanceEvent(tx, stateEvent(row.state, before), row)
      else if (JSON.stringify(row.config) !== JSON.stringify(before.config))
        await appendInstanceEvent(tx, 'connector.updated', row)
      return true
    })

  readonly replace: CredentialStore['replace'] = async (owner, instanceId, change, audit) => {
    for (let attempt = 1; attempt <= REPLACE_ATTEMPTS; attempt++) {
      const wanted = [{ instanceId }, visibleTo(owner)]
      if ((await this.rows.find('connector_instance', wanted)) === null) return 'instance_unknown'
      const current = await this.rows.find('credential', { instanceId })
      const generation = current?.generation ?? null
      // Sealing may use this store, so it is no part of the transaction.
      const next = await change.seal((generation ?? 0) + 1)
      const replacing = { owner, instanceId, generation, next, change, audit }
      const result = await this.rows.transaction((tx) => this.#replaceFrom(tx, replacing))
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
    tx: Rows,
    { owner, instanceId, generation, next, change, audit }: Replacing,
  ): Promise<'generation_moved' | Awaited<ReturnType<CredentialStore['replace']>>> {
    const wanted = [{ instanceId }, visibleTo(owner)]
    const before = await tx.lock('connector_instance', wanted)
    if (before === null) return 'instance_unknown'
    if ((change.unchangedSince ?? before.updatedAt) !== before.updatedAt) return 'changed'
    const { oauthSecretHash: secretHash, patch, authMethod, grantedScopes } = change
    if (secretHash !== null) {
      const refusal = await useOAuthSecret(tx, { ...toInstance(before), secretHash })
      if (refusal !== null) return refusal
    }
    const isStored =
      generation === null
        ? await insertCredential(tx, instanceId, next)
        : await this.#storeNext(tx, instanceId, generation, next)
    if (!isStored) throw new Undone('generation_moved')
    await endRefresh(tx, instanceId)
    const state = stateColumns(before.state, change)
    const { config, replicationConfig } = change
    const row = await changeInstance(tx, instanceId, {
      credentialEpoch: oneMore('credentialEpoch'),
      nextRefreshAt: change.nextRefreshAt ?? null,
      updatedAt: changedAt(this.now()),
      ...patchColumns(patch ?? {}),
      ...state,
      ...authErrorColumns(tx, state.state, before),
      config,
      replicationConfig,
      authMethod,
      grantedScopes,
    })
    await appendAudit(tx, audit)
    const isNews = row.state !== before.state
    const type = isNews ? stateEvent(row.state, before) : 'connector.updated'
    await appendInstanceEvent(tx, type, row)
    return 'replaced'
  }

  /** Compare and set: false when the generation is another one by now. */
  async #storeNext(
    tx: Rows,
    instanceId: string,
    generation: number,
    next: CredentialInput,
  ): Promise<boolean> {
    const tokens = { ...tokensIn(next), generation: generation + 1, updatedAt: this.now() }
    return (await tx.update('credential', { instanceId, generation }, tokens)) > 0
  }

  readonly reseal: CredentialStore['reseal'] = async (instanceId, generation, sealed) =>
    (await this.rows.update('credential', { instanceId, generation }, { sealed })) > 0

  readonly expiring: CredentialStore['expiring'] = async (beforeMs, limit) => {
    // Literally as the index says it, which so has none of those that are refused for ever.
    const states = REFRESHED_STATES.map((state) => sql.lit(state))
    const query = this.db
      .selectFrom('connector_instance')
      .selectAll()
      .where(matching<'connector_instance'>({ nextRefreshAt: atMost(beforeMs) }))
      .where('state', 'in', states)
      .orderBy('nextRefreshAt')
      .orderBy('instanceId')
      .limit(limit)
      .compile()
    const { rows } = await this.database.wide(query, 'connector_instance')
    return inOrder(rows, ['nextRefreshAt', 'instanceId'], limit).map(toInstance)
  }

  readonly scheduleRefresh: CredentialStore['scheduleRefresh'] = async (
    instanceId,
    generation,
    nextRefreshAt,
  ) =>
    await this.rows.transaction(async (tx) => {
      await tx.lock('connector_instance', { instanceId })
      if ((await tx.find('credential', { instanceId, generation })) !== null)
        await tx.update('connector_instance', { instanceId }, { nextRefreshAt })
    })
}

/** Stores the first credentials of an instance. False: it has some. */
export async function insertCredential(
  tx: Rows,
  instanceId: string,
  first: CredentialInput,
): Promise<boolean> {
  const row = { instanceId, generation: 1, ...tokensIn(first), updatedAt: tx.now() }
  return await tx.insertNew('credential', row)
}

/** Tokens, and what is known of them, without what else a caller holds. */
function tokensIn({
  sealed,
  expiresAt,
  accessFingerprint,
  refreshFingerprint,
}: CredentialInput): CredentialInput {
  return { sealed, expiresAt, accessFingerprint, refreshFingerprint }
}

/** New credentials are yet to be proved, unless they were before. */
function stateColumns(
  before: InstanceState,
  { patch, state = { state: 'pending', stateReason: null } }: CredentialReplacement,
): Pick<InstanceRow, 'state' | 'stateReason'> {
  const isEnabled = patch?.enabled ?? before !== 'disabled'
  if (!isEnabled) return { state: 'disabled', stateReason: null }
  return { state: state.state, stateReason: state.stateReason }
}

/** A refresh under way is not stopped, but nothing that it still writes will count. */
async function endRefresh(tx: Rows, instanceId: string): Promise<void> {
  const ended = { fence: oneMore('fence'), heldUntil: 0, ownerId: '' }
  await tx.update('lease', { instanceId, purpose: REFRESH_PURPOSE }, ended)
  await tx.remove('refresh_intent', { instanceId })
}
