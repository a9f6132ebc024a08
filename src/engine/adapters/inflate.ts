// Undoes gzip while counting what comes out.
import { promisify } from 'node:util'

import type { TransportLimits } from '../exchange/transport-limits.ts'
import { nodeZlib } from '../../late-modules.ts'

/** Bodies up to here are inflated at once: a worker costs more than the work, which is at most a few milliseconds. */
const INLINE_BYTES = 32 * 1024

/** Below this no ratio is judged: a short body of one repeated record may well shrink 500 times. */
const RATIO_FREE_BYTES = 1024 * 1024

/**
 * The plain bytes of a gzip body, or a promise of them where the body is large.
 *
 * Stops as soon as more than `bodyBytes` have come out, or more than `inflateRatio` for each byte that went in, so a bomb
 * costs that much memory and no more. Throws what zlib throws, for {@link isTooLarge}.
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
  const { gunzip, gunzipSync } = nodeZlib()
  return raw.length > INLINE_BYTES
    ? promisify(gunzip)(raw, { maxOutputLength })
    : gunzipSync(raw, { maxOutputLength })
}

/** Whether a failure was the size; else the body is no gzip, or ends early. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}
