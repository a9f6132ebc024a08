// One key, one write: the first request runs, every other one with the same key gets its answer.
import { hash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { ConnectorError, isConnectorError, problemError } from '../errors.ts'
import { CanonicalWriting } from '../language/json/canonical-json.ts'
import type { JsonObject } from '../language/json/json.ts'
import type { IdempotencyBegin, IdempotencyPlace } from './store/idempotency.ts'
import type { ServiceBase } from './base.ts'
import { bytesIn } from './http/arrival.ts'
import { problemOf } from './http/problem.ts'
import { organizationKeyOwner } from './store/owner.ts'
import { json, type ServiceReply } from './route.ts'

/** What a key belongs to, and what was asked under it. */
export interface IdempotentRequest {
  readonly organizationId: string
  /** null: the request makes an instance. */
  readonly instanceId: string | null
  readonly route: string
  /** The header as it was sent. */
  readonly key: string
  readonly body: JsonObject
  readonly requestId: string
}

/** From the beginning of the first request. */
const KEPT_MS = 24 * 60 * 60_000
const LEASE_MS = 45_000
const HEARTBEAT_MS = 10_000
/** RFC 8941 string, or the bare value. */
const KEY = /^(?:"([\x20-\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21-\x7e]{1,255}))$/

export type IdempotencyPorts = Pick<
  ServiceBase,
  'store' | 'vault' | 'records' | 'processId' | 'turns'
>

/** Runs the write of a key; `sending` is called right before something may leave for the third party. */
type KeyedWrite = (sending: () => Promise<void>) => Promise<ServiceReply>

/**
 * Runs a write once per key. Throws `idempotency_in_flight`, `idempotency_key_reused`, and `request_malformed` for a key
 * that is none.
 */
export async function runOnce(
  ports: IdempotencyPorts,
  request: IdempotentRequest,
  run: KeyedWrite,
): Promise<ServiceReply> {
  const holder: Holder = {
    request,
    place: placeOf(request),
    // Of this request alone: another one of this process may take the key over when the lease has run out.
    ownerId: `${ports.processId}/${randomUUID()}`,
    facts: { request_id: request.requestId, record: 'idempotency' },
  }
  const begun = await begin(ports, holder)
  switch (begun.kind) {
    case 'done':
      return await replay(ports, holder, begun)
    case 'running':
      throw new ConnectorError(
        'idempotency_in_flight',
        'the first request with this Idempotency-Key is still running',
        // What the first one has done is not known yet; to ask again is safe.
        { retryAfterMs: 1000, outcome: 'uncertain', retryable: true },
      )
    case 'other_body':
      throw new ConnectorError(
        'idempotency_key_reused',
        'this Idempotency-Key was used with another body; use a new key for a new request',
      )
    case 'lost':
      throw new ConnectorError(
        'upstream_failed',
        'the process that ran this request ended before its answer came; whether the write happened is unknown',
        { outcome: 'uncertain' },
      )
    case 'new':
      return await runNew(ports, holder, run)
  }
}

/** A request that asks for its key, and holds it where it is new. */
interface Holder {
  readonly request: IdempotentRequest
  readonly place: IdempotencyPlace
  readonly ownerId: string
  /** For the log. */
  readonly facts: object
}

async function begin(
  ports: IdempotencyPorts,
  { request, place, ownerId, facts }: Holder,
): Promise<IdempotencyBegin> {
  const { idempotency } = ports.store
  // Keyed: a body may hold a password that somebody with the database could guess.
  const [fingerprint, ...otherFingerprints] = await ports.vault.fingerprints(
    keyOwnerOf(request),
    await canonicalText(ports, request),
  )
  const times = { leaseMs: LEASE_MS, keepMs: KEPT_MS }
  try {
    return await idempotency.begin(place, { fingerprint, otherFingerprints, ownerId, ...times })
  } catch (error) {
    // It may have begun although its answer was lost, and would hold up the repeat until its lease ends.
    await ports.records.keep(facts, () => idempotency.forget(place, ownerId))
    throw error
  }
}

/** More than so many looks at a body, and others have their turns between. */
const LOOKS_AT_ONCE = 16

async function canonicalText(
  { turns }: IdempotencyPorts,
  { organizationId, body }: IdempotentRequest,
): Promise<string> {
  const writing = new CanonicalWriting(body)
  let looks = 0
  if (!writing.writeOn(() => ++looks === LOOKS_AT_ONCE))
    await turns.run(organizationId, (isOver) => writing.writeOn(isOver))
  return writing.text
}

async function runNew(
  ports: IdempotencyPorts,
  holder: Holder,
  run: KeyedWrite,
): Promise<ServiceReply> {
  const { store, records } = ports
  const { request, place, ownerId, facts } = holder
  const heartbeat = setInterval(() => {
    // A missed beat only shortens the lease; the end of the request stores its answer all the same.
    store.idempotency.extend(place, ownerId, LEASE_MS).catch(() => {})
  }, HEARTBEAT_MS)
  try {
    const reply = await run(() => store.idempotency.markSent(place, ownerId))
    // The caller gets the answer also when it is stored later. Until then repeats find the first request running and,
    // after its lease, uncertain; none of them is sent.
    await records.keep(facts, () => keep(ports, holder, reply))
    return reply
  } catch (error) {
    const mayTryAgain =
      isConnectorError(error) && error.outcome === 'not_applied' && error.retryable
    if (mayTryAgain) await records.keep(facts, () => store.idempotency.forget(place, ownerId))
    else {
      const { status, body, headers } = problemOf(error, request.requestId)
      await records.keep(facts, () => keep(ports, holder, json(status, body, headers)))
    }
    throw error
  } finally {
    clearInterval(heartbeat)
  }
}

/** The answer, sealed: it may hold anybody's data. */
async function keep(
  ports: IdempotencyPorts,
  { request, place, ownerId }: Holder,
  { status, headers = {}, content }: ServiceReply,
): Promise<void> {
  // Files are not answered under a key.
  const body = content === null || content instanceof Readable ? '' : bytesIn(content).toString()
  const sealedBody = await ports.vault.seal(keyOwnerOf(request), columnOf(place), 1, body)
  const kept = { status, headers: { ...headers }, sealedBody }
  await ports.store.idempotency.finish(place, ownerId, kept)
}

async function replay(
  { vault }: IdempotencyPorts,
  { request, place }: Holder,
  { status, headers: kept, sealedBody }: Extract<IdempotencyBegin, { readonly kind: 'done' }>,
): Promise<ServiceReply> {
  const text = await vault.openText(keyOwnerOf(request), columnOf(place), 1, sealedBody)
  const headers = { ...kept, 'idempotent-replayed': 'true' }
  return { status, headers, content: text === '' ? null : text }
}

function columnOf({ keyHash }: IdempotencyPlace): string {
  return `idempotency:${keyHash}`
}

function keyOwnerOf({ instanceId, organizationId }: IdempotentRequest): string {
  return instanceId ?? organizationKeyOwner(organizationId)
}

function placeOf(request: IdempotentRequest): IdempotencyPlace {
  const match = KEY.exec(request.key)
  const key = match?.[1] ?? match?.[2]
  if (key === undefined) {
    const detail = 'Idempotency-Key must be 1 to 255 visible ASCII characters'
    throw problemError('request_malformed', { pointer: '', code: 'header', detail })
  }
  const { organizationId, instanceId, route } = request
  return { organizationId, instanceId, route, keyHash: hash('sha256', key) }
}
