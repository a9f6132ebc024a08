// Direct mode: the engine inside the host's process, with the host's credentials.
import { createSystemClock } from '../adapters/system-clock.ts'
import { createUndiciTransport } from '../adapters/undici-transport.ts'
import { createCredentialKeeper, type CredentialKeeper, type Lent } from '../credentials/keeper.ts'
import { type CallSettings, createEngine, type Engine, type Executed } from '../engine.ts'
import { amendError, isConnectorError } from '../errors.ts'
import { createBreaker } from '../exchange/breaker.ts'
import { createBudget } from '../exchange/budget.ts'
import { createExchange } from '../exchange/call.ts'
import type { Scope } from '../expression/syntax.ts'
import type { JsonObject } from '../json/json.ts'
import { isJsonObject } from '../json/members.ts'
import type { AuthMethod, Limits, Manifest, Pagination } from '../manifest/manifest.ts'
import { type BaseUrl, createServerResolver } from '../request/base-url.ts'
import { applyPatch } from '../response/merge-patch.ts'
import { toPlainJson } from '../run/plain-json.ts'
import { createSealer } from '../run/seal.ts'
import type { ActionCall, Answer, CallOptions, Client } from './client.ts'
import { describeEntities } from './describe.ts'
import { Download } from './download.ts'
import { createObserver, observeError, silentLogger, type Watched } from './observe.ts'
import type { DirectOptions } from './options.ts'
import { loadPackaged } from './packaged.ts'
import { createPageCall, type FetchedPage, type Result } from './page-call.ts'

const NO_LIMITS: Limits = { rates: [], concurrency: null, per: 'instance' }

/**
 * A client for one connector (a packaged type such as `jira`, or a loaded manifest) with the given credentials. Checks credentials and settings, all problems at once
 * (`credentials_invalid`, `config_invalid`); sends nothing yet.
 *
 * Keep one client per user: two clients would spend one single-use refresh token twice.
 */
export async function connect(
  connector: string | Manifest,
  options: DirectOptions,
): Promise<Client> {
  requireOptions(options)
  return createClient(
    typeof connector === 'string' ? await loadPackaged(connector) : connector,
    options,
  )
}

function createClient(manifest: Manifest, options: DirectOptions): Client {
  const logger = options.logger ?? silentLogger
  const { engine, keeper, close } = createParts(manifest, options)
  const hooks = options.hooks ?? {}
  const isWatched = options.hooks !== undefined || options.logger !== undefined

  /** What the engine is told of one call: the options of client and call. */
  function settingsOf(watch: Watched, call: CallOptions): CallSettings {
    return {
      signal: call.signal,
      timeoutMs: call.timeoutMs ?? options.timeoutMs,
      retries: call.retries ?? options.retries,
      idempotencyKey: call.idempotencyKey,
      onProgress: call.onProgress,
      observer: isWatched
        ? createObserver(watch, hooks, logger, () => keeper.secrets())
        : undefined,
    }
  }

  /** The failure of a call as its caller gets it; the hooks are told. */
  function failure(watch: Watched, error: unknown): unknown {
    if (!isConnectorError(error)) return error
    const named =
      watch.requestId === null ? error : amendError(error, { requestId: watch.requestId })
    observeError(watch, hooks, logger, named)
    return named
  }

  async function run(watch: Watched, call: CallOptions, params: JsonObject): Promise<Executed> {
    try {
      const { entity, action } = watch
      return await engine.execute({ entity, action, params }, settingsOf(watch, call))
    } catch (error) {
      throw failure(watch, error)
    }
  }

  async function runOne(watch: Watched, call: CallOptions, params: object): Promise<Result> {
    try {
      const { entity, action } = watch
      const operation = { entity, action, params: toPlainJson(params, '/params') }
      return (await engine.execute(operation, settingsOf(watch, call))).envelope
    } catch (error) {
      throw failure(watch, error)
    }
  }

  async function download(watch: Watched, call: CallOptions, params: object): Promise<Download> {
    try {
      const { entity, action } = watch
      const operation = { entity, action, params: toPlainJson(params, '/params') }
      return new Download(await engine.download(operation, settingsOf(watch, call)))
    } catch (error) {
      throw failure(watch, error)
    }
  }

  function execute(
    entity: string,
    action: string,
    params: object = {},
    call: CallOptions = {},
  ): Answer {
    const watch = { entity, action, requestId: call.requestId ?? null }
    if (action === 'download') return download(watch, call, params)
    if (action !== 'list' && action !== 'api_search') return runOne(watch, call, params)
    return createPageCall({
      fetch: async (page) => fetchedPage(await run(watch, call, page), page),
      params: () => toPlainJson(params, '/params'),
      type: pagingOf(manifest, entity, action),
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

interface Parts {
  readonly engine: Engine
  readonly keeper: CredentialKeeper
  readonly close: () => Promise<void>
}

function createParts(manifest: Manifest, options: DirectOptions): Parts {
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
  const keeper = createCredentialKeeper({
    manifest,
    credentials: credentialsOf(options.credentials),
    config: toPlainJson(options.config ?? {}, '/config'),
    ...(authMethod !== undefined && { authMethod }),
    ...(onCredentials !== undefined && { onCredentials }),
    ...(withRefreshLock !== undefined && { withRefreshLock }),
    ...(serverUrl !== undefined && { serverUrl }),
    transport,
    clock,
    log: options.logger ?? silentLogger,
  })
  const limits = options.limits === undefined ? manifest.limits : (options.limits ?? NO_LIMITS)
  const engine = createEngine({
    manifest,
    transport,
    clock,
    keeper,
    exchange: createExchange({
      clock,
      budget: createBudget(limits, clock),
      breaker: createBreaker(clock),
    }),
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
  manifest: Manifest,
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
  }
}

function pagingOf(manifest: Manifest, entity: string, action: string): Pagination['type'] {
  const found = manifest.entities
    .find(({ name }) => name === entity)
    ?.actions.find(({ name }) => name === action)
  return found?.pagination.type ?? 'none'
}

type Execute = (entity: string, action: string, params?: object, call?: CallOptions) => Answer

/** The entities as members. The lint keeps them from meeting the client's own names. */
function withEntities(client: Client, manifest: Manifest, execute: Execute): Client {
  for (const { name, actions, search } of manifest.entities) {
    const members: Record<string, ActionCall> = {}
    for (const action of [
      ...actions.map((each) => each.name),
      ...(search === null ? [] : ['search']),
    ]) {
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
