// The service as an application sees it: instances, tokens, OAuth, catalogue. What it runs on is a platform.
import { ConnectorError, isConnectorError } from '../errors.ts'
import type { Clock } from '../engine/exchange/clock.ts'
import { SEARCH } from '../language/manifest/actions.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import { toPlainJson } from '../engine/run/params-to-json.ts'
import type { WebhookEvent } from './webhooks/event.ts'
import { disposable } from './client.ts'
import type { ClientOf, ConnectorType } from './connectors.ts'
import {
  type CommonSettings,
  DEFAULT_RETRIES,
  DEFAULT_TIMEOUT_MS,
  type InstanceOptions,
  servicePorts,
} from './hosted-calls.ts'
import { Download } from './download.ts'
import type { OptionNames } from './known-options.ts'
import { createPageCall, type Page, type PageCall } from './page-call.ts'
import type { SearchCall, SearchParams } from './search-call.ts'
import { createSearchCall } from './search-pages.ts'
import type {
  AuditEvent,
  ChangesAnswer,
  ConnectorInstance,
  ConnectSession,
  ErasedUser,
  InstanceAccess,
  InstanceChange,
  InstanceCheck,
  InstancePage,
  LogDetail,
  LogEntry,
  LogFigures,
  LogPage,
  ManifestVersion,
  ManifestVersionText,
  NewConnectSession,
  NewInstanceBody,
  NewWebhook,
  OAuthConsent,
  OAuthStart,
  PublishedResult,
  StoredOAuthClient,
  RecordChange,
  Redelivered,
  ReturnUrls,
  ScopedToken,
  ScopedTokenRequest,
  SecretRotation,
  StartedSync,
  SyncConfirmation,
  SyncStart,
  SyncStatus,
  SyncUndone,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookTest,
  WebhookWithSecret,
} from './service-bodies.ts'
import { type ServiceCall, ServiceHttp } from './service-http.ts'
import type { ServicePlatform } from './service-platform.ts'

/** The client of an application. */
export interface WithApplication {
  readonly clientId: string
  readonly clientSecret: string
  readonly token?: undefined
}

/** A token that was minted elsewhere. */
export interface WithMintedToken {
  readonly token: string
  readonly clientId?: undefined
  readonly clientSecret?: undefined
}

/** What the client of an application is made with, with the settings of its platform. */
export type ApplicationOptions<S extends CommonSettings> =
  (S & WithApplication) | (S & WithMintedToken)

/** The names of what comes to the settings. */
export const APPLICATION_OPTIONS: OptionNames<WithApplication | WithMintedToken> = {
  clientId: true,
  clientSecret: true,
  token: true,
}

type OneForm = 'credentials' | 'server_side_oauth_secret_id'

/** The body of a creation, in the credentials form or the OAuth-secret form. */
export type NewInstance = Omit<NewInstanceBody, OneForm> &
  (
    | { readonly credentials: object; readonly server_side_oauth_secret_id?: never }
    | { readonly server_side_oauth_secret_id: string; readonly credentials?: never }
  )

type PlaceMeta = { readonly next_cursor: string }
export type EventPage = Page<WebhookEvent, PlaceMeta>

/** `replica`: how fresh the copy is. */
type ChangesMeta = ChangesAnswer['meta'] & Pick<ChangesAnswer, 'replica'>
export type ChangesPage = Page<RecordChange, ChangesMeta>

/** `since`: `meta.next_cursor` of an earlier page; left out: from the beginning, with every record. */
export interface ChangesFrom {
  readonly since?: string | undefined
  readonly limit?: number
}

/** `run_id`: of one run, instead of `since`: what it has changed. */
export type ListedChanges = ChangesFrom & { readonly run_id?: string }

/** What entries of the logs are looked for by: docs/logs.md. */
export interface LogFilter {
  /** Words that all stand in the texts of an entry. */
  readonly text?: string
  readonly kind?: LogEntry['kind']
  readonly connector_id?: string
  readonly external_user_id?: string
  readonly connector_type?: string
  readonly entity?: string
  readonly action?: string
  readonly status?: 'ok' | 'failed'
  readonly code?: string
  readonly upstream_status?: number
  readonly request_id?: string
  /** RFC 3339, as the next one. */
  readonly from?: string
  readonly to?: string
  readonly min_ms?: number
}

