// Hosted mode: the same interface, over the HTTP of a service that keeps the credentials. What it runs on is a platform.
import { ConnectorError, isConnectorError, problemError as toldProblem } from '../errors.ts'
import type { Clock } from '../engine/exchange/clock.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject, mergeObjects } from '../language/json/members.ts'
import { pointerTo } from '../language/json/pointer.ts'
import { gives, kindOf, withSearch } from '../language/manifest/actions.ts'
import type { Manifest as LoadedManifest } from '../language/manifest/manifest.ts'
import { toPlainJson } from '../engine/run/params-to-json.ts'
import { isReading } from '../engine/run/reading-methods.ts'
import type { TracedOperation } from '../engine/run/trace.ts'
import {
  type Answer,
  CALL_OPTIONS,
  type CallOptions,
  type Client,
  disposable,
  type EntityDescription,
  type RequestOptions,
  withEntities,
} from './client.ts'
import { Download } from './download.ts'
import { openFiles, takeFiles } from './files.ts'
import { type OptionNames, requireKnown } from './known-options.ts'
import { observeError, silentLogger } from './observe.ts'
import type { Hooks, Logger } from './options.ts'
import { answerOf, OwnAnswer, type OwnRequest, readRequest } from './own-request.ts'
import { createPageCall, type FetchedPage, type Result } from './page-call.ts'
import { createSearchCall } from './search-pages.ts'
import { areRepeatable, describeFiles, type FilesByParam } from './sent-form.ts'
import { problemError, type ServiceCall, ServiceHttp, type ServicePorts } from './service-http.ts'
import type { ServicePlatform } from './service-platform.ts'

/** What every client of a service is made with. `timeoutMs` is 60,000 by default, `retries` 2 where repeating is safe. */
export interface CommonSettings {
  /** Origin of the service, with its path where it is mounted below one. https, or http on loopback. */
  readonly baseUrl: string
  /** Of a whole call, with its repetitions, in milliseconds. Each call may say its own. */
  readonly timeoutMs?: number
  readonly retries?: number
  readonly logger?: Logger
  readonly clock?: Clock
}

/** Their names, for `requireKnown`. */
export const COMMON_SETTINGS: OptionNames<CommonSettings> = {
  baseUrl: true,
  timeoutMs: true,
  retries: true,
  logger: true,
  clock: true,
}

export interface OneInstance {
  readonly connectorId: string
  readonly hooks?: Pick<Hooks, 'onError'>
}

/** A token says who we are. */
export interface WithToken {
  readonly token: string
  readonly getToken?: undefined
}

/** A function that gives a token says who we are. */
export interface WithGetToken {
  /** Called when there is no token, and once more after a 401 of the service. */
  readonly getToken: () => string | Promise<string>
  readonly token?: undefined
}

/** What a client of one instance is made with, with the settings of its platform. */
export type InstanceOptions<S extends CommonSettings> =
  (S & OneInstance & WithToken) | (S & OneInstance & WithGetToken)

/** The names of what comes to the settings. */
export const INSTANCE_OPTIONS: OptionNames<OneInstance & (WithToken | WithGetToken)> = {
  connectorId: true,
  token: true,
  getToken: true,
  hooks: true,
}

export const DEFAULT_TIMEOUT_MS = 60_000
export const DEFAULT_RETRIES = 2

/** A client for one instance. Sends nothing yet, but for a type without a manifest here: the catalogue is asked for it. */
export async function connectInstance(
  connector: string | LoadedManifest,
  options: InstanceOptions<CommonSettings>,
  platform: ServicePlatform,
): Promise<Client> {
  const http = new ServiceHttp({ ...servicePorts(options, platform), token: tokenOf(options) })
  const type = typeof connector === 'string' ? connector : connector.type
  const entities = (await platform.describe(connector)) ?? (await catalogued(type, http))
  return new HostedCalls(entities, { http, options, platform }).client()
}

export function servicePorts(
  { baseUrl, logger = silentLogger }: CommonSettings,
  platform: ServicePlatform,
): Omit<ServicePorts, 'token'> {
  return { baseUrl: baseUrl.replace(/\/+$/, ''), platform, logger }
}

/** Throws a TypeError for options that make no client. `known`: all that it may have. */
export function requireInstanceOptions(
  options: InstanceOptions<CommonSettings>,
  known: Readonly<Record<string, true>>,
): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError('connectHosted needs options: an object with baseUrl and connectorId')
  requireKnown('connectHosted', options, known)
  const { baseUrl, connectorId, token, getToken } = options
  const url = parsedUrl(baseUrl)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new TypeError('baseUrl must be the absolute address of the service')
  if (typeof connectorId !== 'string' || connectorId === '')
    throw new TypeError('connectorId must be the id of an instance')
  if ((token === undefined) === (getToken === undefined))
    throw new TypeError('connectHosted needs token or getToken: one of them')
}

function parsedUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}

function tokenOf({ token, getToken }: InstanceOptions<CommonSettings>): ServicePorts['token'] {
  if (token !== undefined) return () => token
  let current: string | null = null
  return async (isRefused) => {
    if (current === null || isRefused) current = (await getToken?.()) ?? ''
    return current
  }
}

