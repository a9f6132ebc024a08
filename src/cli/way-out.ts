// What a person can do next about an error, where a command of ours is the answer.
import type { ErrorCode } from '../errors.ts'

/** In the order of the table of codes. A code that is not here says all in its message, or in its part of the docs. */
const WAYS: Readonly<Partial<Record<ErrorCode, string>>> = {
  operation_unknown: 'tenon describe <type> shows what a connector can do',
  connector_unknown: 'tenon describe <type> takes a packaged type, or the path of a manifest',
  cursor_invalid: 'leave out the cursor to begin at the first page',
  token_invalid:
    'take a new TENON_TOKEN, or TENON_CLIENT_ID and TENON_CLIENT_SECRET of an application',
  client_invalid:
    'tenon apps list shows the applications, tenon apps rotate-secret gives one a new secret',
  scope_denied: 'take TENON_CLIENT_ID and TENON_CLIENT_SECRET, or a token that is allowed to',
  instance_unknown: 'tenon instances list shows the ids',
  webhook_unknown: 'tenon webhooks list shows the ids',
  instance_disabled: 'it was switched off by hand; the console or the API switches it on',
  search_not_ready: 'tenon sync status <instance> --watch shows how far the copy is',
  credentials_refused: 'tenon instances check <instance> tries them; the user connects again',
  reauthorization_required:
    'the user connects again: POST /v1/connect/sessions with connector_id makes the link',
  search_needs_hosted_mode: 'tenon search <instance> <entity> asks a service',
  service_unreachable: 'tenon serve starts a service; --url or TENON_URL says where it is',
  store_unavailable: 'tenon doctor says what keeps it from working',
  manifest_invalid: 'tenon lint shows every problem',
}

/** A sentence for the end of an error; null: there is none. */
export function wayOut(code: string): string | null {
  return Object.hasOwn(WAYS, code) ? (WAYS[code as ErrorCode] ?? null) : null
}