type LogsMeta = Pick<LogPage['meta'], 'tail_cursor' | 'searched_to' | 'kept'>
export type LogsPage = Page<LogEntry, LogsMeta & PlaceMeta>

export interface PublishOptions {
  /** Do it although running instances lose what callers rely on. */
  readonly acceptBreaking?: boolean
  /** Say what would become of it, and change nothing. */
  readonly dryRun?: boolean
}

/** What is left out may be anything; `action`: one, or its first word; `from` and `to`: RFC 3339. */
export interface AuditFilter {
  readonly actor?: string
  readonly action?: string
  readonly outcome?: string
  /** What ended with `done`, or all else. */
  readonly status?: 'done' | 'failed'
  readonly connector_id?: string
  readonly external_user_id?: string
  readonly from?: string
  readonly to?: string
  readonly limit?: number
}

export interface AuditMeta {
  /** Older events are removed. */
  readonly kept_days: number
  /** Why events are missing. */
  readonly incomplete?: string
}

export interface FollowOptions {
  /** `meta.next_cursor` of an earlier page; left out: from the oldest that is kept. */
  readonly cursor?: string
  readonly limit?: number
  /** Milliseconds between questions while there is nothing new; default 2000. */
  readonly everyMs?: number
  readonly signal?: AbortSignal
}

const FOLLOW_EVERY_MS = 2_000
/** A token is renewed when a tenth of its life is left. */
const USED_SHARE = 0.9

