// One key, one write: the first request runs, every other one with the same key gets its answer.
import { createHash, randomUUID } from 'node:crypto'
import { ConnectorError, isConnectorError } from '../errors.ts'
import { CanonicalWriting } from '../language/json/canonical-json.ts'
import type { JsonObject } from '../language/json/json.ts'
import type { IdempotencyPlace } from './store/idempotency.ts'
import type { Store } from './store/store.ts'
import type { Vault } from './vault/vault.ts'
import { problemOf } from './http/problem.ts'
import { organizationKeyOwner } from './oauth/oauth-secret.ts'
import type { Records } from './records.ts'
import type { ServiceReply, SurroundedBytes } from './route.ts'
import type { Turns } from './turns.ts'

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

export interface Idempotency {
  /**
   * Runs a write once per key. `run` calls `sending` right before something may leave for the third party.
   * Throws `idempotency_in_flight`, `idempotency_key_reused`, and `request_malformed` for a key that is none.
   */
  once(
    request: IdempotentRequest,
    run: (sending: () => Promise<void>) => Promise<ServiceReply>,
  ): Promise<ServiceReply>
}

/** From the beginning of the first request. */
const KEPT_MS = 24 * 60 * 60_000
const LEASE_MS = 45_000
const HEARTBEAT_MS = 10_000
/** RFC 8941 string, or the bare value. */
const KEY = /^(?:"([\x20-\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21-\x7e]{1,255}))$/

export interface IdempotencyPorts {
  readonly store: Store
  readonly vault: Vault
  readonly records: Records
  readonly processId: string
  readonly turns: Turns
}

export function createIdempotency(ports: IdempotencyPorts): Idempotency {
  const { store } = ports
  return {
    async once(request, run) {
      const place = placeOf(request)
      // Keyed: a body may hold a password that somebody with the database could guess.
      const [fingerprint, ...otherFingerprints] = await ports.vault.fingerprints(
        keyOwnerOf(request),
        await canonicalText(ports, request),
      )
      // Of this request alone: another one of this process may take the key over when the lease has run out.
      const ownerId = `${ports.processId}/${randomUUID()}`
      const facts = { request_id: request.requestId, record: 'idempotency' }
      const begun = await store.idempotency
        .begin(place, {
          fingerprint,
          otherFingerprints,
          ownerId,
          leaseMs: LEASE_MS,
          keepMs: KEPT_MS,
        })
        .catch(async (error: unknown) => {
          // It may have begun although its answer was lost, and would hold up the repeat until its lease ends.
          await ports.records.keep(facts, () => store.idempotency.forget(place, ownerId))
          throw error
        })
      switch (begun.kind) {
        case 'done':
          return await replay(ports, request, place, begun)
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
          return await runNew(ports, { request, place, ownerId }, run)
      }
    },
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

/** A request that holds its key. */
interface Holder {
  readonly request: IdempotentRequest
  readonly place: IdempotencyPlace
  readonly ownerId: string
}

async function runNew(
  ports: IdempotencyPorts,
  holder: Holder,
  run: (sending: () => Promise<void>) => Promise<ServiceReply>,
): Promise<ServiceReply> {
  const { store, records } = ports
  const { request, place, ownerId } = holder
  const facts = { request_id: request.requestId, record: 'idempotency' }
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
      const problem = problemOf(error, request.requestId)
      await records.keep(facts, () =>
        keep(ports, holder, {
          kind: 'json',
          status: problem.status,
          headers: problem.headers,
          body: problem.body,
        }),
      )
    }
    throw error
  } finally {
    clearInterval(heartbeat)
  }
}

function textOf(text: string | SurroundedBytes): string {
  return typeof text === 'string' ? text : text.before + text.bytes.toString() + text.after
}

/** The answer, sealed: it may hold anybody's data. */
async function keep(
  ports: IdempotencyPorts,
  { request, place, ownerId }: Holder,
  reply: ServiceReply,
): Promise<void> {
  const body =
    reply.kind === 'json'
      ? JSON.stringify(reply.body)
      : reply.kind === 'text'
        ? textOf(reply.text)
        : ''
  const headers = 'headers' in reply ? (reply.headers ?? {}) : {}
  await ports.store.idempotency.finish(place, ownerId, {
    status: reply.status,
    headers: { ...headers },
    sealedBody: await ports.vault.seal(
      keyOwnerOf(request),
      `idempotency:${place.keyHash}`,
      1,
      body,
    ),
  })
}

async function replay(
  { vault }: IdempotencyPorts,
  request: IdempotentRequest,
  place: IdempotencyPlace,
  done: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly sealedBody: Uint8Array
  },
): Promise<ServiceReply> {
  const text = await vault.openText(
    keyOwnerOf(request),
    `idempotency:${place.keyHash}`,
    1,
    done.sealedBody,
  )
  const headers = { ...done.headers, 'idempotent-replayed': 'true' }
  return text === ''
    ? { kind: 'empty', status: done.status, headers }
    : { kind: 'text', status: done.status, headers, text }
}

function keyOwnerOf({ instanceId, organizationId }: IdempotentRequest): string {
  return instanceId ?? organizationKeyOwner(organizationId)
}

function placeOf(request: IdempotentRequest): IdempotencyPlace {
  const match = KEY.exec(request.key)
  const key = match?.[1] ?? match?.[2]
  if (key === undefined) {
    const detail = 'Idempotency-Key must be 1 to 255 visible ASCII characters'
    throw new ConnectorError('request_malformed', detail, {
      errors: [{ pointer: '', code: 'header', detail }],
    })
  }
  return {
    organizationId: request.organizationId,
    instanceId: request.instanceId,
    route: request.route,
    keyHash: sha256(key),
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
