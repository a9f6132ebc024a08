// Answers that are kept for repeated requests.

/** What an idempotency key belongs to. */
export interface IdempotencyPlace {
  readonly organizationId: string
  /** null: the request makes an instance. */
  readonly instanceId: string | null
  readonly route: string
  readonly keyHash: string
}

export interface IdempotentAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly sealedBody: Uint8Array
}

/**
 * What a key stands for. `new`: run the request; `running`: a process runs it; `lost`: that process ended after the request
 * may have left, so that nobody knows what came of it. A process that ended before that leaves a `new` one.
 */
export type IdempotencyBegin =
  | { readonly kind: 'new' }
  | ({ readonly kind: 'done' } & IdempotentAnswer)
  | { readonly kind: 'running' }
  | { readonly kind: 'other_body' }
  | { readonly kind: 'lost'; readonly sent: true }

export interface IdempotencyStore {
  begin(
    place: IdempotencyPlace,
    request: {
      /** SHA-256 of the canonical body. */
      readonly fingerprint: string
      /** What the same body's fingerprint is under other keys of its owner. */
      readonly otherFingerprints?: readonly string[]
      readonly ownerId: string
      readonly leaseMs: number
      /** How long the key is kept, by the store's clock. */
      readonly keepMs: number
    },
  ): Promise<IdempotencyBegin>
  /** To be awaited before anything leaves. Throws `idempotency_in_flight` when the lease ran out and another process runs the request. */
  markSent(place: IdempotencyPlace, ownerId: string): Promise<void>
  /** Stores the answer. False: it is another process's request by now. */
  finish(place: IdempotencyPlace, ownerId: string, answer: IdempotentAnswer): Promise<boolean>
  /** Forgets the key, so that it may be used again. */
  forget(place: IdempotencyPlace, ownerId: string): Promise<void>
  /** False: it is another process's request by now. */
  extend(place: IdempotencyPlace, ownerId: string, leaseMs: number): Promise<boolean>
  purgeExpired(): Promise<number>
}
