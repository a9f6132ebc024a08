// What a host app says when it connects.
import type { OnCredentials } from '../engine/credentials/direct-home.ts'
import type { WithRefreshLock } from '../engine/credentials/refresh-lock.ts'
import type { ConnectorError } from '../errors.ts'
import type { Clock } from '../engine/exchange/clock.ts'
import type { GivenDispatcher } from '../engine/exchange/given-dispatcher.ts'
import type { ProxyOptions } from '../engine/exchange/proxy-options.ts'
import type { Transport } from '../engine/exchange/transport.ts'
import type { RequestPreview } from '../engine/request/curl.ts'
import type { Operation } from '../engine/plan/plan.ts'
import type { AnySettings, Settings, WithConfig } from './connectors.ts'
import type { Tracer } from '../engine/run/trace.ts'
import type { OptionNames } from './known-options.ts'

/** What the third party allows an account. */
export interface AccountLimits {
  /** Requests in a period, of which all hold. */
  readonly rates: readonly { readonly count: number; readonly periodMs: number }[]
  /** Requests at the same time; null: any number. */
  readonly concurrency: number | null
  /** Whether a service counts them for one account or for all of the connector; a client counts its own calls. */
  readonly per: 'instance' | 'connector'
}

/** Anything with these four methods, for example pino, or the `consoleLogger()` of this package. Secrets never reach it. */
export interface Logger {
  debug(object: object, message: string): void
  info(object: object, message: string): void
  warn(object: object, message: string): void
  error(object: object, message: string): void
}

/** What a hook is told. Frozen, secrets masked. */
export interface HookEvent {
  readonly operation: Pick<Operation, 'entity' | 'action'>
  readonly requestId: string | null
  /** From 1 for each request of the operation, counted on with each repetition, whatever its reason; 0 for `onError`. */
  readonly attempt: number
  readonly request?: RequestPreview
  readonly status?: number
  readonly tookMs?: number
  readonly waitMs?: number
  readonly error?: ConnectorError
}

/** Hooks observe: they return nothing, cannot change a call, and what they throw goes to the logger. */
export interface Hooks {
  readonly onRequest?: (event: HookEvent) => void
  readonly onResponse?: (event: HookEvent) => void
  readonly onRetry?: (event: HookEvent) => void
  readonly onError?: (event: HookEvent) => void
}

/** Their names, for `requireKnown`. */
export const HOOKS: OptionNames<Hooks> = {
  onRequest: true,
  onResponse: true,
  onRetry: true,
  onError: true,
}

/** Credentials, settings and behaviour of a client in direct mode. */
export interface DirectOptions<S extends Settings = AnySettings> {
  /**
   * The credential fields of one authentication method, or a function that gives them: called at the first use and again
   * before each refresh, so that a rotation by another process is seen.
   */
  readonly credentials: S['credentials'] | (() => S['credentials'] | Promise<S['credentials']>)
  /** Names the authentication method where the credentials fit several. */
  readonly authMethod?: string
  /** Awaited with the new credentials before a new access token is used; when it rejects, calls fail and nothing is lost. */
  readonly onCredentials?: OnCredentials
  /** A lock of the host around a refresh, for several processes that share one single-use refresh token. */
  readonly withRefreshLock?: WithRefreshLock
  /** Another origin instead of the third party's: the sandbox, a test server, a proxy. Paths are kept. */
  readonly serverUrl?: string
  /** Hosts, `host:port` or CIDRs that may be reached although private or plain http. */
  readonly allowHosts?: readonly string[]
  /** Instead of the manifest's limits, for accounts whose limits were raised; `null` for none. */
  readonly limits?: AccountLimits | null
  /** Of a call, in milliseconds; default 60,000. */
  readonly timeoutMs?: number
  /** Attempts after the first; default: what the manifest says. */
  readonly retries?: number
  /**
   * An undici dispatcher instead of pools of our own, for recorders. It makes the connections: URLs and IP
   * literals are still judged, the addresses that names resolve to are not.
   */
  readonly dispatcher?: GivenDispatcher
  /**
   * The proxy that https addresses are called through: its address, with user and password where it wants them, or with
   * the hosts that are called without it. The environment is not read: give `process.env.HTTPS_PROXY`.
   */
  readonly proxy?: string | ProxyOptions
  readonly logger?: Logger
  readonly hooks?: Hooks
  /** `trace.getTracer('app')` of `@opentelemetry/api`: one span per operation, one below it per attempt. */
  readonly tracer?: Tracer
  /** For tests: time and chance. */
  readonly clock?: Clock
  /** For tests: the network. The guard and the limits of sizes are the transport's. */
  readonly transport?: Transport
}

/** Their names, for `requireKnown`. */
export const DIRECT_OPTIONS: OptionNames<DirectOptions & { readonly config?: object }> = {
  credentials: true,
  config: true,
  authMethod: true,
  onCredentials: true,
  withRefreshLock: true,
  serverUrl: true,
  allowHosts: true,
  limits: true,
  timeoutMs: true,
  retries: true,
  dispatcher: true,
  proxy: true,
  logger: true,
  hooks: true,
  tracer: true,
  clock: true,
  transport: true,
}

/** What `connect` takes: `config` is required exactly when the manifest requires a member of it. */
export type ConnectOptions<S extends Settings = AnySettings> = DirectOptions<S> & WithConfig<S>