const COLLECTION = '/v1/integrations/connectors'
const WEBHOOKS = '/v1/webhooks'
const ACCOUNT = '/api/v1/account/applications'

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
      /** What the name, the user or the id begins with. */
      readonly starts_with?: string
      /** Words that the name, the user, the id or the connector has, among the instances that changed last. */
      readonly contains?: string
      /** Of which a copy fails; `attention`: also those that need re-authentication. */
      readonly sync?: 'failing' | 'attention' | 'late'
      /** `-`: the greatest first. Absent: `created_at`. */
      readonly sort?: `${'' | '-'}${'created_at' | 'name' | 'updated_at'}`
      readonly limit?: number
      /** `meta.total` of a page has how many there are on all. */
      readonly counts?: boolean
    }): PageCall<ConnectorInstance, Pick<InstancePage['meta'], 'incomplete' | 'total'>>
    get(id: string): Promise<ConnectorInstance>
    update(id: string, change: InstanceChange): Promise<ConnectorInstance>
    delete(id: string): Promise<void>
    check(id: string): Promise<InstanceCheck>
    /** When its token ends, and which scopes it has and lacks. */
    access(id: string): Promise<InstanceAccess>
  }
  readonly sync: {
    /** `history`: with the last runs of each entity, the newest first. */
    status(
      id: string,
      options?: { readonly history?: boolean },
    ): Promise<{ readonly data: readonly SyncStatus[] }>
    trigger(id: string, body?: SyncStart): Promise<{ readonly data: readonly StartedSync[] }>
    /** Says that what a suspicious listing lacks is gone: the next complete listing removes what it lacks as well. */
    confirm(id: string, entity: string): Promise<SyncConfirmation>
    /** Brings back what a run removed, within 7 days. */
    undo(id: string, runId: string): Promise<SyncUndone>
  }
  /** Searches the synchronized copy of an instance: docs/search.md. `connect` gives the typed form of it. */
  search(id: string, entity: string, params: SearchParams): SearchCall
  /** What has changed in the synchronized copy of an entity, for a copy of your own: docs/changes.md. */
  readonly changes: {
    /** The oldest first; to be read on from `meta.next_cursor` of the last page, in a moment or in days. */
    list(id: string, entity: string, from?: ListedChanges): PageCall<RecordChange, ChangesMeta>
    /**
     * Goes on with what comes, until the signal is aborted: pages with changes in them, or with `reset`. Store
     * `meta.next_cursor` with what a page has changed. Waits while the copy is not ready and, once it was answered, while
     * the service is away; throws as `list` does.
     */
    follow(
      id: string,
      entity: string,
      options?: ChangesFrom & Pick<FollowOptions, 'everyMs' | 'signal'>,
    ): AsyncIterable<ChangesPage>
  }
  readonly oauth: {
    initiate(body: OAuthStart): Promise<OAuthConsent>
  }
  /** Links for end users to connect their accounts: docs/connect.md. */
  readonly connectSessions: {
    /** What `return_url` and `allowed_origin` may be: the allow-list of the application. */
    returnUrls(): Promise<ReturnUrls>
    create(body: NewConnectSession): Promise<ConnectSession>
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
    }): PageCall<WebhookEvent, PlaceMeta>
    /**
     * Goes on with what comes, until the signal is aborted: pages with events in them, whose `meta.next_cursor` is the
     * place to go on from once you are done with the page. Waits, once it was answered, while the service is away; throws
     * as `list` does.
     */
    follow(options?: FollowOptions): AsyncIterable<EventPage>
    redeliver(id: string, body?: { readonly webhook_id?: string }): Promise<Redelivered>
  }
  /** What happened, for people who look: docs/logs.md. */
  readonly logs: {
    /** The newest first. */
    list(filter?: LogFilter & { readonly limit?: number }): PageCall<LogEntry, LogsMeta>
    get(id: string): Promise<LogDetail>
    /** Figures over time of what the filter finds, by default of a day; `buckets`: how many times at most. */
    summary(filter?: LogFilter & { readonly buckets?: number }): Promise<LogFigures>
    /** What `list` has as a file, the newest 100,000 entries at most; by default lines of JSON. */
    export(filter?: LogFilter & { readonly form?: 'ndjson' | 'csv' }): Promise<Download>
    /**
     * Goes on with what comes, the oldest first, until the signal is aborted. `after`: `meta.tail_cursor` of an earlier
     * page; left out: from now on. Waits, once it was answered, while the service is away; throws as `list` does.
     */
    follow(
      options?: LogFilter & { readonly after?: string } & Pick<FollowOptions, 'everyMs' | 'signal'>,
    ): AsyncIterable<LogsPage>
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
  /** Everything of one end user: docs/operation.md. */
  readonly users: {
    /** Lines of JSON, each with a `type`; without the last one, `end`, something is missing. */
    export(externalUserId: string): Promise<Download>
    /** Accounts, credentials, copies, tokens, links, events. Safe to repeat. */
    erase(externalUserId: string): Promise<ErasedUser>
  }
  /** Who did what, names and never values, the newest first. */
  readonly audit: {
    list(filter?: AuditFilter): PageCall<AuditEvent, AuditMeta>
    /** What `list` has, 50,000 events at most: where more follow, the last line says so, with the `cursor` to go on from. */
    export(
      filter?: Omit<AuditFilter, 'limit'> & {
        readonly form?: 'ndjson' | 'csv'
        readonly cursor?: string
      },
    ): Promise<Download>
  }
  /** Versions of connectors that are published while the service runs: docs/operation.md, "Publishing manifests". */
  readonly manifests: {
    /** Without `dryRun` it serves all organizations at once. */
    publish(
      text: string,
      options?: PublishOptions & { readonly note?: string },
    ): Promise<PublishedResult>
    /** The newest first, without their texts. */
    versions(filter?: { readonly connector_type?: string }): PageCall<ManifestVersion, PlaceMeta>
    get(type: string, version: string): Promise<ManifestVersionText>
    rollBack(type: string, version: string, options?: PublishOptions): Promise<PublishedResult>
    unpublish(type: string, version: string, options?: PublishOptions): Promise<PublishedResult>
  }
  /** OAuth clients that the organization keeps in the store: docs/operation.md, "OAuth clients". */
  readonly oauthClients: {
    list(): Promise<{ readonly data: readonly StoredOAuthClient[] }>
    /** `clientSecret` left out: the one before stays; null: the client is public. */
    put(
      type: string,
      client: { readonly clientId: string; readonly clientSecret?: string | null },
    ): Promise<StoredOAuthClient>
    remove(type: string): Promise<void>
  }
  readonly catalogue: {
    list(): Promise<{ readonly data: readonly object[] }>
    get(type: string): Promise<object>
  }
  limits(): Promise<object>
  /**
   * A typed client for an instance, with connections of its own until it is closed. The scoped tokens that it needs are
   * minted for it; all clients of an instance and user share them.
   */
  connect<K extends ConnectorType>(
    type: K,
    options: { readonly connectorId: string; readonly externalUserId: string },
  ): Promise<ClientOf<K>>
  close(): Promise<void>
}

