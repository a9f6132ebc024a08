// Idempotency keys: the row that says that a request runs is there before the request is.
import { ConnectorError } from '../../../../errors.ts'
import type {
  IdempotencyBegin,
  IdempotencyPlace,
  IdempotencyStore,
} from '../../../store/idempotency.ts'
import { organizationKeyOwner } from '../../../store/owner.ts'
import { Undone } from '../database.ts'
import type { Tables } from '../schema.ts'
import { atMost, type Changes } from '../statements.ts'
import { StoreGroup } from './store-group.ts'

type Columns = Tables['idempotency_record']

export class Idempotency extends StoreGroup implements IdempotencyStore {
  readonly begin: IdempotencyStore['begin'] = async (place, request) => {
    const { fingerprint, ownerId } = request
    const fresh = {
      fingerprint,
      ownerId,
      heldUntil: this.now(request.leaseMs),
      sent: 0,
      status: null,
      headers: null,
      sealedBody: null,
      createdAt: this.now(),
      expiresAt: this.now(request.keepMs),
    }
    const key = keyOf(place)
    const fingerprints = [fingerprint, ...(request.otherFingerprints ?? [])]
    for (;;) {
      if (await this.rows.insertNew('idempotency_record', { ...key, ...fresh }))
        return { kind: 'new' }
      const begun = await this.rows.transaction(
        async (tx): Promise<IdempotencyBegin | { readonly kind: 'gone' }> => {
          const row = await tx.lock('idempotency_record', key)
          if (row === null) throw new Undone({ kind: 'gone' })
          const found = judge(row, fingerprints)
          if (found.kind === 'new') await tx.update('idempotency_record', key, fresh)
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
    return this.#updateRunning(place, ownerId, { status, headers, sealedBody })
  }

  readonly extend: IdempotencyStore['extend'] = (place, ownerId, leaseMs) =>
    this.#updateRunning(place, ownerId, { heldUntil: this.now(leaseMs) })

  async #updateRunning(
    place: IdempotencyPlace,
    ownerId: string,
    changes: Changes<Columns>,
  ): Promise<boolean> {
    const running = { ...keyOf(place), ownerId, status: null }
    return (await this.rows.update('idempotency_record', running, changes)) > 0
  }

  readonly forget: IdempotencyStore['forget'] = async (place, ownerId) => {
    await this.rows.remove('idempotency_record', { ...keyOf(place), ownerId, status: null })
  }

  readonly purgeExpired: IdempotencyStore['purgeExpired'] = () =>
    this.rows.removeWide('idempotency_record', { expiresAt: atMost(this.now()) })
}

function judge(
  {
    heldUntil,
    expiresAt,
    status,
    sent,
    fingerprint,
    ...answer
  }: Columns & { readonly now: number },
  fingerprints: readonly string[],
): IdempotencyBegin {
  const isOver = heldUntil <= answer.now
  if (expiresAt <= answer.now) return { kind: 'new' }
  // The process that ran it ended before anything left: as if it had never been.
  if (status === null && isOver && sent === 0) return { kind: 'new' }
  if (!fingerprints.includes(fingerprint)) return { kind: 'other_body' }
  if (status === null) return isOver ? { kind: 'lost', sent: true } : { kind: 'running' }
  const { headers, sealedBody } = answer
  return {
    kind: 'done',
    status,
    headers: headers ?? {},
    sealedBody: sealedBody ?? new Uint8Array(),
  }
}

function keyOf({
  organizationId,
  instanceId,
  route,
  keyHash,
}: IdempotencyPlace): Pick<Columns, 'scopeId' | 'organizationId' | 'route' | 'keyHash'> {
  return {
    scopeId: instanceId ?? organizationKeyOwner(organizationId),
    organizationId,
    route,
    keyHash,
  }
}
