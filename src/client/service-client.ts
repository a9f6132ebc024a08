// The service as an application sees it: instances, tokens, OAuth, catalogue.
import { createSystemClock } from '../engine/adapters/system-clock.ts'
import type { UndiciTransportOptions } from '../engine/adapters/undici-transport.ts'
import { ConnectorError } from '../errors.ts'
import type { Clock } from '../engine/exchange/clock.ts'
import type { Transport } from '../engine/exchange/transport.ts'
import { SEARCH } from '../language/manifest/actions.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import { toPlainJson } from '../engine/run/plain-json.ts'
import type { WebhookEvent } from './webhooks/event.ts'
import type { ConnectorClient, ConnectorType } from './connectors.ts'
import { connectHosted, serviceTransport } from './hosted.ts'
import { silentLogger } from './observe.ts'
import type { Logger } from './options.ts'
import { createPageCall, type Page, type PageCall } from './page-call.ts'
import type { SearchCall, SearchParams } from './search-call.ts'
import { createSearchCall, searchResultIn } from './search-pages.ts'
import type {
  NewWebhook,
  Redelivered,
  SecretRotation,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookTest,
  WebhookWithSecret,
} from './service-bodies.ts'
import { createServiceHttp, type ServiceCall } from './service-http.ts'

/** An application's client, or a token that somebody else has minted. */
export type ServiceClientOptions = ServiceClientSettings &
  (
    | { readonly clientId: string; readonly clientSecret: string; readonly token?: never }
    | { readonly token: string; readonly clientId?: never; readonly clientSecret?: never }
  )

interface ServiceClientSettings {
  readonly baseUrl: string
  /** Of a call, in milliseconds; default 60,000. */
  readonly timeoutMs?: number
  readonly retries?: number
  readonly dispatcher?: UndiciTransportOptions['dispatcher']
  readonly logger?: Logger
  /** For tests: time and the network. */
  readonly clock?: Clock
  readonly transport?: Transport
}

/** A connector instance as the service shows it. */
export interface ConnectorInstance {
  readonly id: string
  readonly connector_id: string
  readonly external_user_id: string
  readonly connector_type: string
  readonly connector_version: string
  readonly name: string
  readonly state: 'pending' | 'active' | 'refresh_unknown' | 'auth_error' | 'disabled'
  readonly state_reason: {
    readonly code: string
    readonly detail: string
    readonly since: string
    readonly upstream_status: number | null
  } | null
  readonly enabled: boolean
  readonly auth_method: string | null
  readonly granted_scopes: readonly string[] | null
  readonly config: object
  readonly replication_config?: object
  readonly sync: object
  readonly created_at: string
  readonly updated_at: string
  readonly last_checked_at: string | null
  readonly next_refresh_at: string | null
}

/** Members that both forms of creation share. */
interface NewInstanceBase {
  readonly external_user_id: string
  readonly connector_type: string
  readonly name: string
  readonly auth_method?: string
  readonly config?: object
  readonly replication_config?: object
  readonly sync?: object
  readonly server_url?: string
}

/** The body of a creation, in the credentials form or the OAuth-secret form. */
export type NewInstance = NewInstanceBase &
  (
    | { readonly credentials: object; readonly server_side_oauth_secret_id?: never }
    | { readonly server_side_oauth_secret_id: string; readonly credentials?: never }
  )

export interface InstanceChange {
  readonly name?: string
  readonly enabled?: boolean
  readonly config?: object
  readonly replication_config?: object
  readonly sync?: object
  readonly credentials?: object
  /** With credentials that fit several methods. */
  readonly auth_method?: string
  readonly server_side_oauth_secret_id?: string
  /** Moves the instance to another major of its connector: `2`. */
  readonly connector_version?: string
}

export interface NewConnectSession {
  readonly external_user_id: string
  /** Left out: every connector. */
  readonly connector_types?: readonly string[]
  /** Reconnects this instance. */
  readonly instance_id?: string
  /** Exactly one of the application's allow-list. */
  readonly return_url: string
  /** Of the page that embeds it. */
  readonly allowed_origin?: string
}

export interface ScopedTokenRequest {
  readonly external_user_id: string
  readonly connector_types?: readonly string[]
  readonly connector_ids?: readonly string[]
  readonly actions?: readonly string[]
  readonly manage?: boolean
  readonly ttl_seconds?: number
}

