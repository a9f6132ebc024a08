// Cursors: where a walk stands, sealed, so that they say nothing and fit nothing but the search they came from.
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto'

import { ConnectorError } from '../../errors.ts'

/** How a walk is ordered: by sort keys, by score, or newest first. Fixed by its first page. */
export type WalkMode = 'sort' | 'score' | 'seq'

/** The last record of a page, by what orders it. */
export interface WalkPosition {
  readonly mode: WalkMode
  /** The keys of the sort conditions; null where the record has no value. Empty in the other modes. */
  readonly keys: readonly (string | null)[]
  /** The score; 1 in the other modes. */
  readonly score: number
  readonly seq: number
}

export interface CursorContext {
  readonly organizationId: string
  readonly instanceId: string
  readonly entity: string
  readonly epoch: number
  readonly layoutHash: string
  /** Of `hashQuery`. */
  readonly queryHash: string
}

export interface CursorSeal {
  /** Begins a cursor of which only the position is not known yet: most of its cost. What it gives is called once. */
  begin(context: CursorContext): (position: WalkPosition) => string
  /** Throws `cursor_invalid`, with one message for everything that can be wrong. */
  open(cursor: string, context: CursorContext): WalkPosition
}

export interface CursorSealOptions {
  /** 32 bytes each, used for nothing else: the first seals, all of them open. */
  readonly keys: readonly [Uint8Array, ...(readonly Uint8Array[])]
  readonly nowMs: () => number
  /** Random bytes fit for a nonce. */
  readonly randomBytes: (length: number) => Uint8Array
}

export const CURSOR_LIFETIME_MS: number = 24 * 3_600_000
/** Four sort keys of 256 code points each, which JSON may write with six bytes each, in base64. */
const MAX_WALK = 10_240
const NONCE_BYTES = 12
const TAG_BYTES = 16
const NONCES_AT_ONCE = 64

/** Creates the seal: AES-256-GCM, base64url, the organisation and instance as associated data. */
export function createCursorSeal({ keys, nowMs, randomBytes }: CursorSealOptions): CursorSeal {
  if (keys.some(({ length }) => length !== 32)) throw new TypeError('a cursor key has 32 bytes')
  // Made once: with bytes every cipher would make one.
  const [first, ...others] = keys
  const sealing = createSecretKey(first)
  const secrets = [sealing, ...others.map((key) => createSecretKey(key))]
  let nonces: Uint8Array = new Uint8Array()
  // Many at once: asking the system costs more than all the rest of a nonce.
  const nextNonce = (): Uint8Array => {
    if (nonces.length === 0) nonces = randomBytes(NONCES_AT_ONCE * NONCE_BYTES)
    const nonce = nonces.subarray(0, NONCE_BYTES)
    nonces = nonces.subarray(NONCE_BYTES)
    return nonce
  }
  return {
    begin(context) {
      const nonce = nextNonce()
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce)
      cipher.setAAD(associated(context))
      const bound = boundTo(context)
      return ({ mode, keys: sortKeys, score, seq }) => {
        const expiresMs = nowMs() + CURSOR_LIFETIME_MS
        const content = JSON.stringify([...bound, expiresMs, mode, sortKeys, score, seq])
        const text = [cipher.update(content, 'utf8'), cipher.final(), cipher.getAuthTag()]
        return Buffer.concat([nonce, ...text]).toString('base64url')
      }
    },
    open(cursor, context) {
      for (const secret of secrets) {
        const position = readContent(decrypt(cursor, secret, context), context, nowMs())
        if (position !== null) return position
      }
      throw new ConnectorError(
        'cursor_invalid',
        'the cursor does not belong to this search, or is older than 24 hours; search again without it',
      )
    },
  }
}

function boundTo({ entity, epoch, layoutHash, queryHash }: CursorContext): readonly unknown[] {
  return [1, entity, epoch, layoutHash, queryHash]
}

function associated({ organizationId, instanceId }: CursorContext): Buffer {
  return Buffer.from(JSON.stringify(['search-cursor', organizationId, instanceId]))
}

function decrypt(cursor: string, key: KeyObject, context: CursorContext): string | null {
  if (cursor.length > MAX_WALK || !/^[\w-]+$/.test(cursor)) return null
  const bytes = Buffer.from(cursor, 'base64url')
  // One cursor, one spelling: spare bits of the last letter must be zero.
  if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== cursor) return null
  const tag = bytes.subarray(-TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(associated(context))
  decipher.setAuthTag(tag)
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8')
    return text + decipher.final('utf8')
  } catch {
    // A forged cursor, or one of another instance: callers are not told which.
    return null
  }
}

function readContent(
  content: string | null,
  context: CursorContext,
  nowMs: number,
): WalkPosition | null {
  if (content === null) return null
  const bound = boundTo(context)
  // Only what was sealed here opens, so the shape is that of `seal`.
  const parts = JSON.parse(content) as unknown[]
  if (bound.some((part, index) => parts[index] !== part)) return null
  const [expiresMs, mode, keys, score, seq] = parts.slice(bound.length) as [
    number,
    WalkMode,
    readonly (string | null)[],
    number,
    number,
  ]
  return expiresMs > nowMs ? { mode, keys, score, seq } : null
}
