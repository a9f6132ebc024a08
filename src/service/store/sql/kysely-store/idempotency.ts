// Idempotency keys: the row that says that a request runs is there before the request is.
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely'
import { ConnectorError } from '../../../../errors.ts'
import type {
  IdempotencyBegin,
  IdempotencyPlace,
  IdempotencyStore,
} from '../../../store/idempotency.ts'
import { type StoreDatabase, undo } from '../database.ts'
import type { Tables } from '../schema.ts'
import { organizationChain } from './audit-chain.ts'
import { readBytes } from './json-column.ts'

type Columns = Selectable<Tables['idempotency_record']>

export function createIdempotency(database: StoreDatabase): IdempotencyStore {
  const { db, now } = database
  return {
    async begin(place, request) {
      const fresh = {
        fingerprint: request.fingerprint,
        owner_id: request.ownerId,
        held_until: database.in(request.leaseMs),
        sent: 0,
        status: null,
        headers: null,
        sealed_body: null,
        created_at: now(),
        expires_at: database.in(request.keepMs),
      }
      for (;;) {
        const inserted = await db
          .insertInto('idempotency_record')
          .values({ ...keyOf(place), ...fresh })
          .onConflict((conflict) => conflict.doNothing())
          .returning('key_hash')
          .executeTakeFirst()
        if (inserted !== undefined) return { kind: 'new' }
        const begun = await database.transaction(
          async (tx): Promise<IdempotencyBegin | { readonly kind: 'gone' }> => {
            const row = await database
              .lock(
                tx
                  .selectFrom('idempotency_record')
                  .selectAll()
                  .select(now().as('now'))
                  .where(at(place)),
              )
              .executeTakeFirst()
            if (row === undefined) throw undo({ kind: 'gone' })
            const found = judge(
              row,
              [request.fingerprint, ...(request.otherFingerprints ?? [])],
              row.now,
            )
            if (found.kind === 'new')
              await tx.updateTable('idempotency_record').set(fresh).where(at(place)).execute()
            return found
          },
        )
        if (begun.kind !== 'gone') return begun
      }
    },

    async markSent(place, ownerId) {
      const { numUpdatedRows } = await db
        .updateTable('idempotency_record')
        .set({ sent: 1 })
        .where(at(place))
        .where('owner_id', '=', ownerId)
        .where('status', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) {
        throw new ConnectorError(
          'idempotency_in_flight',
          'this request took so long that another one with its Idempotency-Key runs instead',
          // What that one has done is not known here; to ask again is safe.
          { retryAfterMs: 1000, outcome: 'uncertain', retryable: true },
        )
      }
    },

    async finish(place, ownerId, { status, headers, sealedBody }) {
      const { numUpdatedRows } = await db
        .updateTable('idempotency_record')
        .set({ status, headers: JSON.stringify(headers), sealed_body: sealedBody })
        .where(at(place))
        .where('owner_id', '=', ownerId)
        .where('status', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async forget(place, ownerId) {
      await db
        .deleteFrom('idempotency_record')
        .where(at(place))
        .where('owner_id', '=', ownerId)
        .where('status', 'is', null)
        .execute()
    },

    async extend(place, ownerId, leaseMs) {
      const { numUpdatedRows } = await db
        .updateTable('idempotency_record')
        .set({ held_until: database.in(leaseMs) })
        .where(at(place))
        .where('owner_id', '=', ownerId)
        .where('status', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async purgeExpired() {
      const { numDeletedRows } = await db
        .deleteFrom('idempotency_record')
        .where('expires_at', '<=', now())
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

/** What a record says to another request with its key. */
function judge(row: Columns, fingerprints: readonly string[], now: number): IdempotencyBegin {
  const isOver = row.held_until <= now
  if (row.expires_at <= now) return { kind: 'new' }
  // Whoever ran it ended before anything left: as if it had never been.
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

function keyOf(
  place: IdempotencyPlace,
): Pick<Columns, 'scope_id' | 'organization_id' | 'route' | 'key_hash'> {
  return {
    scope_id: place.instanceId ?? organizationChain(place.organizationId),
    organization_id: place.organizationId,
    route: place.route,
    key_hash: place.keyHash,
  }
}

function at(
  place: IdempotencyPlace,
): (eb: ExpressionBuilder<Tables, 'idempotency_record'>) => Expression<SqlBool> {
  return (eb) => eb.and(keyOf(place))
}
