// One operation from its names to its envelope: the rooms in order, and nothing else.
//
//   plan      the action, its parameters checked and completed        src/engine/plan
//   lend      credentials that are fresh                              src/engine/credentials
//   run       build, send, judge; steps, polls, retries around it     src/engine/run → src/engine/request, src/engine/exchange, src/engine/response
//   read      records picked, filtered, the next page found           src/engine/response
//   envelope  { data, meta }                                          src/engine/envelope
import {
  type Envelope,
  listingMeta,
  toClientForm,
  wrapPage,
  type WrapOptions,
} from './envelope/wrap-page.ts'
import type { Lent } from './credentials/keeper.ts'
import { ConnectorError, isConnectorError } from '../errors.ts'
import type { ExchangeObserver } from './exchange/call.ts'
import type { JsonBytes } from '../language/json/json-bytes.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { nodeCrypto } from '../late-modules.ts'
import { applyPatch } from './response/merge-patch.ts'
import { fillFirst, sealedLink } from './response/next-page.ts'
import type { Page } from './response/page.ts'
import type { UnsaidEnd } from './response/page-end.ts'
import { paramPointer, patchAt, readParam } from './response/param-path.ts'
import type { Relay } from './response/relay.ts'
import { shrinkPage, sizeParam } from './response/shrink-page.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import { createActionFinder, type FoundAction, type Operation } from './plan/plan.ts'
import { carriedParams, withCarriedParams } from './run/carried-params.ts'
import { type CompiledAction, compileAction } from './run/compiled-action.ts'
import { type FileStream, runDownload } from './run/download.ts'
import { type CheckResult, compileCheck, resultOf } from './run/check.ts'
import { type PreviewedRequest, previewOperation } from './run/preview.ts'
import type { Sealer } from './run/seal.ts'
import { type RunInput, type RunPorts, type RunResult, runSteps, unsentInput } from './run/steps.ts'

export interface EnginePorts extends RunPorts {
  readonly manifest: Manifest
  readonly sealer: Sealer
  /**
   * How numbers that a double cannot hold come out: `text` for callers in JavaScript (default), `exact` for whoever
   * writes JSON with all their digits.
   */
  readonly numbers?: 'text' | 'exact'
}

/** Options of one call. */
export interface CallSettings {
  readonly signal?: AbortSignal | undefined
  /** Whole call, waits and repetitions included, in milliseconds; default 60,000. */
  readonly timeoutMs?: number | undefined
  /** Attempts after the first; default: what the manifest says. */
  readonly retries?: number | undefined
  readonly idempotencyKey?: string | undefined
  /** Told how far a report is that must be awaited. */
  readonly onProgress?: ((progress: Json) => void) | undefined
  readonly observer?: ExchangeObserver | undefined
}

/** An answer with what only the engine's own users need. */
export interface Executed {
  readonly envelope: Envelope
  /** The records of a listing, also where `data` is a page object; null for every other action. */
  readonly records: readonly Json[] | null
  /** Tells this page from others of one run; null where there is nothing to compare. */
  readonly mark: string | null
  /** Set where a listing ends with this page, its first, and nothing in the answer said that it does. */
  readonly unsaidEnd: UnsaidEnd | null
  /** How often something was sent. */
  readonly requests: number
}

/** An answer for whoever writes it as JSON. */
export interface Relayed {
  /** Bytes where the manifest only points at the records: every member and digit as it came. */
  readonly data: Json | JsonBytes
  readonly meta: JsonObject
  /** Set where a listing ends with this page, its first, and nothing in the answer said that it does. */
  readonly unsaidEnd: UnsaidEnd | null
  /** How often something was sent. */
  readonly requests: number
}

/** Runs the operations of one manifest with one set of credentials. */
export interface Engine {
  readonly manifest: Manifest
  /** The compiled action; throws `operation_unknown` or `search_needs_hosted_mode`. */
  find(entity: string, action: string): CompiledAction
  /** Runs every action but downloads. */
  execute(operation: Operation, settings?: CallSettings): Promise<Executed>
  /**
   * Runs like `execute`, and leaves records unread where it can. Nothing passes that `execute` would refuse; what the
   * numbers of the records are is the reader's affair.
   */
  relay(operation: Operation, settings?: CallSettings): Promise<Relayed>
  /** Runs a download; resolves when the first byte is there. */
  download(operation: Operation, settings?: CallSettings): Promise<FileStream>
  /** The requests that an operation would send, secrets masked. Sends nothing, renews nothing. */
  preview(operation: Operation): Promise<readonly PreviewedRequest[]>
  /** Runs the manifest's check: do the credentials work? */
  check(settings?: CallSettings): Promise<CheckResult>
}

const NO_OBSERVER: ExchangeObserver = {}
const DEFAULT_TIMEOUT_MS = 60_000

