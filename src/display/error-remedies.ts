// What somebody does about an error, in a sentence for each code: what the pages say to whom a code leads there.
import type { ErrorCode } from '../errors.ts'

export const REMEDIES: Readonly<Record<ErrorCode, string>> = {
  request_malformed: 'Correct the request as its detail says, and send it again.',
  operation_unknown:
    'Take an entity and an action that the connector has; the explorer lists them.',
  params_invalid:
    'Correct the parameters that `errors` names; each says what it is and what would be accepted.',
  credentials_invalid: 'Enter all the credentials that the connector asks for, in their form.',
  config_invalid: 'Correct the settings of the account that `errors` names.',
  connector_unknown: 'Take a connector type that the service has; Manifests lists them.',
  cursor_invalid:
    'Begin at the first page, without a cursor; keep the other parameters as they were for its pages.',
  upload_interrupted: 'Send the file again from its beginning.',
  redirect_url_refused: 'Enter this address among the redirect addresses of the application.',
  destination_refused:
    'The address belongs to a network that requests may not reach. Correct it, or have the operator allow it.',
  token_invalid: 'Mint a new token: this one has expired, was revoked, or belongs to other keys.',
  webhook_unverified:
    'Compare the secret of the webhook with the one at the third party; nothing was taken from it.',
  webhook_expired: 'Correct the clock of the sender; it sends the webhook again.',
  client_invalid:
    'Take the id and the secret of an application that exists; give it a new secret where that one is lost.',
  address_denied:
    'Call from an address that the application allows, or have an administrator add yours: Settings, Applications.',
  scope_denied: 'Take a token that may do this, or have an administrator give the right.',
  instance_unknown:
    'Take the id of an account that exists and belongs to your organisation; it may have been deleted, or belong to another one.',
  route_unknown: 'Correct the path; the API reference lists all of them.',
  oauth_secret_unknown: 'Begin the consent again: its secret has expired or never existed.',
  event_unknown: 'Take the id of an event that is kept; old ones are removed.',
  webhook_unknown: 'Take the id of a webhook that exists.',
  manifest_unknown: 'Take a version that was published; Manifests lists them.',
  log_entry_unknown: 'Nothing can be done: entries are removed when they are old enough.',
  method_not_allowed: 'Take a method that the path has; the header `Allow` names them.',
  request_timeout: 'Send the request again, all of it without a pause.',
  oauth_secret_used: 'Begin the consent again; a secret is good for one account.',
  oauth_not_configured:
    'Store an OAuth client for the connector: Settings, Connectors, which has a guide for the third party.',
  instance_disabled:
    'Switch the account on again (`PATCH` it with `"enabled": true`), if it is to be used.',
  search_not_ready: 'Wait for the first synchronization; Sync shows how far it is.',
  idempotency_in_flight: 'Wait, and send the same request again: it gets the answer of the first.',
  precondition_failed: 'Read it again, and repeat the change on what it is now.',
  body_too_large: 'Send less at once; the detail says how much is taken.',
  media_type_unsupported: 'Send a content type that the route takes; the detail names them.',
  idempotency_key_reused: 'Take a new key for a new request.',
  manifest_refused: 'Correct what `errors` names, and publish again; what is served is unchanged.',
  rate_limited:
    'Wait as long as `Retry-After` says. Have the operator raise the rate if it is too low.',
  upstream_rejected:
    'Correct the request by what the third party said; its words are in the log entry.',
  upstream_not_found:
    'Look whether the record still exists at the third party, and whether this account may see it.',
  download_unavailable: 'The record has no file now; look at its state at the third party.',
  upstream_conflict: 'Read the record again; somebody else has changed it, or it exists already.',
  upstream_payload_too_large: 'Send less, or a smaller file: this is the limit of the third party.',
  range_not_satisfiable: 'Ask for a range inside the file, or for all of it.',
  upstream_unprocessable:
    'Correct the values by what the third party said; its words are in the log entry.',
  credentials_refused:
    'Have the owner of the account enter credentials that are good: Re-authenticate, or a connect link.',
  upstream_forbidden:
    'Have the owner of the account give the permission at the third party; the account page shows missing scopes.',
  reauthorization_required:
    'Send the owner of the account a connect link, or `PATCH` the account with new credentials; it and its copies stay as they are.',
  refresh_unknown:
    'Wait for the next attempt. If the account stays like this, its owner connects it again.',
  upstream_rate_limited: 'Wait; synchronizations go on when the third party allows it.',
  refresh_failed:
    'Wait: refreshing is tried again. If it lasts, look at the status page of the third party.',
  upstream_unreachable:
    'Look whether the third party is up, and whether the service may reach it (DNS, proxy, firewall). Reads are tried again.',
  upstream_failed:
    'Look at the status page of the third party; synchronizations are tried again. If it lasts, give its support the request id from the log entry.',
  upstream_unexpected:
    'Compare the answer in the log entry with the documents of the third party: it may have changed, and the manifest must follow.',
  upstream_malformed:
    'Look whether a proxy or a sign-in page answers in the place of the third party; else report it to the maintainer of the connector.',
  upstream_response_too_large: 'Ask for fewer records at once, or for a narrower time.',
  download_empty: 'Try again later: the third party may not have finished the file.',
  download_link_refused: 'Download again: links of the third party live for a short time.',
  upload_session_refused: 'Send the file again from its beginning.',
  upstream_suspended:
    'Nothing has to be done: a third party that failed several times is left alone for a while, and then tried again. The failure before says why.',
  connector_version_unavailable:
    'Have the operator load the version of the connector that the account was made with.',
  overloaded:
    'Wait as long as `Retry-After` says. The operator adds processes if it happens often.',
  shutting_down: 'Send the request again: another process takes it.',
  store_unavailable: 'The operator looks at the database; `tenon doctor` says what is wrong.',
  search_timeout:
    'Narrow the search, by a condition on an indexed field, or ask for fewer records at once. The operator looks at the load of the service and its database where narrow searches take too long as well.',
  upstream_timeout:
    'Try again; ask for less at once. For a write, look at the third party first: it may have been applied.',
  deadline_exceeded: 'Give the request more time, or send fewer at once; nothing was sent.',
  body_already_read:
    'Mount the service in front of what parses bodies; the guide of host apps shows it.',
  internal_error: 'Give the operator the request id: the log of the service says what happened.',
  search_needs_hosted_mode: 'Search through a service; the direct client has no copy.',
  credentials_not_saved:
    'Look at what keeps your callback from saving; the new credentials are on `error.credentials`, and the next call tries to save them first.',
  download_interrupted: 'Download again, from where it broke off if the file has ranges.',
  aborted: 'Nothing has to be done: the caller did not wait.',
  service_unreachable: 'Look whether the service runs, and at the address that it is asked at.',
  service_malformed: 'Look whether a proxy answers in the place of the service.',
  error_unknown: 'Update the client: the service is newer.',
  manifest_invalid: 'Correct the manifest; `tenon lint` shows each problem with its line.',
  webhook_refused:
    'Compare the secret of the endpoint with yours, and give the verifier the body as it came.',
}
