// Requests and transports as the tests of this folder need them.
import { createUndiciTransport } from '../../../src/engine/adapters/undici-transport.ts'
import type { UndiciTransportOptions } from '../../../src/engine/adapters/undici-transport.ts'
import type { Transport } from '../../../src/engine/exchange/transport.ts'
import type { UpstreamRequest } from '../../../src/engine/request/upstream-request.ts'

/** A GET without anything, changed as given. */
export function requestOf(url: string, changes: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return {
    method: 'GET',
    url,
    headers: {},
    body: null,
    redirects: 0,
    timeoutMs: 60_000,
    secretHeaders: [],
    secretQuery: [],
    ...changes,
  }
}

/** A transport that may call loopback, closed at the end of the scope. */
export function openTransport(options: UndiciTransportOptions = {}): Transport & AsyncDisposable {
  const transport = createUndiciTransport({ allowHosts: ['127.0.0.1', 'localhost'], ...options })
  return Object.assign(transport, { [Symbol.asyncDispose]: () => transport.close() })
}

/** The error a promise rejects with; fails when it resolves. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}
