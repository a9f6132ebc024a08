// Hosted mode: the same interface, over the HTTP of a service that keeps the credentials.
import { randomUUID } from 'node:crypto'
import { createSystemClock } from '../engine/adapters/system-clock.ts'
import { createLateTransport } from '../engine/adapters/late-transport.ts'
import { ConnectorError, isConnectorError, problemError as toldProblem } from '../errors.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject, mergeObjects } from '../language/json/members.ts'
import { pointerTo } from '../language/json/pointer.ts'
import { gives, kindOf } from '../language/manifest/actions.ts'
import { toPlainJson } from '../engine/run/params-to-json.ts'
import type { TracedOperation } from '../engine/run/trace.ts'
import {
  type Answer,
  CALL_OPTIONS,
  type CallOptions,
  type Client,
  type EntityDescription,
  type RequestOptions,
  withEntities,
} from './client.ts'
import type { ClientOf, ConnectorType, Manifest, Settings } from './connectors.ts'
import { describeEntities, operationNames } from '../language/manifest/describe.ts'
import { Download } from './download.ts'
import { openFiles, takeFiles } from './files.ts'
import { type OptionNames, requireKnown } from './known-options.ts'
import { observeError, silentLogger } from './observe.ts'
import type { DirectOptions, Hooks } from './options.ts'
import { loadPackaged, manifestOf } from './packaged.ts'
import type { OwnAnswer, OwnRequest } from './own-request.ts'
import { createPageCall, type FetchedPage, type Result } from './page-call.ts'
import { createSearchCall } from './search-pages.ts'
import { areRepeatable, describeFiles, type FilesByParam } from './sent-form.ts'
import { problemError, type ServiceCall, ServiceHttp, type ServicePorts } from './service-http.ts'

/** `timeoutMs` is 60,000 by default, `retries` 2 where repeating is safe. */
export interface ServiceSettings extends Pick<
  DirectOptions,
  'timeoutMs' | 'retries' | 'dispatcher' | 'proxy' | 'logger' | 'clock' | 'transport'
> {
  /** Origin of the service, with its path where it is mounted below one. https, or http on loopback. */
  readonly baseUrl: string
}

interface HostedBase extends ServiceSettings {
  readonly connectorId: string
  readonly hooks?: Pick<Hooks, 'onError'>
}

interface HostedWithToken extends HostedBase {
  readonly token: string
  readonly getToken?: undefined
}
interface HostedWithGetToken extends HostedBase {
  /** Called when there is no token, and once more after a 401 of the service. */
  readonly getToken: () => string | Promise<string>
  readonly token?: undefined
}

/** Where the service is and what says who we are: a token, or a function that gives one. */
export type HostedOptions = HostedWithToken | HostedWithGetToken

export const DEFAULT_TIMEOUT_MS = 60_000
export const DEFAULT_RETRIES = 2

/**
 * A client for one connector instance of a service: the same interface as in direct mode, with `search`.
 *
 * Sends nothing yet; only a type that has no manifest here asks the service's catalogue once. Keep one client per
 * instance.
 */
export function connectHosted<
  C extends { [K in ConnectorType]: K }[ConnectorType] | Manifest<unknown, Settings>,
>(connector: C, options: HostedOptions): Promise<ClientOf<C>>
export async function connectHosted(
  connector: string | Manifest<unknown, Settings>,
  options: HostedOptions,
): Promise<unknown> {
  requireOptions(options)
  const ports = servicePorts(options)
  const http = new ServiceHttp({ ...ports, token: tokenOf(options) })
  const entities =
    typeof connector === 'string'
      ? await entitiesOfType(connector, http)
      : describeEntities(manifestOf(connector))
  return new HostedCalls(entities, http, options).client(() => ports.transport.close())
}

/** How a service is reached: it may run on this machine, or on a private address. */
export function servicePorts(options: ServiceSettings): Omit<ServicePorts, 'token'> {
  const { dispatcher, proxy, clock = createSystemClock(), logger = silentLogger } = options
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const allowHosts = [new URL(baseUrl).host]
  const transport = options.transport ?? createLateTransport({ allowHosts, dispatcher, proxy })
  return { baseUrl, transport, clock, logger }
}