export interface ScopedToken {
  readonly token: string
  readonly access_token: string
  readonly token_type: 'bearer'
  readonly expires_in: number
  readonly scope: object
}

export type EventPage = Page<WebhookEvent, { readonly next_cursor: string }>

export interface FollowOptions {
  /** `meta.next_cursor` of an earlier page; left out: from the oldest that is kept. */
  readonly cursor?: string
  /** Of a page. */
  readonly limit?: number
  /** Milliseconds between questions while there is nothing new; default 2000. */
  readonly everyMs?: number
  readonly signal?: AbortSignal
}

export interface ServiceClient extends AsyncDisposable {
  readonly instances: {
    create(
      body: NewInstance,
      options?: { readonly idempotencyKey?: string; readonly check?: boolean },
    ): Promise<ConnectorInstance>
    list(filter?: {
      readonly external_user_id?: string
      readonly connector_type?: string
      readonly state?: ConnectorInstance['state']
      readonly name?: string
      readonly limit?: number
    }): PageCall<ConnectorInstance>
    get(id: string): Promise<ConnectorInstance>
    update(id: string, change: InstanceChange): Promise<ConnectorInstance>
    delete(id: string): Promise<void>
    check(id: string): Promise<{
      readonly result: 'ok' | 'refused' | 'inconclusive'
      readonly state: ConnectorInstance['state']
    }>
  }
  readonly sync: {
    /** `history`: with the last runs of each entity, the newest first. */
    status(
      id: string,
      options?: { readonly history?: boolean },
    ): Promise<{ readonly data: readonly object[] }>
    trigger(
      id: string,
      body?: { readonly entities?: readonly string[]; readonly mode?: 'incremental' | 'full' },
    ): Promise<{ readonly data: readonly object[] }>
  }
  /** Searches the synchronized copy of an instance: docs/search.md. `connect` gives the typed form of it. */
  search(id: string, entity: string, params: SearchParams): SearchCall
  readonly oauth: {
    initiate(body: {
      readonly external_user_id: string
      readonly connector_type: string
      /** Of the instance that is connected anew: `2`. */
      readonly connector_version?: string
      readonly redirect_url: string
      readonly state?: string
      readonly config?: object
    }): Promise<{ readonly consent_url: string; readonly expires_at: string }>
  }
  /** Links for end users to connect their accounts: docs/connect.md. */
  readonly connectSessions: {
    /** What `return_url` and `allowed_origin` may be: the allow-list of the application. */
    returnUrls(): Promise<{
      readonly return_urls: readonly string[]
      readonly allowed_origins: readonly string[]
    }>
    create(body: NewConnectSession): Promise<{
      readonly connect_url: string
      readonly token: string
      readonly expires_at: string
    }>
  }
  readonly tokens: {
    scoped(body: ScopedTokenRequest): Promise<ScopedToken>
    revoke(body: { readonly token: string } | { readonly external_user_id: string }): Promise<void>
  }
  /** What happened to instances and their copies: docs/events.md. */
  readonly events: {
    /** The oldest first; `cursor` is `meta.next_cursor` of an earlier page, also of the last one. */
    list(from?: {
      readonly cursor?: string
      readonly limit?: number
    }): PageCall<WebhookEvent, { readonly next_cursor: string }>
    /**
     * Goes on with what comes, until the signal is aborted: pages with events in them, whose `meta.next_cursor` is the
     * place to go on from once you are done with the page. Throws as `list` does.
     */
    follow(options?: FollowOptions): AsyncIterable<EventPage>
    redeliver(id: string, body?: { readonly webhook_id?: string }): Promise<Redelivered>
  }
  readonly webhooks: {
    /** The only answer with the secret, but for `rotateSecret`. */
    create(body: NewWebhook): Promise<WebhookWithSecret>
    list(): Promise<{ readonly data: readonly Webhook[] }>
    get(id: string): Promise<Webhook>
    update(id: string, change: WebhookChange): Promise<Webhook>
    delete(id: string): Promise<void>
    rotateSecret(id: string, body?: SecretRotation): Promise<WebhookWithSecret>
    /** Sends `webhook.test` at once. */
    test(id: string): Promise<WebhookTest>
    /** One per event, the newest first. */
    deliveries(id: string, filter?: { readonly limit?: number }): PageCall<WebhookDelivery>
  }
  readonly catalogue: {
    list(): Promise<{ readonly data: readonly object[] }>
    get(type: string): Promise<object>
  }
  limits(): Promise<object>
  /** A typed client for an instance; scoped tokens are minted for it by itself. */
  connect<K extends ConnectorType>(
    type: K,
    options: { readonly connectorId: string; readonly externalUserId: string },
  ): Promise<ConnectorClient<K>>
  close(): Promise<void>
}

