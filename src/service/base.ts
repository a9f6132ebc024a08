// What the parts of the service share, under the names by which they ask for it; each picks what it needs.
import type { Reachability } from '../engine/exchange/breaker.ts'
import type { Clock } from '../engine/exchange/clock.ts'
import type { Transport } from '../engine/exchange/transport.ts'
import type { Catalogue } from './catalogue.ts'
import type { ConnectorIcons } from './connector-icons.ts'
import type { Streams } from './downloads.ts'
import type { Gate } from './gate.ts'
import type { Rows } from './instances/rows.ts'
import type { ServiceLog } from './log.ts'
import type { Logs } from './logs/logs.ts'
import type { OAuthClients } from './oauth/oauth-clients.ts'
import type { OperatorClients } from './oauth/operator-clients.ts'
import type { Records } from './records.ts'
import type { Store } from './store/store.ts'
import type { Tracing } from './tracing.ts'
import type { Turns } from './turns.ts'
import type { Vault } from './vault/vault.ts'

export interface ServiceBase {
  readonly processId: string
  readonly clock: Clock
  readonly log: ServiceLog
  /** What happened, for people who look. */
  readonly logs: Logs
  readonly store: Store
  readonly vault: Vault
  readonly catalogue: Catalogue
  /** The operator's pictures of connectors. */
  readonly icons: ConnectorIcons
  readonly rows: Rows
  readonly records: Records
  readonly gate: Gate
  /** For work that takes longer than others should wait. */
  readonly turns: Turns
  readonly streams: Streams
  readonly transport: Transport
  /** What all instances together know of the origins that they call. */
  readonly reachability: Reachability
  /** Whether the rates of the manifests hold. */
  readonly upstreamRates: boolean
  /** null: nobody traces. */
  readonly tracing: Tracing | null
  /** The origin, and in a host app the path, of links to this service. */
  readonly publicUrl: () => string
  /** OAuth clients by connector type: the operator's, and those of organisations. */
  readonly oauthClients: OAuthClients
  readonly operatorClients: OperatorClients
  /** Where a type is served instead of at its vendor; null: nowhere. */
  readonly serverUrlOf: (type: string) => string | null
  /** The redirect allow-list of callers that no application stands behind. */
  readonly redirectUrls: readonly string[]
  /** Whether http to loopback may be on an allow-list. */
  readonly allowLoopback: boolean
}