/** What a client of one instance is made with, next to the settings of the application's client. */
export type ForInstance = Timing & { readonly clock: Clock } & Pick<
    InstanceOptions<CommonSettings>,
    'connectorId'
  > & { readonly getToken: () => Promise<string> }

/** The client of an application. `connectHosted` makes the client of an instance on the same platform. */
export function callsOf(
  options: ApplicationOptions<CommonSettings>,
  platform: ServicePlatform,
  connectHosted: <K extends ConnectorType>(type: K, options: ForInstance) => Promise<ClientOf<K>>,
): ServiceClient {
  const session = new Session(options, platform)
  const close = (): Promise<void> => platform.close()
  return {
    instances: instancesOf(session),
    sync: {
      status: (id, { history = false } = {}) =>
        session.send('GET', `${instance(id)}/sync${history ? '?history=true' : ''}`),
      trigger: (id, body = {}) => session.send('POST', `${instance(id)}/sync`, { body }),
      confirm: (id, entity) =>
        session.send('POST', `${instance(id)}/sync/confirm`, { body: { entity } }),
      undo: (id, runId) =>
        session.send('POST', `${instance(id)}/sync/undo`, { body: { run_id: runId } }),
    },
    search: (id, entity, params) =>
      createSearchCall(params, (pageParams) =>
        session.send('POST', `/api/v1/connectors/sources/${part(id)}/execute`, {
          body: { entity, action: SEARCH, params: pageParams },
          prefersWait: true,
        }),
      ),
    changes: changesOf(session),
    oauth: {
      initiate: (body) => session.send('POST', `${COLLECTION}/oauth/initiate`, { body }),
    },
    connectSessions: {
      returnUrls: () => session.send('GET', '/v1/connect/return-urls'),
      create: (body) => session.send('POST', '/v1/connect/sessions', { body }),
    },
    tokens: {
      scoped: (body) => session.scopedToken(body),
      revoke: (body) => session.sendOnly('POST', `${ACCOUNT}/revoke`, { body }),
    },
    events: eventsOf(session),
    logs: logsOf(session),
    webhooks: webhooksOf(session),
    users: {
      export: (user) => session.download(`/v1/users/export?external_user_id=${part(user)}`),
      erase: (user) => session.send('DELETE', `/v1/users?external_user_id=${part(user)}`, WRITE),
    },
    audit: {
      list: (filter = {}) => session.list('/v1/audit', filter),
      export: (filter = {}) => session.download(`/v1/audit/export${queryOf(filter)}`),
    },
    manifests: manifestsOf(session),
    oauthClients: {
      list: () => session.send('GET', '/v1/oauth-clients'),
      put: (type, { clientId, clientSecret }) =>
        session.send('POST', '/v1/oauth-clients', {
          body: {
            connector_type: type,
            client_id: clientId,
            ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
          },
          ...WRITE,
        }),
      remove: (type) => session.send('DELETE', `/v1/oauth-clients/${part(type)}`, WRITE),
    },
    catalogue: {
      list: () => session.send('GET', '/v1/connectors'),
      get: (type) => session.send('GET', `/v1/connectors/${part(type)}`),
    },
    limits: () => session.send('GET', '/v1/limits'),
    connect: (type, ids) => connectHosted(type, session.forInstance(ids)),
    close,
    ...disposable(close),
  }
}

const part = encodeURIComponent

/** The options of a write that may have been applied when its answer is lost. */
const WRITE = { lost: 'uncertain' } as const

function instance(id: string): string {
  return `${COLLECTION}/${part(id)}`
}