export function createEngine(ports: EnginePorts): Engine {
  const { manifest } = ports
  const findAction = createActionFinder(manifest)
  const compiled = new Map<FoundAction, CompiledAction>()

  function find(entity: string, action: string): CompiledAction {
    const found = findAction(entity, action)
    let operation = compiled.get(found)
    if (operation === undefined)
      compiled.set(found, (operation = compileAction(manifest, found.entity, found.action)))
    return operation
  }

  function plan(operation: CompiledAction, params: JsonObject): JsonObject {
    return fillFirst(operation.action.pagination, operation.plan(params, ports.keeper.settings()))
  }

  return {
    manifest,
    find,
    async execute({ entity, action, params = {} }, settings = {}) {
      const operation = find(entity, action)
      refuseBytes(operation)
      return await readPage(ports, operation, plan(operation, params), settings)
    },
    async relay({ entity, action, params = {} }, settings = {}) {
      const operation = find(entity, action)
      refuseBytes(operation)
      return await relayPage(ports, operation, plan(operation, params), settings)
    },
    async download({ entity, action, params = {} }, settings = {}) {
      const operation = find(entity, action)
      const planned = plan(operation, params)
      const deadline = ports.clock.monotonic() + (settings.timeoutMs ?? DEFAULT_TIMEOUT_MS)
      const lent = await ports.keeper.current(deadline, settings.signal)
      const input = inputOf(ports, operation, planned, settings, deadline, lent)
      return await runDownload(operation, ports, input)
    },
    async preview({ entity, action, params = {} }) {
      const operation = find(entity, action)
      const lent = await ports.keeper.peek()
      const input = unsentInput(
        lent,
        fillFirst(operation.action.pagination, operation.plan(params, lent.config)),
      )
      return previewOperation(operation, ports, input, ports.keeper.secrets())
    },
    async check(settings = {}) {
      const started = ports.clock.monotonic()
      const took = (): number => ports.clock.monotonic() - started
      const check = compileCheck(manifest, find)
      if (check === null) return { result: 'inconclusive', tookMs: took(), error: null }
      try {
        const params = check.params(ports.keeper.settings(), () => ports.clock.now())
        await readPage(
          ports,
          check.operation,
          check.operation.plan(params, ports.keeper.settings()),
          settings,
        )
        return { result: 'ok', tookMs: took(), error: null }
      } catch (error) {
        if (!isConnectorError(error) || error.code === 'aborted') throw error
        return { result: resultOf(error), tookMs: took(), error }
      }
    },
  }
}

function refuseBytes({ action }: CompiledAction): void {
  if (action.response.kind !== 'stream') return
  throw new TypeError(`${action.entity}.${action.name} answers bytes; call download`)
}

/** Reads one page. */
async function readPage(
  ports: EnginePorts,
  operation: CompiledAction,
  planned: JsonObject,
  settings: CallSettings,
): Promise<Executed> {
  return readAnswered(
    ports,
    operation,
    planned,
    await askForPage(ports, operation, planned, settings, null),
  )
}

/** Reads one page, but for its records where it can. */
async function relayPage(
  ports: EnginePorts,
  operation: CompiledAction,
  planned: JsonObject,
  settings: CallSettings,
): Promise<Relayed> {
  const { relay } = operation
  const answered = await askForPage(ports, operation, planned, settings, relay)
  const { result, requests, params } = answered
  if (relay === null || result.relayed === null) {
    const { envelope, unsaidEnd } = readAnswered(ports, operation, planned, answered)
    return { ...envelope, unsaidEnd, requests }
  }
  const page = relay.read(result.relayed, result.answer, result.scope)
  const { data } = result.relayed
  const { unsaidEnd } = page
  if (operation.action.response.kind !== 'list')
    return { data, meta: page.meta, unsaidEnd, requests }
  const sized = params === planned ? page : { ...page, next: nextOfSize(operation, page, params) }
  return { data, meta: listingMeta(sized, sealing(ports, operation)), unsaidEnd, requests }
}

interface Answered {
  readonly result: RunResult
  /** The parameters that were used in the end. */
  readonly params: JsonObject
  readonly requests: number
}

/** Asks for one page, with a smaller page size where the third party wants it. */
async function askForPage(
  ports: EnginePorts,
  operation: CompiledAction,
  planned: JsonObject,
  settings: CallSettings,
  relay: Relay | null,
): Promise<Answered> {
  let params = planned
  let requests = 0
  for (;;) {
    const deadline = ports.clock.monotonic() + (settings.timeoutMs ?? DEFAULT_TIMEOUT_MS)
    const lent = ports.keeper.ready() ?? (await ports.keeper.current(deadline, settings.signal))
    const input = inputOf(ports, operation, params, settings, deadline, lent, relay)
    const result = await runSteps(operation, ports, input)
    requests += result.requests
    if (result.verdict.effect !== 'shrink_page') return { result, params, requests }
    params = keepStarted(operation, result, () =>
      withSmallerPage(operation, withStarted(operation, params, result)),
    )
  }
}