const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_RETRIES = 2
const FOLLOW_EVERY_MS = 2_000
/** A token is renewed when a tenth of its life is left. */
const USED_SHARE = 0.9

/**
 * Talks to a service for one application. Application tokens are renewed by itself, a token that was given is used until
 * it ends; nothing is sent before the first call.
 */
export function serviceClient(options: ServiceClientOptions): ServiceClient {
  const clock = options.clock ?? createSystemClock()
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const transport = options.transport ?? serviceTransport(baseUrl, options.dispatcher)
  const timing = {
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    retries: options.retries ?? DEFAULT_RETRIES,
  }
  const ports = { baseUrl, transport, clock, logger: options.logger ?? silentLogger }
  const anonymous = createServiceHttp({ ...ports, token: () => 'none' })
  let minted: { readonly token: string; readonly until: number } | null = null
  let minting: Promise<string> | null = null

  async function mint(): Promise<string> {
    const answer = await anonymous.json({
      method: 'POST',
      path: '/api/v1/account/applications/token',
      body: { client_id: options.clientId, client_secret: options.clientSecret },
      ...timing,
      lost: 'not_applied',
    })
    const { access_token: token, expires_in: seconds } = isJsonObject(answer) ? answer : {}
    if (typeof token !== 'string' || typeof seconds !== 'number')
      throw new ConnectorError('service_malformed', 'the service minted no token')
    minted = { token, until: clock.monotonic() + seconds * 1000 * USED_SHARE }
    return token
  }

  const http = createServiceHttp({
    ...ports,
    token: (isRefused) => {
      if (options.token !== undefined) return options.token
      if (!isRefused && minted !== null && clock.monotonic() < minted.until) return minted.token
      // Many calls at once mint one token.
      minting ??= mint().finally(() => {
        minting = null
      })
      return minting
    },
  })

  async function send<T>(
    call: Pick<ServiceCall, 'method' | 'path'> & Partial<ServiceCall>,
  ): Promise<T> {
    // Bodies are the service's; their types are what it promises.
    return (await http.json({ ...timing, ...call })) as T
  }

  /** A listing of the service, page by page by its cursors. Its type is what the service promises. */
  function listing(path: string, filter: object): PageCall<never, never> {
    return createPageCall({
      params: () => toPlainJson(filter, '/query'),
      fetch: async (params) => {
        const query = new URLSearchParams(
          Object.entries(params).map(([name, value]): [string, string] => [
            name,
            String(value as string | number),
          ]),
        ).toString()
        const { data, meta } = await send<{
          readonly data: readonly Json[]
          readonly meta: JsonObject
        }>({ method: 'GET', path: `${path}${query === '' ? '' : `?${query}`}` })
        // Events tell a place to go on from behind the last one as well.
        const cursor = meta['has_more'] === false ? null : (meta['next_cursor'] ?? null)
        return {
          data,
          meta: { ...meta, next: cursor === null ? null : { cursor } },
          records: data,
          nextParams: cursor === null ? null : { ...params, cursor },
          mark: () => (typeof cursor === 'string' ? cursor : null),
        }
      },
    }) as unknown as PageCall<never, never>
  }

  const COLLECTION = '/v1/integrations/connectors'
  const one = (id: string): string => `${COLLECTION}/${encodeURIComponent(id)}`
  const WEBHOOKS = '/v1/webhooks'
  const webhook = (id: string): string => `${WEBHOOKS}/${encodeURIComponent(id)}`

  const events: ServiceClient['events'] = {
    list: (from = {}) => listing('/v1/events', from),
    async *follow({ everyMs = FOLLOW_EVERY_MS, signal, cursor, limit }: FollowOptions = {}) {
      let place = cursor
      while (!isAborted(signal)) {
        const pages = events.list({
          ...(place === undefined ? {} : { cursor: place }),
          ...(limit === undefined ? {} : { limit }),
        })
        for await (const page of pages.pages()) {
          place = page.meta.next_cursor
          if (page.records.length > 0) yield page
          if (isAborted(signal)) return
        }
        await clock.sleep(everyMs, signal).catch(() => {})
      }
    },
    redeliver: (id, body = {}) =>
      send({ method: 'POST', path: `/v1/events/${encodeURIComponent(id)}/redeliver`, body }),
  }

  return {
    instances: {
      create: (body, { idempotencyKey = crypto.randomUUID(), check = true } = {}) =>
        send({
          method: 'POST',
          path: `${COLLECTION}${check ? '' : '?check=false'}`,
          body,
          idempotencyKey,
          lost: 'uncertain',
        }),
      list: (filter = {}) => listing(COLLECTION, filter),
      get: (id) => send({ method: 'GET', path: one(id) }),
      update: (id, body) => send({ method: 'PATCH', path: one(id), body, lost: 'uncertain' }),
      delete: async (id) =>
        void (await send({ method: 'DELETE', path: one(id), lost: 'uncertain' })),
      check: (id) => send({ method: 'POST', path: `${one(id)}/check`, prefersWait: true }),
    },
    sync: {
      status: (id, { history = false } = {}) =>
        send({ method: 'GET', path: `${one(id)}/sync${history ? '?history=true' : ''}` }),
      trigger: (id, body = {}) => send({ method: 'POST', path: `${one(id)}/sync`, body }),
    },
    search: (id, entity, params) =>
      createSearchCall(
        () => toPlainJson(params, '/params'),
        async (page) =>
          searchResultIn(
            await send<Json>({
              method: 'POST',
              path: `/api/v1/connectors/sources/${encodeURIComponent(id)}/execute`,
              body: { entity, action: SEARCH, params: page },
              prefersWait: true,
            }),
          ),
      ),
    oauth: {
      initiate: (body) => send({ method: 'POST', path: `${COLLECTION}/oauth/initiate`, body }),
    },
    connectSessions: {
      returnUrls: () => send({ method: 'GET', path: '/v1/connect/return-urls' }),
      create: (body) => send({ method: 'POST', path: '/v1/connect/sessions', body }),
    },
    tokens: {
      scoped: (body) =>
        send({ method: 'POST', path: '/api/v1/account/applications/scoped-token', body }),
      revoke: async (body) =>
        void (await send({ method: 'POST', path: '/api/v1/account/applications/revoke', body })),
    },
    events,
    webhooks: {
      create: (body) => send({ method: 'POST', path: WEBHOOKS, body, lost: 'uncertain' }),
      list: () => send({ method: 'GET', path: WEBHOOKS }),
      get: (id) => send({ method: 'GET', path: webhook(id) }),
      update: (id, body) => send({ method: 'PATCH', path: webhook(id), body, lost: 'uncertain' }),
      delete: async (id) =>
        void (await send({ method: 'DELETE', path: webhook(id), lost: 'uncertain' })),
      rotateSecret: (id, body = {}) =>
        send({ method: 'POST', path: `${webhook(id)}/rotate-secret`, body, lost: 'uncertain' }),
      test: (id) => send({ method: 'POST', path: `${webhook(id)}/test` }),
      deliveries: (id, filter = {}) => listing(`${webhook(id)}/deliveries`, filter),
    },
    catalogue: {
      list: () => send({ method: 'GET', path: '/v1/connectors' }),
      get: (type) => send({ method: 'GET', path: `/v1/connectors/${encodeURIComponent(type)}` }),
    },
    limits: () => send({ method: 'GET', path: '/v1/limits' }),
    connect: (type, { connectorId, externalUserId }) =>
      connectHosted(type, {
        baseUrl,
        connectorId,
        ...timing,
        ...(options.dispatcher === undefined ? {} : { dispatcher: options.dispatcher }),
        ...(options.logger === undefined ? {} : { logger: options.logger }),
        ...(options.transport === undefined ? {} : { transport: options.transport }),
        clock,
        getToken: async () => {
          const { token } = await send<ScopedToken>({
            method: 'POST',
            path: '/api/v1/account/applications/scoped-token',
            body: { external_user_id: externalUserId, connector_ids: [connectorId], manage: false },
          })
          return token
        },
      }),
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport.close(),
  }
}

/** Read anew: whoever got a page may have ended it meanwhile. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true
}