function manifestsOf(session: Session): ServiceClient['manifests'] {
  const at = (type: string, version: string): string =>
    `/v1/manifests/${part(type)}/versions/${part(version)}`
  const choices = ({ acceptBreaking = false, dryRun = false }: PublishOptions) => ({
    accept_breaking: acceptBreaking,
    dry_run: dryRun,
  })
  return {
    publish: (text, { note, ...options } = {}) =>
      session.send('POST', '/v1/manifests', {
        body: { text, ...(note === undefined ? {} : { note }), ...choices(options) },
        ...WRITE,
      }),
    versions: (filter = {}) => session.list('/v1/manifests', filter),
    get: (type, version) => session.send('GET', at(type, version)),
    rollBack: (type, version, options = {}) =>
      session.send('POST', `/v1/manifests/${part(type)}/rollback`, {
        body: { version, ...choices(options) },
        ...WRITE,
      }),
    unpublish: (type, version, options = {}) => {
      const { accept_breaking: accepts, dry_run: isTrial } = choices(options)
      const query = `accept_breaking=${accepts}&dry_run=${isTrial}`
      return session.send('DELETE', `${at(type, version)}?${query}`, WRITE)
    },
  }
}

function instancesOf(session: Session): ServiceClient['instances'] {
  return {
    create: (body, { idempotencyKey = crypto.randomUUID(), check = true } = {}) =>
      session.send('POST', `${COLLECTION}${check ? '' : '?check=false'}`, {
        body,
        idempotencyKey,
        ...WRITE,
      }),
    list: (filter = {}) => session.list(COLLECTION, filter),
    get: (id) => session.send('GET', instance(id)),
    update: (id, body) => session.send('PATCH', instance(id), { body, ...WRITE }),
    delete: (id) => session.sendOnly('DELETE', instance(id), WRITE),
    check: (id) => session.send('POST', `${instance(id)}/check`, { prefersWait: true }),
    access: (id) => session.send('GET', `${instance(id)}/access`),
  }
}

function eventsOf(session: Session): ServiceClient['events'] {
  const events: ServiceClient['events'] = {
    list: (from = {}) => session.list('/v1/events', from),
    follow: ({ cursor: first, limit, ...times } = {}) =>
      followed(session, times, first, (cursor) =>
        events.list({
          ...(cursor === undefined ? {} : { cursor }),
          ...(limit === undefined ? {} : { limit }),
        }),
      ),
    redeliver: (id, body = {}) =>
      session.send('POST', `/v1/events/${part(id)}/redeliver`, { body }),
  }
  return events
}

function logsOf(session: Session): ServiceClient['logs'] {
  const list = (filter: object): PageCall<LogEntry, LogsMeta> => session.list('/v1/logs', filter)
  return {
    list: (filter = {}) => list(filter),
    get: (id) => session.send('GET', `/v1/logs/${part(id)}`),
    summary: (filter = {}) => session.send('GET', `/v1/logs/summary${queryOf(filter)}`),
    export: (filter = {}) => session.download(`/v1/logs/export${queryOf(filter)}`),
    async *follow({ after, everyMs, signal, ...filter } = {}) {
      const first = after ?? (await list({ limit: 1 })).meta.tail_cursor
      const times = { ...(everyMs !== undefined && { everyMs }), ...(signal && { signal }) }
      yield* followed<LogEntry, LogsMeta & PlaceMeta>(session, times, first, (place) =>
        session.list('/v1/logs', { ...filter, after: place }, 'after'),
      )
    },
  }
}

/** `?text=…`, or nothing. */
function queryOf(filter: object): string {
  const texts = Object.entries(filter).map(([name, value]) => [name, String(value)])
  const query = new URLSearchParams(Object.fromEntries(texts)).toString()
  return query === '' ? '' : `?${query}`
}

function changesOf(session: Session): ServiceClient['changes'] {
  const changes: ServiceClient['changes'] = {
    list: (id, entity, { since, limit, run_id } = {}) =>
      session.list(
        `${instance(id)}/changes`,
        {
          entity,
          ...(since === undefined ? {} : { since }),
          ...(run_id === undefined ? {} : { run_id }),
          ...(limit === undefined ? {} : { limit }),
        },
        'since',
      ),
    follow: (id, entity, { since: first, limit, ...times } = {}) =>
      followed(session, times, first, (since) =>
        changes.list(id, entity, { since, ...(limit === undefined ? {} : { limit }) }),
      ),
  }
  return changes
}

