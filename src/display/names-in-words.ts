// What people call the members and the facts of a log entry.

const WORDS: Readonly<Record<string, string>> = {
  at: 'time',
  began_ms: 'began (ms)',
  changed: 'new or changed',
  client_id: 'asked by',
  connector_id: 'account',
  connector_type: 'connector',
  external_user_id: 'user',
  failures: 'failures in a row',
  first_code: 'first error',
  took_ms: 'took (ms)',
  steps_left_out: 'requests not shown',
  upstream_request_id: 'request id there',
  upstream_requests: 'requests to the third party',
  upstream_status: 'third party answered',
  waited_ms: 'waited for its turn (ms)',
}

/** In small letters; a name without words of its own is read as it is spelled. */
export function nameInWords(name: string): string {
  return WORDS[name] ?? name.replaceAll('_', ' ')
}

export function inWords<T>(named: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(named).map(([name, each]) => [nameInWords(name), each]))
}