function readAnswered(
  ports: EnginePorts,
  operation: CompiledAction,
  planned: JsonObject,
  { result, params, requests }: Answered,
): Executed {
  const readFull = result.step.read ?? operation.read
  const read = result.verdict.effect === 'empty' ? (operation.readEmpty ?? readFull) : readFull
  const exact = keepStarted(operation, result, () => read(result.answer, result.scope))
  const page = ports.numbers === 'exact' ? exact : toClientForm(exact)
  const sized = params === planned ? page : keepSize(operation, page, params)
  return executed(ports, operation, sized, requests)
}

/** The parameters with those of what the first steps started, so that a repetition does not start it again. */
function withStarted(
  { action, steps }: CompiledAction,
  params: JsonObject,
  { scope }: RunResult,
): JsonObject {
  const started = steps.length > 1 ? carriedParams(action, scope) : null
  return started === null ? params : applyPatch(params, started)
}

/** Errors of reading an answer name what the first steps started. */
function keepStarted<T>({ action, steps }: CompiledAction, { scope }: RunResult, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw steps.length > 1 ? withCarriedParams(action, scope, error) : error
  }
}

function executed(
  ports: EnginePorts,
  operation: CompiledAction,
  page: Page,
  requests: number,
): Executed {
  const envelope = wrapPage(page, sealing(ports, operation))
  return new ExecutedPage(page, envelope, requests)
}

function sealing(ports: EnginePorts, operation: CompiledAction): WrapOptions {
  return { seal: (url) => ports.sealer.seal(url, purposeOf(operation)) }
}

/** A class for the sake of its getter, which costs nothing until it is read. */
class ExecutedPage implements Executed {
  readonly envelope: Envelope
  readonly requests: number
  readonly #page: Page

  constructor(page: Page, envelope: Envelope, requests: number) {
    this.#page = page
    this.envelope = envelope
    this.requests = requests
  }

  get records(): readonly Json[] | null {
    return this.#page.records
  }

  get mark(): string | null {
    return this.#page.mark
  }

  get unsaidEnd(): UnsaidEnd | null {
    return this.#page.unsaidEnd
  }
}

/** A page size that the third party could not bear would fail again on every page: the next one keeps the smaller. */
function keepSize(operation: CompiledAction, page: Page, params: JsonObject): Page {
  const next = nextOfSize(operation, page, params)
  return next === page.next ? page : { ...page, next }
}

function nextOfSize(
  operation: CompiledAction,
  { next }: Pick<Page, 'next'>,
  params: JsonObject,
): JsonObject | null {
  const size = sizeParam(operation.action.pagination)
  const value = size === null ? undefined : readParam(params, size)
  if (next === null || size === null || value === undefined) return next
  return applyPatch(next, patchAt(size, value))
}

function inputOf(
  ports: EnginePorts,
  operation: CompiledAction,
  params: JsonObject,
  settings: CallSettings,
  deadline: number,
  lent: Lent,
  relay: Relay | null = null,
): RunInput {
  const link = openLink(ports, operation, params)
  return {
    params,
    lent,
    deadline,
    signal: settings.signal,
    retries: settings.retries ?? null,
    idempotencyKey:
      settings.idempotencyKey ?? (operation.sendsKey ? nodeCrypto().randomUUID() : ''),
    link,
    relay,
    onProgress: settings.onProgress,
    observer: settings.observer ?? NO_OBSERVER,
  }
}

/** The address of the page that a sealed cursor stands for. */
function openLink(
  ports: EnginePorts,
  operation: CompiledAction,
  params: JsonObject,
): string | null {
  const given = sealedLink(operation.action.pagination, params)
  if (given === null) return null
  const link = ports.sealer.open(given.sealed, purposeOf(operation))
  if (link !== null) return link
  throw new ConnectorError(
    'cursor_invalid',
    'the cursor was altered, or belongs to another listing or client; start the listing again without it',
    {
      errors: [
        {
          pointer: paramPointer(given.param),
          code: 'cursor',
          detail: 'is not a cursor of this listing',
        },
      ],
    },
  )
}

function purposeOf({ manifest, action }: CompiledAction): string {
  return `${manifest.type}/${manifest.version.split('.')[0]}/${action.entity}.${action.name}`
}

/** The third party said that the page is too large: half the size, or a small one where the caller gave none. */
function withSmallerPage({ manifest, action }: CompiledAction, params: JsonObject): JsonObject {
  const smaller = shrinkPage(action.pagination, params)
  if (smaller !== null) return smaller
  throw new ConnectorError(
    'upstream_failed',
    `${manifest.type} ${action.entity}.${action.name}: the third party cannot deliver this page, and it cannot be made smaller; ask for fewer fields, or for smaller pages from the first one on`,
  )
}
