// Direct mode: the engine inside the host's process, with the host's credentials.
import { createSystemClock } from '../engine/adapters/system-clock.ts'
import { fileSourceOf } from '../engine/adapters/file-sources.ts'
import { createLateTransport } from '../engine/adapters/late-transport.ts'
import { createCredentialKeeper } from '../engine/credentials/keeper.ts'
import type { CredentialKeeper } from '../engine/credentials/refreshing-keeper.ts'
import { type CallSettings, Engine, type Executed } from '../engine/engine.ts'
import { amendError, isConnectorError } from '../errors.ts'
import { whenLoaded } from '../late-modules.ts'
import { Breaker } from '../engine/exchange/breaker.ts'
import { Budget } from '../engine/exchange/budget.ts'
import { Exchange, type ExchangeObserver } from '../engine/exchange/call.ts'
import { countedTransport } from '../engine/exchange/counted-transport.ts'
import type { Transport } from '../engine/exchange/transport.ts'
import type { Operation } from '../engine/plan/plan.ts'
import type { JsonObject } from '../language/json/json.ts'
import { isJsonObject, mergeObjects } from '../language/json/members.ts'
import { gives, withSearch } from '../language/manifest/actions.ts'
import type { Limits, Manifest as LoadedManifest } from '../language/manifest/manifest.ts'
import type { ConnectorClients } from './generated/index.ts'
import type { ClientOf, Manifest, Settings, SettingsOf } from './connectors.ts'
import { toPlainJson } from '../engine/run/params-to-json.ts'
import { createSealer } from '../engine/run/seal.ts'
import {
  type Answer,
  CALL_OPTIONS,
  type CallOptions,
  type Client,
  CLIENT_CLOSED,
  withEntities,
} from './client.ts'
import { describeEntities } from '../language/manifest/describe.ts'
import { isCounting, STYLES } from '../language/manifest/pagination-styles.ts'
import { Download } from './download.ts'
import { openFiles, takeFiles } from './files.ts'
import { incoming } from './node-bytes.ts'
import { requireKnown } from './known-options.ts'
import { allOf, createObserver, observeError, silentLogger } from './observe.ts'
import {
  type ConnectOptions,
  DIRECT_OPTIONS,
  type DirectOptions,
  HOOKS,
  type Hooks,
} from './options.ts'
import { OwnAnswer, rawOf, readRequest } from './own-request.ts'
import { loadPackaged, manifestOf } from './packaged.ts'
import { needsOf } from './prebuilt.ts'
import { createPageCall, type FetchedPage } from './page-call.ts'
import { traced, type TracedOperation } from '../engine/run/trace.ts'

const NO_HOOKS: Hooks = {}
const NO_LIMITS: Limits = { rates: [], concurrency: null, per: 'instance' }

/**
 * A client for one connector (a packaged type such as `jira`, or a loaded manifest) with the given credentials. Checks
 * credentials and settings, all problems at once (`credentials_invalid`, `config_invalid`); sends nothing yet.
 *
 * Keep one client per user: two clients would spend one single-use refresh token twice.
 */
export function connect<
  C extends
    { [K in keyof ConnectorClients]: K }[keyof ConnectorClients] | Manifest<unknown, Settings>,
>(
  connector: C,
  options: ConnectOptions<SettingsOf<C>>,
): Promise<C extends keyof ConnectorClients ? ConnectorClients[C] : ClientOf<C>>
export async function connect(
  connector: string | Manifest<unknown, Settings>,
  options: AnyOptions,
): Promise<unknown> {
  requireOptions(options)
  const manifest =
    typeof connector === 'string' ? await loadPackaged(connector) : manifestOf(connector)
  for (const need of needsOf(manifest)) await whenLoaded(need)
  const transport = options.transport ?? (await transportOf(options))
  return await whenLoaded(() => new DirectCalls(manifest, options, transport).client())
}

/** Options as the implementation sees them: what is in them is checked by the manifest. */
type AnyOptions = DirectOptions & { readonly config?: object }