/** What a connector has, as the catalogue of the service says. */
async function catalogued(type: string, http: ServiceHttp): Promise<readonly EntityDescription[]> {
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
  const {
    search_fields: searchFields,
    search_paths: searchPaths,
    cursor_field: cursorField,
    key_field: keyField,
    ...entity
  } = value
  const described = {
    ...entity,
    searchFields: searchFields ?? null,
    // Earlier services do not tell these.
    searchPaths: searchPaths ?? [],
    cursorField: cursorField ?? null,
    keyField: keyField ?? null,
  }
  // The catalogue of the service describes entities in this form.
  return described as unknown as EntityDescription
}

interface HostedParts {
  readonly http: ServiceHttp
  readonly options: InstanceOptions<CommonSettings>
  readonly platform: ServicePlatform
}

class HostedCalls {
  readonly #entities: readonly EntityDescription[]
  readonly #http: ServiceHttp
  readonly #options: InstanceOptions<CommonSettings>
  readonly #platform: ServicePlatform
  readonly #instance: string
  readonly #executePath: string
  readonly #requestPath: string

  constructor(entities: readonly EntityDescription[], { http, options, platform }: HostedParts) {
    const id = encodeURIComponent(options.connectorId)
    this.#entities = entities
    this.#http = http
    this.#options = options
    this.#platform = platform
    this.#instance = `/v1/integrations/connectors/${id}`
    this.#executePath = `/api/v1/connectors/sources/${id}/execute`
    this.#requestPath = `/v1/connectors/${id}/request`
  }

  client(): Client {
    const close = (): Promise<void> => this.#platform.close()
    const client: Client = {
      // The overloads say by the action's name what this function finds out when it runs.
      execute: this.#execute.bind(this) as Client['execute'],
      request: (request, call = {}) => this.#request(request, call),
      preview: (entity, action, params = {}) => this.#preview({ entity, action }, params),
      describe: (name) => describedAs(this.#entities, name),
      check: async (call = {}) => await this.#check(call),
      close,
      ...disposable(close),
    }
    const entities = this.#entities.map(({ entity, actions, searchFields }) => {
      const names = actions.map(({ action }) => action)
      return [entity, withSearch(names, searchFields !== null)] as const
    })
    return withEntities(client, entities)
  }

  #execute(entity: string, action: string, params: object = {}, call: CallOptions = {}): Answer {
    const watch = { entity, action, requestId: call.requestId ?? null }
    const taken = takeFiles(params)
    const plain = (): JsonObject => toPlainJson(taken.params, '/params')
    if (taken.files.length > 0)
      return this.#watched(watch, async () => {
        const files = await openFiles(taken.files, this.#platform.openFile)
        return resultOf(await this.#http.json(await this.#formCallOf(watch, plain(), files, call)))
      })
    if (gives(action, 'stream')) {
      return this.#watched(watch, async () => {
        const file = await this.#http.bytes(this.#callOf(watch, plain(), call))
        return new Download(file)
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
      const { body, ...request } = await readRequest(given, this.#platform.openFile)
      const files = body?.kind === 'file' ? { body: body.value } : null
      const answer = await this.#http.bytes({
        ...this.#timing(call),
        method: 'POST',
        path: this.#requestPath,
        body: {
          ...request,
          ...(body === null || body.kind === 'file' ? {} : { [body.kind]: body.value }),
          ...(files === null ? {} : { files: describeFiles(files) }),
        },
        ...(files === null ? {} : { files }),
        requestId: call.requestId,
        idempotencyKey: call.idempotencyKey,
        ...(isReading(request.method) ? {} : { lost: 'uncertain' as const }),
        prefersWait: true,
      })
      return new OwnAnswer(answerOf(answer))
    })
  }

  /** Of files the service is told what they are; a preview needs none of their bytes. */
  async #preview(operation: object, given: object): ReturnType<Client['preview']> {
    const taken = takeFiles(given)
    const body = { ...operation, params: toPlainJson(taken.params, '/params') }
    const files = await openFiles(taken.files, this.#platform.openFile)
    const described = taken.files.length === 0 ? null : describeFiles(files)
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
        ? { idempotencyKey: call.idempotencyKey ?? crypto.randomUUID() }
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
    const digests = idempotencyKey === undefined ? null : await this.#digestsOf(files)
    if (call.idempotencyKey !== undefined && digests === null) throw keyWithoutDigest(files)
    return {
      ...plain,
      body: { ...body, files: describeFiles(files, digests ?? {}) },
      files,
      ...(digests === null || idempotencyKey === undefined ? {} : { idempotencyKey }),
    }
  }

  /** null: one of the files has none, because it is read once or is too large for the platform. */
  async #digestsOf(files: FilesByParam): Promise<Readonly<Record<string, string>> | null> {
    if (!areRepeatable(files)) return null
    const digests: Record<string, string> = {}
    for (const [param, file] of Object.entries(files)) {
      const digest = await this.#platform.digest(file)
      if (digest === null) return null
      digests[param] = digest
    }
    return digests
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
  const names = Object.keys(files)
  const once = names.find((each) => files[each]?.openAt === null)
  return toldProblem('params_invalid', {
    pointer: pointerTo('/params', [once ?? names[0] ?? '']),
    code: 'file',
    detail:
      once === undefined
        ? 'an idempotency key needs the digest of the file, which is too large for one here: give no key'
        : 'an idempotency key needs a file that can be read twice (bytes, a Blob, a path); a stream is read once: give no key',
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