/** Pages with something in them, from a place on, as they come. */
async function* followed<R, M extends PlaceMeta & { readonly reset?: boolean }>(
  { clock }: Session,
  { everyMs = FOLLOW_EVERY_MS, signal }: Pick<FollowOptions, 'everyMs' | 'signal'>,
  first: string | undefined,
  list: (place: string | undefined) => PageCall<R, M>,
): AsyncGenerator<Page<R, M>> {
  let place = first
  let wasAnswered = false
  // Read again after each page: its reader may have ended it meanwhile.
  const isAborted = (): boolean => signal?.aborted === true
  while (!isAborted()) {
    let waitMs = everyMs
    try {
      for await (const page of list(place).pages()) {
        place = page.meta.next_cursor
        wasAnswered = true
        if (page.records.length > 0 || page.meta.reset === true) yield page
        if (isAborted()) return
      }
    } catch (error) {
      if (!isConnectorError(error)) throw error
      // A service that is started again, or has too much to do, answers later.
      const isAway = wasAnswered && error.retryable
      if (!isAway && error.code !== 'search_not_ready') throw error
      waitMs = Math.max(everyMs, error.retryAfterMs ?? 0)
    }
    await clock.sleep(waitMs, signal).catch(() => {})
  }
}

function webhooksOf(session: Session): ServiceClient['webhooks'] {
  const one = (id: string): string => `${WEBHOOKS}/${part(id)}`
  return {
    create: (body) => session.send('POST', WEBHOOKS, { body, ...WRITE }),
    list: () => session.send('GET', WEBHOOKS),
    get: (id) => session.send('GET', one(id)),
    update: (id, body) => session.send('PATCH', one(id), { body, ...WRITE }),
    delete: (id) => session.sendOnly('DELETE', one(id), WRITE),
    rotateSecret: (id, body = {}) =>
      session.send('POST', `${one(id)}/rotate-secret`, { body, ...WRITE }),
    test: (id) => session.send('POST', `${one(id)}/test`),
    deliveries: (id, filter = {}) => session.list(`${one(id)}/deliveries`, filter),
  }
}

type Timing = Pick<ServiceCall, 'timeoutMs' | 'retries'>

class Session {
  readonly clock: Clock
  readonly #options: ApplicationOptions<CommonSettings>
  readonly #timing: Timing
  readonly #anonymous: ServiceHttp
  readonly #http: ServiceHttp
  readonly #own: KeptToken
  /** Those of `connect`, by what they are minted for. */
  readonly #scoped = new Map<string, KeptToken>()

  constructor(options: ApplicationOptions<CommonSettings>, platform: ServicePlatform) {
    const { timeoutMs = DEFAULT_TIMEOUT_MS, retries = DEFAULT_RETRIES } = options
    this.#options = options
    this.#timing = { timeoutMs, retries }
    const ports = servicePorts(options, platform)
    this.clock = platform.clock
    this.#own = new KeptToken(this.clock, () => this.#mint())
    this.#anonymous = new ServiceHttp({ ...ports, token: () => 'none' })
    this.#http = new ServiceHttp({ ...ports, token: (isRefused) => this.#token(isRefused) })
  }

