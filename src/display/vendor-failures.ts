// The codes of failures of which a vendor's own page about its service may tell more.
import type { ErrorCode } from '../errors.ts'

const CODES: ReadonlySet<string> = new Set<ErrorCode>([
  'upstream_failed',
  'upstream_timeout',
  'upstream_unreachable',
  'upstream_rate_limited',
  'upstream_suspended',
  'refresh_failed',
])

/** Whether it is the vendor that fails, does not answer, limits, or is left alone for that. */
export function isOfVendorsService(code: string): boolean {
  return CODES.has(code)
}
