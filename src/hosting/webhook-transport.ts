// How events leave: through a guard and pools of their own, apart from the calls of connectors.
import { createOutgoingGuard } from '../engine/adapters/outgoing-guard.ts'
import { createUndiciTransport } from '../engine/adapters/undici-transport.ts'
import { ConnectorError } from '../errors.ts'
import type { Transport } from '../engine/exchange/transport.ts'
import type { ServiceSettings } from '../service/settings.ts'
import { proxyOf } from './egress-proxy.ts'
import { socketsOf, withinSockets } from './descriptors.ts'

export interface WebhookTransport {
  readonly transport: Transport
  /** Throws `destination_refused`. What names resolve to is judged again by every attempt. */
  readonly admit: (url: URL) => void
}

/** Receivers of a host app in development. */
const LOOPBACK = ['localhost', '127.0.0.1', '::1']

const SETTING = 'TENON_WEBHOOK_ALLOW_HOSTS'

/**
 * Public https addresses, and the hosts that are allowed for webhooks; those allowed for connectors are not, because
 * the user who makes a webhook is not the operator of the service. Throws `config_invalid` for an entry that is no host.
 */
export function openWebhookTransport(settings: ServiceSettings): WebhookTransport {
  const { webhookAllowHosts, mode } = settings
  const { webhooks } = socketsOf(settings)
  const allowHosts = [...webhookAllowHosts, ...(mode === 'production' ? [] : LOOPBACK)]
  try {
    const guard = createOutgoingGuard({ allowHosts, allowedBy: SETTING })
    const transport = createUndiciTransport({
      allowHosts,
      allowedBy: SETTING,
      proxy: proxyOf(settings),
      // Nobody reads the answers. Many receivers may share one host, where a slow one must not take all connections.
      limits: {
        ...withinSockets(webhooks, { connections: 128, streams: 1 }),
        queue: 128,
        idleMs: 5_000,
        bodyBytes: 64 * 1024,
      },
    })
    return { transport, admit: (url) => void guard(url) }
  } catch (error) {
    throw hostsInvalid(SETTING, error)
  }
}

/** `config_invalid` for an entry that is no host; other errors stay as they are. */
export function hostsInvalid(setting: string, error: unknown): unknown {
  if (!(error instanceof TypeError)) return error
  const message = `${setting}: ${error.message.replace(/^allowHosts: /, '')}`
  return new ConnectorError('config_invalid', message, { cause: error })
}
