// The Transport port over an OAuth provider in the same process, for tests that own the clock.
import { ConnectorError } from '../../../src/errors.ts'
import type { Transport } from '../../../src/engine/exchange/transport.ts'
import type { UpstreamRequest } from '../../../src/engine/request/upstream-request.ts'
import type { OAuthProvider } from '../../faults/oauth-provider.ts'
import { bytesIn } from '../../fixtures/sent-bytes.ts'

export interface ProviderTransport extends Transport {
  /** Every request that was sent. */
  readonly sent: readonly UpstreamRequest[]
  /** While true no connection can be made. */
  away: boolean
}

export function createProviderTransport(provider: OAuthProvider): ProviderTransport {
  const sent: UpstreamRequest[] = []
  const transport: ProviderTransport = {
    sent,
    away: false,
    async send(request) {
      if (transport.away) throw broken('connect', false)
      sent.push(request)
      const { method, url, headers } = request
      const answer = await provider.answer({
        method,
        url,
        headers,
        body: bytesIn(request.body ?? '').toString(),
      })
      if (answer === null) throw broken('head', true)
      return { status: answer.status, headers: answer.headers, url, body: Buffer.from(answer.body) }
    },
    stream: () => Promise.reject(new Error('nothing is streamed here')),
    close: () => Promise.resolve(),
  }
  return transport
}

function broken(phase: string, sent: boolean): ConnectorError {
  return new ConnectorError('upstream_unreachable', 'the provider broke the connection', {
    details: { phase, sent },
  })
}
