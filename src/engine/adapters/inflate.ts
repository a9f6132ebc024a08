// Undoes gzip while counting what comes out.
import { promisify } from 'node:util'

import type { TransportLimits } from '../exchange/transport-limits.ts'
import { nodeZlib } from '../../late-modules.ts'

/** Bodies up to here are inflated at once: a worker costs more than the work, which is at most a few milliseconds. */
const INLINE_BYTES = 32 * 1024

/** Below this no ratio is judged: a short body of one repeated record may well shrink 500 times. */
const RATIO_FREE_BYTES = 1024 * 1024

/** What is wrong with a compressed body. */
export class InflateError extends Error {
  readonly kind: 'broken' | 'too_large'

  constructor(kind: 'broken' | 'too_large', message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'InflateError'
    this.kind = kind
  }
}

/**
 * The plain bytes of a gzip body, or a promise of them where the body is large.
 *
 * Stops with `InflateError` `too_large` as soon as more than `bodyBytes` have come out, or more than `inflateRatio`
 * for each byte that went in, so a bomb costs that much memory and no more; `broken` for what is not gzip or ends early.
 */
export function inflateGzip(
  raw: Buffer,
  limits: Pick<TransportLimits, 'bodyBytes' | 'inflateRatio'>,
): Buffer | Promise<Buffer> {
  // Servers that compress everything send an empty body as zero bytes.
  if (raw.length === 0) return raw
  const maxOutputLength = Math.min(
    limits.bodyBytes,
    Math.max(raw.length * limits.inflateRatio, RATIO_FREE_BYTES),
  )
  if (raw.length > INLINE_BYTES) return inflateLater(raw, maxOutputLength)
  try {
    return nodeZlib().gunzipSync(raw, { maxOutputLength })
  } catch (cause) {
    throw inflateError(cause, maxOutputLength)
  }
}

async function inflateLater(raw: Buffer, maxOutputLength: number): Promise<Buffer> {
  try {
    return await promisify(nodeZlib().gunzip)(raw, { maxOutputLength })
  } catch (cause) {
    throw inflateError(cause, maxOutputLength)
  }
}

function inflateError(cause: unknown, maxOutputLength: number): InflateError {
  const tooLarge =
    cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
  return tooLarge
    ? new InflateError('too_large', `inflates to more than ${maxOutputLength} bytes`, cause)
    : new InflateError('broken', 'is not the gzip data it is said to be', cause)
}