/** Their names, for `requireKnown`. */
export const SERVICE_SETTINGS: OptionNames<ServiceSettings> = {
  baseUrl: true,
  timeoutMs: true,
  retries: true,
  dispatcher: true,
  proxy: true,
  logger: true,
  clock: true,
  transport: true,
}
const HOSTED_OPTIONS: OptionNames<HostedOptions> = {
  ...SERVICE_SETTINGS,
  connectorId: true,
  token: true,
  getToken: true,
  hooks: true,
}

function requireOptions(options: HostedOptions): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError('connectHosted needs options: an object with baseUrl and connectorId')
  requireKnown('connectHosted', options, HOSTED_OPTIONS)
  const { baseUrl, connectorId, token, getToken } = options
  const url = URL.parse(baseUrl)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new TypeError('baseUrl must be the absolute address of the service')
  if (typeof connectorId !== 'string' || connectorId === '')
    throw new TypeError('connectorId must be the id of an instance')
  if ((token === undefined) === (getToken === undefined))
    throw new TypeError('connectHosted needs token or getToken: one of them')
}

function tokenOf({ token, getToken }: HostedOptions): ServicePorts['token'] {
  if (token !== undefined) return () => token
  let current: string | null = null
  return async (isRefused) => {
    if (current === null || isRefused) current = (await getToken?.()) ?? ''
    return current
  }
}

/** What a connector has: from its manifest where it is at hand, else from the service. */
async function entitiesOfType(
  type: string,
  http: ServiceHttp,
): Promise<readonly EntityDescription[]> {
  try {
    return describeEntities(await loadPackaged(type))
  } catch (error) {
    if (!isConnectorError(error, 'connector_unknown')) throw error
  }
  const found = await http.json({
    method: 'GET',
    path: `/v1/connectors/${encodeURIComponent(type)}`,
    timeoutMs: DEFAULT_TIMEOUT_MS,
    retries: DEFAULT_RETRIES,
  })
  const list = isJsonObject(found) ? found['entities'] : undefined
  if (!Array.isArray(list))
    throw new ConnectorError(
      'service_malformed',
      `the catalogue of the service does not describe ${type}`,
    )
  return (list as readonly JsonObject[]).map(entityIn)
}

/** An entity of the catalogue, whose members are spelled as the wire does. */
function entityIn(value: JsonObject): EntityDescription {
  const { search_fields: searchFields, search_paths: searchPaths, ...entity } = value
  const described = {
    ...entity,
    searchFields: searchFields ?? null,
    // Services before this member do not tell it.
    searchPaths: searchPaths ?? [],
  }
  // The catalogue of the service describes entities in this form.
  return described as unknown as EntityDescription
}

class HostedCalls {
  readonly #entities: readonly EntityDescription[]
  readonly #http: ServiceHttp
  readonly #options: HostedOptions
  readonly #instance: string
  readonly #executePath: string
  readonly #requestPath: string

  constructor(entities: readonly EntityDescription[], http: ServiceHttp, options: HostedOptions) {
    const id = encodeURIComponent(options.connectorId)
    this.#entities = entities
    this.#http = http
    this.#options = options
    this.#instance = `/v1/integrations/connectors/${id}`
    this.#executePath = `/api/v1/connectors/sources/${id}/execute`
    this.#requestPath = `/v1/connectors/${id}/request`
  }