/** The calls of one client, under its options and those of each call, watched. */
class DirectCalls {
  readonly #manifest: LoadedManifest
  readonly #options: AnyOptions
  readonly #parts: ReturnType<typeof createParts>
  readonly #isWatched: boolean

  constructor(manifest: LoadedManifest, options: AnyOptions, transport: Transport) {
    this.#manifest = manifest
    this.#options = options
    this.#parts = createParts(manifest, options, transport)
    this.#isWatched = options.hooks !== undefined || options.logger !== undefined
  }

  client(): Client {
    const { engine, close } = this.#parts
    const client: Client = {
      // The overloads say by the action's name what this function finds out when it runs.
      execute: this.#execute.bind(this) as Client['execute'],
      request: (request, call = {}) =>
        this.#run(
          { entity: '*', action: 'request', requestId: call.requestId ?? null },
          call,
          async (settings) =>
            new OwnAnswer(
              incoming(await engine.raw(rawOf(await readRequest(request, fileSourceOf)), settings)),
            ),
        ),
      preview: async (entity, action, params = {}) => ({
        requests: await engine.preview({ entity, action, ...(await readParams(params)) }),
      }),
      describe: (entity) => describeEntities(this.#manifest, entity),
      check: async (call = {}) => await engine.check(call),
      close,
      [Symbol.asyncDispose]: close,
    }
    const entities = this.#manifest.entities.map(({ name, actions, search }) => {
      const names = actions.map((each) => each.name)
      return [name, withSearch(names, search !== null)] as const
    })
    return withEntities(client, entities)
  }

  #execute(entity: string, action: string, params: object = {}, call: CallOptions = {}): Answer {
    const { engine } = this.#parts
    const watch = { entity, action, requestId: call.requestId ?? null }
    const plain = (): JsonObject => toPlainJson(params, '/params')
    if (gives(action, 'stream')) {
      return this.#run(watch, call, async (settings) => {
        const operation = { entity, action, params: plain() }
        return new Download(incoming(await engine.download(operation, settings)))
      })
    }
    if (!gives(action, 'list'))
      return this.#run(watch, call, async (settings) => {
        const read = readParams(params)
        const given = read instanceof Promise ? await read : read
        const operation = { entity, action, ...given }
        return (await engine.execute(operation, settings)).envelope
      })
    const run = (pageParams: JsonObject): Promise<Executed> =>
      this.#run(watch, call, (settings) =>
        engine.execute({ entity, action, params: pageParams }, settings),
      )
    return createPageCall({
      fetch: async (pageParams) => fetchedPage(await run(pageParams), pageParams),
      params: plain,
      countsPages: isCounted(this.#manifest, entity, action),
    })
  }

  async #run<T>(
    watch: TracedOperation,
    call: CallOptions,
    start: (settings: CallSettings) => Promise<T>,
  ): Promise<T> {
    const { tracer, hooks = NO_HOOKS, logger = silentLogger } = this.#options
    try {
      if (tracer === undefined) return await start(this.#settingsOf(watch, call, undefined))
      return await traced(tracer, this.#manifest, watch, (observer) =>
        start(this.#settingsOf(watch, call, observer)),
      )
    } catch (error) {
      if (!isConnectorError(error)) throw error
      const named =
        watch.requestId === null ? error : amendError(error, { requestId: watch.requestId })
      observeError(watch, hooks, logger, named)
      throw named
    }
  }

  #settingsOf(
    watch: TracedOperation,
    call: CallOptions,
    observer: ExchangeObserver | undefined,
  ): CallSettings {
    requireKnown('a call', call, CALL_OPTIONS)
    const { hooks = NO_HOOKS, logger = silentLogger, timeoutMs, retries } = this.#options
    const own = this.#isWatched
      ? createObserver(watch, hooks, logger, () => this.#parts.keeper.secrets())
      : undefined
    return {
      signal: call.signal,
      timeoutMs: call.timeoutMs ?? timeoutMs,
      retries: call.retries ?? retries,
      idempotencyKey: call.idempotencyKey,
      onProgress: call.onProgress,
      observer:
        own !== undefined && observer !== undefined ? allOf(own, observer) : (own ?? observer),
    }
  }
}

/** Where there is something to judge of its options, they are judged now. */
async function transportOf({ allowHosts, dispatcher, proxy }: AnyOptions): Promise<Transport> {
  const transport = createLateTransport({
    allowHosts: allowHosts ?? [],
    dispatcher,
    proxy,
    closedMessage: CLIENT_CLOSED,
  })
  if (allowHosts !== undefined || proxy !== undefined) await transport.load()
  return transport
}

function createParts(
  manifest: LoadedManifest,
  options: AnyOptions,
  transport: Transport,
): { engine: Engine; keeper: CredentialKeeper; close: () => Promise<void> } {
  const { authMethod, onCredentials, withRefreshLock, serverUrl } = options
  const { clock = createSystemClock() } = options
  const limits = options.limits === undefined ? manifest.limits : (options.limits ?? NO_LIMITS)
  const budget = new Budget(limits, clock)
  const keeper = createCredentialKeeper({
    manifest,
    credentials: credentialsOf(options.credentials),
    config: toPlainJson(options.config ?? {}, '/config', 'config_invalid'),
    authMethod,
    onCredentials,
    withRefreshLock,
    serverUrl,
    transport: countedTransport(transport, budget),
    clock,
    log: options.logger ?? silentLogger,
  })
  const engine = new Engine({
    manifest,
    transport,
    clock,
    keeper,
    exchange: new Exchange({ clock, budget, breaker: new Breaker(clock) }),
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

function credentialsOf(
  given: DirectOptions['credentials'],
): JsonObject | (() => Promise<JsonObject>) {
  const plain = (value: object): JsonObject =>
    toPlainJson(value, '/credentials', 'credentials_invalid')
  if (typeof given !== 'function') return plain(given)
  // TypeScript does not narrow `object | (() => …)` by typeof alone: a function is an object too.
  const read = given as () => object | Promise<object>
  return async () => plain(await read())
}

type Given = Pick<Operation, 'params' | 'files'>

/** What a caller gives as JSON, and the files next to it, which have to be opened. */
function readParams(given: object): Given | Promise<Given> {
  const { params, files } = takeFiles(given)
  const plain = toPlainJson(params, '/params')
  if (files.length === 0) return { params: plain }
  return openFiles(files, fileSourceOf).then((opened) => ({ params: plain, files: opened }))
}

function fetchedPage({ envelope, page }: Executed, params: JsonObject): FetchedPage {
  const next = envelope.meta['next'] ?? null
  return {
    data: envelope.data,
    meta: envelope.meta,
    records: page.records ?? [],
    nextParams: isJsonObject(next) ? mergeObjects(params, next) : null,
    mark: page.mark,
    unsaidEnd: page.unsaidEnd,
    unmatched: page.unmatched,
  }
}

function isCounted(manifest: LoadedManifest, entity: string, action: string): boolean {
  const found = manifest.entities
    .find(({ name }) => name === entity)
    ?.actions.find(({ name }) => name === action)
  return found !== undefined && isCounting(STYLES[found.pagination.type])
}

function requireOptions(options: AnyOptions): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError('connect needs options: an object with credentials')
  requireKnown('connect', options, DIRECT_OPTIONS)
  const { credentials, timeoutMs, retries, hooks } = options
  if (hooks !== undefined) requireKnown('hooks', hooks, HOOKS)
  if (typeof credentials !== 'object' && typeof credentials !== 'function') {
    throw new TypeError('connect needs credentials: an object, or a function that gives one')
  }
  if (timeoutMs !== undefined && !(timeoutMs > 0))
    throw new TypeError('timeoutMs must be greater than 0')
  if (retries !== undefined && !(Number.isInteger(retries) && retries >= 0)) {
    throw new TypeError('retries must be a whole number, 0 or more')
  }
}
