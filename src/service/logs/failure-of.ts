// What an entry of the logs says of an error that no answer told.
import { type ConnectorError, metByCall } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { NotedEntry } from './logs.ts'

/** Characters of the words of a failure. */
export const MAX_DETAIL = 500

/** Of a call that failed itself before the third party was left alone, that failure. */
export function failureOf(
  error: ConnectorError,
): Required<Pick<NotedEntry, 'code' | 'upstreamStatus'>> & { readonly facts: JsonObject } {
  const { code, message, upstream } = metByCall(error)
  const upstreamId = upstream?.requestId ?? null
  return {
    code,
    upstreamStatus: upstream?.status ?? null,
    facts: {
      detail: message.slice(0, MAX_DETAIL),
      ...(upstreamId !== null && { upstream_request_id: upstreamId }),
    },
  }
}