  client(close: () => Promise<void>): Client {
    const client: Client = {
      // The overloads say by the action's name what this function finds out when it runs.
      execute: this.#execute.bind(this) as Client['execute'],
      request: (request, call = {}) => this.#request(request, call),
      preview: (entity, action, params = {}) => this.#preview({ entity, action }, params),
      describe: (name) => describedAs(this.#entities, name),
      check: async (call = {}) => await this.#check(call),
      close,
      [Symbol.asyncDispose]: close,
    }
    const names = this.#entities.map((each) => [each.entity, operationNames(each)] as const)
    return withEntities(client, names)
  }

  #execute(entity: string, action: string, params: object = {}, call: CallOptions = {}): Answer {
    const watch = { entity, action, requestId: call.requestId ?? null }
    const taken = takeFiles(params)
    const plain = (): JsonObject => toPlainJson(taken.params, '/params')
    if (taken.files.length > 0)
      return this.#watched(watch, async () => {
        const files = await openFiles(taken.files)
        return resultOf(await this.#http.json(await this.#formCallOf(watch, plain(), files, call)))
      })
    if (gives(action, 'stream')) {
      return this.#watched(watch, async () => {
        const file = await this.#http.bytes(this.#callOf(watch, plain(), call))
        return new Download({ ...file, requests: 1 })
      })
    }
    const run = (pageParams: JsonObject): Promise<Json> =>
      this.#watched(watch, () => this.#http.json(this.#callOf(watch, pageParams, call)))
    // Of the answers of a client this is the one that the union of direct mode does not know.
    if (gives(action, 'hits')) return createSearchCall(params, run) as unknown as Answer
    if (gives(action, 'list')) {
      return createPageCall({
        fetch: async (pageParams) => fetchedPage(await run(pageParams), pageParams),
        params: plain,
      })
    }
    return (async () => resultOf(await run(plain())))()
  }

  #request(given: OwnRequest, call: RequestOptions): Promise<OwnAnswer> {
    const watch = { entity: '*', action: 'request', requestId: call.requestId ?? null }
    return this.#watched(watch, async () => {
      const { answerOf, OwnAnswer, readRequest } = await import('./own-request.ts')
      const { body, isWrite, ...request } = await readRequest(given)
      const files = body?.kind === 'file' ? { body: body.value } : null
      const { headers, body: stream } = await this.#http.bytes({
        ...this.#timing(call),
        method: 'POST',
        path: this.#requestPath,
        body: {
          ...request,
          ...(body === null || body.kind === 'file' ? {} : { [body.kind]: body.value }),
          ...(files === null ? {} : { files: await describeFiles(files, { hashed: false }) }),
        },
        ...(files === null ? {} : { files }),
        requestId: call.requestId,
        idempotencyKey: call.idempotencyKey,
        ...(isWrite ? { lost: 'uncertain' as const } : {}),
        prefersWait: true,
      })
      return new OwnAnswer(answerOf(headers, stream))
    })
  }

  /** Of files the service is told what they are; a preview needs none of their bytes. */
  async #preview(operation: object, given: object): ReturnType<Client['preview']> {
    const taken = takeFiles(given)
    const body = { ...operation, params: toPlainJson(taken.params, '/params') }
    const files = taken.files.length === 0 ? null : await openFiles(taken.files)
    const described = files === null ? null : await describeFiles(files, { hashed: false })
    const answer = await this.#http.json({
      ...this.#timing({}),
      method: 'POST',
      path: `${this.#instance}/preview`,
      body: described === null ? body : { ...body, files: described },
      ...(described === null ? {} : { files: {} }),
      retries: DEFAULT_RETRIES,
      lost: 'not_applied',
    })
    return answer as unknown as Awaited<ReturnType<Client['preview']>>
  }

  async #check(call: CallOptions): ReturnType<Client['check']> {
    const answer = await this.#http.json({
      ...this.#timing(call),
      method: 'POST',
      path: `${this.#instance}/check`,
      retries: call.retries ?? DEFAULT_RETRIES,
      prefersWait: true,
    })
    return checkIn(answer)
  }

  #timing(call: CallOptions): Pick<ServiceCall, 'signal' | 'timeoutMs' | 'retries'> {
    requireKnown('a call', call, CALL_OPTIONS)
    return {
      signal: call.signal,
      timeoutMs: call.timeoutMs ?? this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      retries: call.retries ?? this.#options.retries ?? DEFAULT_RETRIES,
    }
  }

  #callOf(
    { entity, action, requestId }: TracedOperation,
    params: JsonObject,
    call: CallOptions,
  ): ServiceCall {
    const isWrite = changes(this.#entities, entity, action)
    return {
      ...this.#timing(call),
      method: 'POST',
      path: this.#executePath,
      body: { entity, action, params },
      requestId: requestId ?? undefined,
      // Our own repetition of a lost connection must not write twice.
      ...(isWrite ? { lost: 'uncertain' as const } : {}),
      // The service keeps the bytes of a file for no key.
      ...(isWrite && !gives(action, 'stream')
        ? { idempotencyKey: call.idempotencyKey ?? randomUUID() }
        : {}),
      prefersWait: true,
    }
  }

  /**
   * The same with files. A key needs their digests, for which they are read once more: files that can be read once have none,
   * and their call is not repeated. Throws `params_invalid` for a caller's own key with such a file.
   */
  async #formCallOf(
    operation: TracedOperation,
    params: JsonObject,
    files: FilesByParam,
    call: CallOptions,
  ): Promise<ServiceCall> {
    const { idempotencyKey, body, ...plain } = this.#callOf(operation, params, call)
    const hashed = idempotencyKey !== undefined && areRepeatable(files)
    if (call.idempotencyKey !== undefined && !hashed) throw keyWithoutDigest(files)
    const described = await describeFiles(files, { hashed })
    return {
      ...plain,
      body: { ...body, files: described },
      files,
      ...(hashed ? { idempotencyKey } : {}),
    }
  }

  async #watched<T>(watch: TracedOperation, run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (error) {
      const { hooks = {}, logger = silentLogger } = this.#options
      if (isConnectorError(error)) observeError(watch, hooks, logger, error)
      throw error
    }
  }
}

