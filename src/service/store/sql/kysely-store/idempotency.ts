// Idempotency keys: the row that says that a request runs is there before the request is.
import type { Expression, ExpressionBuilder, Selectable, SqlBool, UpdateObject } from 'kysely'
import { ConnectorError } from '../../../../errors.ts'
import type {
  IdempotencyBegin,
  IdempotencyPlace,
  IdempotencyStore,
} from '../../../store/idempotency.ts'
import { undo } from '../database.ts'
import type { Tables } from '../schema.ts'
import { organizationChain } from './audit-chain.ts'
import { readBytes, writeRow } from './row.ts'
import { changesAny, StoreGroup } from './store-group.ts'

type Columns = Selectable<Tables['idempotency_record']>
type Condition = (eb: ExpressionBuilder<Tables, 'idempotency_record'>) => Expression<SqlBool>

export class Idempotency extends StoreGroup implements IdempotencyStore {
  readonly begin: IdempotencyStore['begin'] = async (place, request) => {
    const fresh = {
      fingerprint: request.fingerprint,
      owner_id: request.ownerId,
      held_until: this.now(request.leaseMs),
      sent: 0,
      status: null,
      headers: null,
      sealed_body: null,
      created_at: this.now(),
      expires_at: this.now(request.keepMs),
    }
    const fingerprints = [request.fingerprint, ...(request.otherFingerprints ?? [])]
    for (;;) {
      const inserting = this.db
        .insertInto('idempotency_record')
        .values({ ...keyOf(place), ...fresh })
        .onConflict((conflict) => conflict.doNothing())
      if (await changesAny(this.db, inserting)) return { kind: 'new' }
      const begun = await this.database.transaction(
        async (tx): Promise<IdempotencyBegin | { readonly kind: 'gone' }> => {
          const known = tx
            .selectFrom('idempotency_record')
            .selectAll()
            .select(this.now().as('now'))
            .where(at(place))
          const row = await this.database.lock(known).executeTakeFirst()
          if (row === undefined) throw undo({ kind: 'gone' })
          const found = judge(row, fingerprints)
          if (found.kind === 'new')
            await tx.updateTable('idempotency_record').set(fresh).where(at(place)).execute()
          return found
        },
      )
      if (begun.kind !== 'gone') return begun
    }
  }

  readonly markSent: IdempotencyStore['markSent'] = async (place, ownerId) => {
    if (await this.#updateRunning(place, ownerId, { sent: 1 })) return
    throw new ConnectorError(
      'idempotency_in_flight',
      'this request took so long that another one with its Idempotency-Key runs instead',
      // What that one has done is not known here; to ask again is safe.
      { retryAfterMs: 1000, outcome: 'uncertain', retryable: true },
    )
  }

  readonly finish: IdempotencyStore['finish'] = (place, ownerId, answer) => {
    const { status, headers, sealedBody } = answer
    return this.#updateRunning(place, ownerId, writeRow({ status, headers, sealedBody }))
  }

  readonly extend: IdempotencyStore['extend'] = (place, ownerId, leaseMs) =>
    this.#updateRunning(place, ownerId, { held_until: this.now(leaseMs) })

  async #updateRunning(
    place: IdempotencyPlace,
    ownerId: string,
    changes: UpdateObject<Tables, 'idempotency_record'>,
  ): Promise<boolean> {
    const update = this.db.updateTable('idempotency_record').set(changes)
    return await changesAny(this.db, update.where(runningAt(place, ownerId)))
  }

  readonly forget: IdempotencyStore['forget'] = async (place, ownerId) => {
    await this.db.deleteFrom('idempotency_record').where(runningAt(place, ownerId)).execute()
  }

  readonly purgeExpired: IdempotencyStore['purgeExpired'] = () =>
    this.removeExpired('idempotency_record')
}

/** What a record says to another request with its key. */
function judge(
  row: Columns & { readonly now: number },
  fingerprints: readonly string[],
): IdempotencyBegin {
  const isOver = row.held_until <= row.now
  if (row.expires_at <= row.now) return { kind: 'new' }
  // The process that ran it ended before anything left: as if it had never been.
  if (row.status === null && isOver && row.sent === 0) return { kind: 'new' }
  if (!fingerprints.includes(row.fingerprint)) return { kind: 'other_body' }
  if (row.status !== null) {
    return {
      kind: 'done',
      status: row.status,
      // Written by `finish`.
      headers: JSON.parse(row.headers ?? '{}') as Record<string, string>,
      sealedBody: readBytes(row.sealed_body ?? new Uint8Array()),
    }
  }
  return isOver ? { kind: 'lost', sent: true } : { kind: 'running' }
}

type Key = Pick<Columns, 'scope_id' | 'organization_id' | 'route' | 'key_hash'>

function keyOf({ organizationId, instanceId, route, keyHash }: IdempotencyPlace): Key {
  const scopeId = instanceId ?? organizationChain(organizationId)
  return writeRow({ scopeId, organizationId, route, keyHash })
}

function at(place: IdempotencyPlace): Condition {
  return (eb) => eb.and(keyOf(place))
}

/** The request that this process runs. */
function runningAt(place: IdempotencyPlace, ownerId: string): Condition {
  return (eb) => eb.and([at(place)(eb), eb('owner_id', '=', ownerId), eb('status', 'is', null)])
}