  /** The answer of a route. Its type is what the service promises. */
  async send<T>(
    method: ServiceCall['method'],
    path: string,
    call: Partial<ServiceCall> = {},
  ): Promise<T> {
    return (await this.#http.json({ ...this.#timing, method, path, ...call })) as T
  }

  async download(path: string): Promise<Download> {
    return new Download(await this.#http.bytes({ ...this.#timing, method: 'GET', path }))
  }

  async sendOnly(...call: Parameters<Session['send']>): Promise<void> {
    await this.send(...call)
  }

  /** A listing of the service, page by page by its cursors. Its type is what the service promises. */
  list<R, M = object>(
    path: string,
    filter: object,
    cursorName: 'cursor' | 'since' | 'after' = 'cursor',
  ): PageCall<R, M> {
    return createPageCall({
      params: () => toPlainJson(filter, '/query'),
      fetch: async (params) => {
        const query = new URLSearchParams(params as Record<string, string>).toString()
        const { data, meta, ...more } = await this.send<{
          readonly data: readonly Json[]
          readonly meta: JsonObject
        }>('GET', `${path}${query === '' ? '' : `?${query}`}`)
        // Events tell a place to go on from behind the last one as well.
        const cursor = meta['has_more'] === false ? null : (meta['next_cursor'] ?? null)
        return {
          data,
          meta: { ...meta, ...more, next: cursor === null ? null : { [cursorName]: cursor } },
          records: data,
          nextParams: cursor === null ? null : { ...params, [cursorName]: cursor },
          mark: () => (typeof cursor === 'string' ? cursor : null),
        }
      },
    }) as unknown as PageCall<R, M>
  }

  scopedToken(body: ScopedTokenRequest): Promise<ScopedToken> {
    return this.send('POST', `${ACCOUNT}/scoped-token`, { body })
  }

  forInstance({
    connectorId,
    externalUserId,
  }: Parameters<ServiceClient['connect']>[1]): ForInstance {
    const body = { external_user_id: externalUserId, connector_ids: [connectorId], manage: false }
    let given: string | null = null
    return {
      ...this.#timing,
      clock: this.clock,
      connectorId,
      getToken: async () => {
        // It is asked again where the service has refused what it gave.
        given = await this.#scopedFor(body).get((token) => token === given)
        return given
      },
    }
  }

  /** One for all clients of an account. */
  #scopedFor(body: ScopedTokenRequest): KeptToken {
    const key = JSON.stringify(body)
    const known = this.#scoped.get(key)
    if (known !== undefined) return known
    // Those of accounts that nobody calls any more do not add up.
    for (const [old, kept] of this.#scoped) if (kept.isOver) this.#scoped.delete(old)
    const kept = new KeptToken(this.clock, async () => {
      const { token, expires_in: seconds } = await this.scopedToken(body)
      return { token, seconds }
    })
    this.#scoped.set(key, kept)
    return kept
  }

  #token(isRefused: boolean): string | Promise<string> {
    if (this.#options.token !== undefined) return this.#options.token
    return this.#own.get(() => isRefused)
  }

  async #mint(): Promise<Minted> {
    const { clientId, clientSecret } = this.#options
    const answer = await this.#anonymous.json({
      ...this.#timing,
      method: 'POST',
      path: `${ACCOUNT}/token`,
      body: { client_id: clientId, client_secret: clientSecret },
      lost: 'not_applied',
    })
    const { access_token: token, expires_in: seconds } = isJsonObject(answer) ? answer : {}
    if (typeof token !== 'string' || typeof seconds !== 'number')
      throw new ConnectorError('service_malformed', 'the service minted no token')
    return { token, seconds }
  }
}

interface Minted {
  readonly token: string
  /** Of its life. */
  readonly seconds: number
}

/** A token that is used until little of its life is left. */
class KeptToken {
  readonly #clock: Clock
  readonly #mint: () => Promise<Minted>
  #kept: { readonly token: string; readonly until: number } | null = null
  #minting: Promise<string> | null = null

  constructor(clock: Clock, mint: () => Promise<Minted>) {
    this.#clock = clock
    this.#mint = mint
  }

  /** Whether a new one would have to be minted, and is not being minted. */
  get isOver(): boolean {
    return this.#minting === null && !this.#isFresh(this.#kept)
  }

  get(isRefused: (token: string) => boolean): string | Promise<string> {
    const kept = this.#kept
    if (this.#isFresh(kept) && !isRefused(kept.token)) return kept.token
    // Many calls at once mint one token.
    this.#minting ??= this.#renew().finally(() => {
      this.#minting = null
    })
    return this.#minting
  }

  #isFresh<K extends { readonly until: number }>(kept: K | null): kept is K {
    return kept !== null && this.#clock.monotonic() < kept.until
  }

  async #renew(): Promise<string> {
    const { token, seconds } = await this.#mint()
    this.#kept = { token, until: this.#clock.monotonic() + seconds * 1000 * USED_SHARE }
    return token
  }
}