function keyWithoutDigest(files: FilesByParam): ConnectorError {
  const [name = ''] = Object.keys(files).filter((each) => files[each]?.openAt === null)
  return toldProblem('params_invalid', {
    pointer: pointerTo('/params', [name]),
    code: 'file',
    detail:
      'an idempotency key needs a file that can be read twice (bytes, a Blob, a path); a stream is read once: give no key',
  })
}

/** Whether an operation changes data, as its description says; one that is not described, as its name does. */
function changes(entities: readonly EntityDescription[], entity: string, action: string): boolean {
  const described = entities.find((each) => each.entity === entity)
  const found = described?.actions.find((each) => each.action === action)
  return found === undefined ? (kindOf(action)?.effect ?? null) !== null : !found.safe
}

function describedAs(
  entities: readonly EntityDescription[],
  name: string | undefined,
): readonly EntityDescription[] {
  const found = entities.filter(({ entity }) => name === undefined || entity === name)
  if (name === undefined || found.length > 0) return found
  const allowed = entities.map(({ entity }) => entity)
  throw new ConnectorError(
    'operation_unknown',
    `there is no entity "${name}"; there is ${allowed.join(', ')}`,
  )
}

function resultOf(answer: Json): Result {
  if (isJsonObject(answer) && 'data' in answer) return answer as unknown as Result
  throw new ConnectorError('service_malformed', 'the service answered without data')
}

function fetchedPage(answer: Json, params: JsonObject): FetchedPage {
  const { data, meta, execution } = resultOf(answer) as Result<Json, Json>
  const values = isJsonObject(data) ? data['values'] : data
  const facts = isJsonObject(meta) ? meta : {}
  const next = facts['next'] ?? null
  return {
    data,
    meta: facts,
    records: Array.isArray(values) ? values : [],
    nextParams: isJsonObject(next) ? mergeObjects(params, next) : null,
    mark: () => (next === null ? null : JSON.stringify(next)),
    ...(execution === undefined ? {} : { execution }),
  }
}

function checkIn(answer: Json): Awaited<ReturnType<Client['check']>> {
  const { result, took_ms: tookMs, error } = isJsonObject(answer) ? answer : {}
  if (result !== 'ok' && result !== 'refused' && result !== 'inconclusive')
    throw new ConnectorError('service_malformed', 'the service answered a check without a result')
  return {
    result,
    tookMs: typeof tookMs === 'number' ? tookMs : 0,
    // The check was answered: the status is that of the problem, not of the answer.
    error:
      error !== undefined && isJsonObject(error)
        ? problemError(error, Number(error['status']))
        : null,
  }
}
