// What a person can do next about an error: a command of ours where that is the answer, else what the docs say.
import { REMEDIES } from '../display/error-remedies.ts'
import type { ErrorCode } from '../errors.ts'

/** Where a terminal knows more than the docs. In the order of the table of codes. */
const WAYS: Readonly<Partial<Record<ErrorCode, string>>> = {
  operation_unknown: 'tenon describe <type> shows what a connector can do',
  params_invalid: 'tenon describe <type> <entity>.<action> shows the parameters and an example',
  connector_unknown: 'tenon describe <type> takes a packaged type, or the path of a manifest',
  config_invalid: 'correct the settings that are named above',
  cursor_invalid: 'leave out the cursor to begin at the first page',
  token_invalid:
    'take a new TENON_TOKEN, or TENON_CLIENT_ID and TENON_CLIENT_SECRET of an application',
  client_invalid:
    'tenon apps list shows the applications, tenon apps rotate-secret gives one a new secret',
  scope_denied:
    'take TENON_CLIENT_ID and TENON_CLIENT_SECRET, or a token that is allowed to; else have the operator allow it',
  instance_unknown: 'tenon instances list shows the ids',
  webhook_unknown: 'tenon webhooks list shows the ids',
  event_unknown: 'tenon events shows the ids; old events are removed',
  log_entry_unknown: 'tenon logs shows the ids; old entries are removed',
  manifest_unknown: 'tenon manifests versions <type> shows what was published',
  oauth_not_configured:
    'tenon oauth-clients put <type> <client-id> --secret @file keeps a client in the service',
  instance_disabled: 'it was switched off by hand; the console or the API switches it on',
  search_not_ready: 'tenon sync status <instance> --watch shows how far the copy is',
  upstream_rejected:
    'correct the request by what the third party said; tenon describe <type> <entity>.<action> shows its parameters',
  upstream_unprocessable:
    'correct the values by what the third party said; tenon describe <type> <entity>.<action> shows them',
  upstream_unexpected:
    'compare the answer with the documents of the third party: it may have changed, and the manifest must follow',
  upstream_timeout:
    'ask for less at once, or give it more time (--timeout); of a change look first whether it was made',
  deadline_exceeded: 'give it more time (--timeout); nothing was sent',
  credentials_refused: 'tenon instances check <instance> tries them; the user connects again',
  reauthorization_required:
    'the user connects again: POST /v1/connect/sessions with connector_id makes the link',
  search_needs_hosted_mode: 'tenon search <instance> <entity> asks a service',
  service_unreachable: 'tenon serve starts a service; --url or TENON_URL says where it is',
  store_unavailable: 'tenon doctor says what keeps it from working',
  manifest_invalid: 'tenon lint shows each problem at its line',
}

/** A sentence for the end of an error; null: it is no code of ours. */
export function wayOut(code: string): string | null {
  if (!Object.hasOwn(REMEDIES, code)) return null
  // It has every code.
  const known = code as ErrorCode
  return WAYS[known] ?? REMEDIES[known]
}
