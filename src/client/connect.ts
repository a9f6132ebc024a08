// Direct mode: the engine inside the host's process, with the host's credentials.
import { createSystemClock } from '../engine/adapters/system-clock.ts'
import { createUndiciTransport } from '../engine/adapters/undici-transport.ts'
import {
  createCredentialKeeper,
  type CredentialKeeper,
  type Lent,
} from '../engine/credentials/keeper.ts'
import { type CallSettings, Engine, type Executed } from '../engine/engine.ts'
import { amendError, isConnectorError } from '../errors.ts'
import { createBreaker } from '../engine/exchange/breaker.ts'
import { createBudget } from '../engine/exchange/budget.ts'
import { createExchange } from '../engine/exchange/call.ts'
import { countedTransport } from '../engine/exchange/counted-transport.ts'
import type { ExchangeObserver } from '../engine/exchange/call.ts'
import type { Scope } from '../language/expression/syntax.ts'
import type { JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import { gives, withSearch } from '../language/manifest/actions.ts'
import type {
  AuthMethod,
  Limits,
  Manifest as LoadedManifest,
} from '../language/manifest/manifest.ts'
import type { BuiltinClients, BuiltinSettings, BuiltinType } from './builtin.ts'
import type { AnySettings, Manifest, Settings, WithConfig } from './connectors.ts'
import type { Operation } from '../engine/plan/plan.ts'
import { type BaseUrl, createServerResolver } from '../engine/request/base-url.ts'
import { applyPatch } from '../engine/response/merge-patch.ts'
import { toPlainJson } from '../engine/run/plain-json.ts'
import { createSealer } from '../engine/run/seal.ts'
import type { ActionCall, Answer, CallOptions, Client } from './client.ts'
import { describeEntities } from '../language/manifest/describe.ts'
import { isCounting, STYLES } from '../language/manifest/pagination-styles.ts'
import { Download } from './download.ts'
import { bothOf, createObserver, observeError, silentLogger, type Watched } from './observe.ts'
import type { DirectOptions } from './options.ts'
import { loadPackaged } from './packaged.ts'
import { createPageCall, type FetchedPage, type Result } from './page-call.ts'
import { traced } from '../engine/run/trace.ts'

const NO_LIMITS: Limits = { rates: [], concurrency: null, per: 'instance' }

/**
 * A client for one connector (a packaged type such as `jira`, or a loaded manifest) with the given credentials. Checks credentials and settings, all problems at once
 * (`credentials_invalid`, `config_invalid`); sends nothing yet.
 *
 * Keep one client per user: two clients would spend one single-use refresh token twice.
 */
export function connect<K extends BuiltinType>(
  type: K,
  options: DirectOptions<BuiltinSettings[K]> & WithConfig<BuiltinSettings[K]>,
): Promise<BuiltinClients[K]>
export function connect<T = Client, S extends Settings = AnySettings>(
  manifest: Manifest<T, S>,
  options: DirectOptions<S> & WithConfig<S>,
): Promise<T>
export async function connect(
  connector: string | LoadedManifest,
  options: AnyOptions,
): Promise<unknown> {
  requireOptions(options)
  return createClient(
    typeof connector === 'string' ? await loadPackaged(connector) : connector,
    options,
  )
}

/** Options as the implementation sees them: what is in them is checked by the manifest. */
type AnyOptions = DirectOptions & { readonly config?: object }

function createClient(manifest: LoadedManifest, options: AnyOptions): Client {
  const logger = options.logger ?? silentLogger
  const { engine, keeper, close } = createParts(manifest, options)
  const hooks = options.hooks ?? {}
  const isWatched = options.hooks !== undefined || options.logger !== undefined

  /** Runs one call of the engine under the options of client and call, watched. */
  async function run<T>(
    watch: Watched,
    call: CallOptions,
    start: (settings: CallSettings) => Promise<T>,
  ): Promise<T> {
    try {
      if (options.tracer === undefined) return await start(settingsOf(watch, call, undefined))
      return await traced(options.tracer, manifest, watch, (observer) =>
        start(settingsOf(watch, call, observer)),
      )
    } catch (error) {
      if (!isConnectorError(error)) throw error
      const named =
        watch.requestId === null ? error : amendError(error, { requestId: watch.requestId })
      observeError(watch, hooks, logger, named)
      throw named
    }
  }

  function settingsOf(
    watch: Watched,
    call: CallOptions,
    observer: ExchangeObserver | undefined,
  ): CallSettings {
    const own = isWatched ? createObserver(watch, hooks, logger, () => keeper.secrets()) : undefined
    return {
      signal: call.signal,
      timeoutMs: call.timeoutMs ?? options.timeoutMs,
      retries: call.retries ?? options.retries,
      idempotencyKey: call.idempotencyKey,
      onProgress: call.onProgress,
      observer:
        own !== undefined && observer !== undefined ? bothOf(own, observer) : (own ?? observer),
    }
  }

  async function runOne(watch: Watched, call: CallOptions, params: object): Promise<Result> {
    const executed = await run(watch, call, (settings) =>
      engine.execute(operationOf(watch, toPlainJson(params, '/params')), settings),
    )
    return executed.envelope
  }

  function execute(
    entity: string,
    action: string,
    params: object = {},
    call: CallOptions = {},
  ): Answer {
    const watch = { entity, action, requestId: call.requestId ?? null }
    if (gives(action, 'stream')) {
      return run(watch, call, async (settings) => {
        const operation = operationOf(watch, toPlainJson(params, '/params'))
        return new Download(await engine.download(operation, settings))
      })
    }
    if (!gives(action, 'list')) return runOne(watch, call, params)
    return createPageCall({
      fetch: async (page) =>
        fetchedPage(
          await run(watch, call, (settings) => engine.execute(operationOf(watch, page), settings)),
          page,
        ),
      params: () => toPlainJson(params, '/params'),
      countsPages: isCounted(manifest, entity, action),
    })
  }

  const client: Client = {
    // The overloads say by the action's name what this function finds out when it runs.
    execute: execute as Client['execute'],
    preview: async (entity, action, params = {}) => ({
      requests: await engine.preview({ entity, action, params: toPlainJson(params, '/params') }),
    }),
    describe: (entity) => describeEntities(manifest, entity),
    check: async (call = {}) => await engine.check(call),
    close,
    [Symbol.asyncDispose]: close,
  }
  return withEntities(client, manifest, execute)
}

function operationOf({ entity, action }: Watched, params: JsonObject): Operation {
  return { entity, action, params }
}

interface Parts {
  readonly engine: Engine
  readonly keeper: CredentialKeeper
  readonly close: () => Promise<void>
}

function createParts(manifest: LoadedManifest, options: AnyOptions): Parts {
  const {
    authMethod,
    onCredentials,
    withRefreshLock,
    serverUrl,
    allowHosts = [],
    dispatcher,
  } = options
  const clock = options.clock ?? createSystemClock()
  const transport =
    options.transport ??
    createUndiciTransport({ allowHosts, ...(dispatcher !== undefined && { dispatcher }) })
  const limits = options.limits === undefined ? manifest.limits : (options.limits ?? NO_LIMITS)
  const budget = createBudget(limits, clock)
  const keeper = createCredentialKeeper({
    manifest,
    credentials: credentialsOf(options.credentials),
    config: toPlainJson(options.config ?? {}, '/config'),
    ...(authMethod !== undefined && { authMethod }),
    ...(onCredentials !== undefined && { onCredentials }),
    ...(withRefreshLock !== undefined && { withRefreshLock }),
    ...(serverUrl !== undefined && { serverUrl }),
    transport: countedTransport(transport, budget),
    clock,
    log: options.logger ?? silentLogger,
  })
  const engine = new Engine({
    manifest,
    transport,
    clock,
    keeper,
    exchange: createExchange({ clock, budget, breaker: createBreaker(clock) }),
    server: createServerOf(manifest, serverUrl),
    serverUrl: serverUrl ?? null,
    sealer: createSealer(),
  })
  return {
    engine,
    keeper,
    close: async () => {
      await keeper.close()
      await transport.close()
    },
  }
}

/** Base URLs by authentication method: credentials given as a function may name another one later. */
function createServerOf(
  manifest: LoadedManifest,
  serverUrl: string | undefined,
): (lent: Lent, scope: Scope) => BaseUrl {
  const resolvers = new Map<AuthMethod | null, (scope: Scope) => BaseUrl>()
  return ({ method }, scope) => {
    let resolve = resolvers.get(method)
    if (resolve === undefined) {
      resolve = createServerResolver(manifest, method, serverUrl === undefined ? {} : { serverUrl })
      resolvers.set(method, resolve)
    }
    return resolve(scope)
  }
}

function credentialsOf(
  given: DirectOptions['credentials'],
): JsonObject | (() => Promise<JsonObject>) {
  if (typeof given !== 'function') return toPlainJson(given, '/credentials')
  // TypeScript does not narrow `object | (() => …)` by typeof alone: a function is an object too.
  const read = given as () => object | Promise<object>
  return async () => toPlainJson(await read(), '/credentials')
}

function fetchedPage(executed: Executed, params: JsonObject): FetchedPage {
  const { envelope, records } = executed
  const next = envelope.meta['next'] ?? null
  return {
    data: envelope.data,
    meta: envelope.meta,
    records: records ?? [],
    nextParams: isJsonObject(next) ? applyPatch(params, next) : null,
    mark: () => executed.mark,
    unsaidEnd: executed.unsaidEnd,
  }
}

function isCounted(manifest: LoadedManifest, entity: string, action: string): boolean {
  const found = manifest.entities
    .find(({ name }) => name === entity)
    ?.actions.find(({ name }) => name === action)
  return found !== undefined && isCounting(STYLES[found.pagination.type])
}

type Execute = (entity: string, action: string, params?: object, call?: CallOptions) => Answer

/** The entities as members. The lint keeps them from meeting the client's own names. */
function withEntities(client: Client, manifest: LoadedManifest, execute: Execute): Client {
  for (const { name, actions, search } of manifest.entities) {
    const members: Record<string, ActionCall> = {}
    const names = actions.map((each) => each.name)
    for (const action of withSearch(names, search !== null)) {
      members[action] = (params, call) => execute(name, action, params, call)
    }
    Object.defineProperty(client, name, { value: Object.freeze(members), enumerable: true })
  }
  return client
}

function requireOptions(options: DirectOptions): void {
  const { credentials, timeoutMs, retries } = options
  if (typeof credentials !== 'object' && typeof credentials !== 'function') {
    throw new TypeError('connect needs credentials: an object, or a function that gives one')
  }
  if (timeoutMs !== undefined && !(timeoutMs > 0))
    throw new TypeError('timeoutMs must be greater than 0')
  if (retries !== undefined && !(Number.isInteger(retries) && retries >= 0)) {
    throw new TypeError('retries must be a whole number, 0 or more')
  }
}
