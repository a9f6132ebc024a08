// One operation from its names to its envelope. It asks the rooms in order, makes pages smaller that are too large, seals
// the cursors of pages, and checks connections. ARCHITECTURE.md draws the way.
import { type Envelope, listingMeta, toClientForm, wrapPage } from './envelope/wrap-page.ts'
import type { FreshCredentials } from './credentials/fresh-credentials.ts'
import { ConnectorError, isConnectorError } from '../errors.ts'
import type { ExchangeObserver } from './exchange/call.ts'
import type { FilesByMark } from '../language/expression/file-source.ts'
import type { JsonBytes } from '../language/json/json-bytes.ts'
import { isJsonObject, isList, mergeObjects, ownAt, withMember } from '../language/json/members.ts'
import { pointerTo } from '../language/json/pointer.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { nodeCrypto, onceLoaded, whenLoaded } from '../late-modules.ts'
import { createServerOf } from './request/base-url.ts'
import type { Page } from './response/page.ts'
import { dataWith } from './response/read-page.ts'
import type { UnsaidEnd } from './response/page-end.ts'
import type { Relay } from './response/relay.ts'
import { shrinkPage, sizeParam } from './response/shrink-page.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import { markFiles } from './plan/files.ts'
import {
  createActionFinder,
  type FoundAction,
  keepClock,
  type Operation,
  sealedLink,
} from './plan/plan.ts'
import { timeFiles } from './run/sending-time.ts'
import { carriedParams, withCarriedParams } from './run/carried-params.ts'
import { type CompiledAction, compileAction } from './run/compiled-action.ts'
import { type FileStream, runDownload } from './run/download.ts'
import { calledAction, type Complete } from './run/for-each.ts'
import { type CheckResult, compileCheck, resultOf } from './run/check.ts'
import { type RawAnswer, type RawRequest, sendRaw } from './run/raw-request.ts'
import { type PreviewedRequest, previewOperation } from './run/preview.ts'
import type { Sealer } from './run/seal.ts'
import { type Run, type RunPorts, type RunResult, runSteps } from './run/steps.ts'
import { runUpload } from './run/upload.ts'
import { ToolSessions } from './run/tool-session.ts'

export interface EnginePorts extends Omit<RunPorts, 'server' | 'sessions'> {
  readonly manifest: Manifest
  /** Another upstream origin; null: the manifest's. */
  readonly serverUrl: string | null
  readonly sealer: Sealer
  /**
   * How numbers that a double cannot hold come out: `text` for callers in JavaScript (default), `exact` for callers that
   * write JSON with all their digits.
   */
  readonly numbers?: 'text' | 'exact'
}

/** What a caller may say of one call. */
export interface CallTerms {
  /** Ends the call with `aborted`; the signal's reason is the cause. */
  readonly signal?: AbortSignal | undefined
  /** Whole call, waits and repetitions included; for listings of one page. Default: the client's, else 60,000 ms. */
  readonly timeoutMs?: number | undefined
  /** Attempts after the first. Default: what the manifest says; writes are never repeated after an unknown outcome. */
  readonly retries?: number | undefined
  /** For vendors with an idempotency header; default: a random one per call. */
  readonly idempotencyKey?: string | undefined
  /** Told how far a report is that must be awaited, and `{ pages, records }` of what `for_each` has read so far. */
  readonly onProgress?: ((progress: Json) => void) | undefined
}

/** Options of one call: its terms, and what watches it. */
export interface CallSettings extends CallTerms {
  /** The longest wait that the third party may ask for before a request; a longer one ends the call. In milliseconds. */
  readonly patienceMs?: number | undefined
  readonly observer?: ExchangeObserver | undefined
}

/** An answer for callers that write it as JSON. */
export interface Relayed {
  /** Bytes where the manifest only points at the records: every member and digit as it came. */
  readonly data: Json | JsonBytes
  readonly meta: JsonObject
  /** Set where a listing ends with this page, its first, and nothing in the answer said that it does. */
  readonly unsaidEnd: UnsaidEnd | null
  /** How often something was sent. */
  readonly requests: number
}

/** An answer with what only the engine's own users need. */
export interface Executed {
  readonly envelope: Envelope
  readonly page: Pick<Page, 'records' | 'mark' | 'unsaidEnd' | 'filteredOut' | 'unmatched'>
  /** How often something was sent. */
  readonly requests: number
}

const NO_OBSERVER: ExchangeObserver = {}
const NO_FILES: FilesByMark = new Map()
const DEFAULT_TIMEOUT_MS = 60_000

/** One operation with parameters that are checked and complete. */
interface Call {
  readonly compiled: CompiledAction
  readonly params: JsonObject
  readonly files: FilesByMark
  readonly settings: CallSettings
}

interface Answered {
  readonly result: RunResult
  /** The parameters that were used in the end: with a smaller page than the call's where the third party wanted it. */
  readonly params: JsonObject
  readonly requests: number
}

/** Runs the operations of one manifest with one set of credentials. */
export class Engine {
  readonly manifest: Manifest
  readonly #ports: EnginePorts & RunPorts
  readonly #findAction: ReturnType<typeof createActionFinder>
  readonly #compiled = new Map<FoundAction, CompiledAction>()
  readonly #now = (): number => this.#ports.clock.now()

  constructor(ports: EnginePorts) {
    this.manifest = ports.manifest
    this.#ports = {
      ...ports,
      server: createServerOf(ports.manifest, ports.serverUrl),
      sessions: new ToolSessions(),
    }
    this.#findAction = createActionFinder(ports.manifest)
  }

  /** Runs every action but downloads. */
  async execute(wanted: Operation, settings: CallSettings = {}): Promise<Executed> {
    const planned = this.#plan(wanted, settings)
    const call = planned instanceof Promise ? await planned : planned
    refuseBytes(call.compiled)
    const started = this.#ports.clock.monotonic()
    const executed = this.#read(call, await this.#fetchPage(call, null))
    const { complete } = call.compiled
    return complete === null ? executed : await this.#complete(call, executed, complete, started)
  }

  /**
   * Runs like `execute`, and leaves records unread where it can. Nothing passes that `execute` would refuse; what the
   * numbers of the records are is the reader's affair.
   */
  async relay(wanted: Operation, settings: CallSettings = {}): Promise<Relayed> {
    const call = await this.#plan(wanted, settings)
    refuseBytes(call.compiled)
    if (call.compiled.complete !== null) {
      const { envelope, page, requests } = await this.execute(wanted, settings)
      return { ...envelope, unsaidEnd: page.unsaidEnd, requests }
    }
    return this.#passOn(call, await this.#fetchPage(call, call.compiled.relay))
  }

  /** Runs a download; resolves when the first byte is there. */
  async download(wanted: Operation, settings: CallSettings = {}): Promise<FileStream> {
    const call = await this.#plan(wanted, settings)
    const deadline = this.#deadlineOf(settings)
    const fresh = await this.#ports.keeper.current(deadline, settings.signal)
    return await runDownload(this.#begin(call, fresh, deadline))
  }

  /** Sends a request of the caller's own making, with these credentials. Throws as `sendRaw` says. */
  async raw(request: RawRequest, settings: CallSettings = {}): Promise<RawAnswer> {
    const { keeper, clock } = this.#ports
    const { signal, retries = null, observer = NO_OBSERVER, idempotencyKey } = settings
    const due = this.#deadlineOf(settings)
    const content = request.body?.content ?? ''
    const isFile = typeof content !== 'string' && !(content instanceof Uint8Array)
    const timed = isFile ? timeFiles(new Map([['body', content]]), clock) : null
    const file = timed?.files.get('body')
    const body =
      file === undefined ? request.body : { type: request.body?.type ?? null, content: file }
    const fresh = keeper.ready() ?? (await keeper.current(due, signal))
    return await sendRaw(
      this.#ports,
      this.manifest,
      { ...request, ...(body === undefined ? {} : { body }) },
      {
        fresh,
        isStandIn: this.#ports.serverUrl !== null,
        deadline: () => due + (timed?.sentMs() ?? 0),
        signal,
        retries,
        patienceMs: null,
        observer,
        idempotencyKey,
      },
    )
  }

  /** The requests that an operation would send, secrets masked. Sends nothing, renews nothing. */
  async preview({
    entity,
    action,
    params: given = {},
    files: givenFiles,
  }: Operation): Promise<readonly PreviewedRequest[]> {
    const compiled = this.find(entity, action)
    const fresh = await this.#ports.keeper.peek()
    const { params, files } = markFiles(compiled.action, given, givenFiles)
    const planned = await whenLoaded(() => compiled.plan(params, fresh.config, this.#now))
    const { forEach } = compiled.action
    const called = forEach === undefined ? null : this.find(...calledAction(forEach))
    const run = { compiled, ports: this.#ports, params: planned, files, fresh }
    return await whenLoaded(() => previewOperation(run, called))
  }

  /** Runs the manifest's check: do the credentials work? */
  async check(settings: CallSettings = {}): Promise<CheckResult> {
    const { clock, keeper } = this.#ports
    const started = clock.monotonic()
    const took = (): number => clock.monotonic() - started
    const { serverUrl } = this.#ports
    const check = await whenLoaded(() =>
      compileCheck(this.manifest, serverUrl, this.find.bind(this)),
    )
    if (check === null) return { result: 'inconclusive', tookMs: took(), error: null }
    try {
      const { compiled } = check
      const config = keeper.config()
      const given = check.params(config, this.#now)
      const params = await whenLoaded(() => compiled.plan(given, config, this.#now))
      const call: Call = { compiled, params, files: NO_FILES, settings }
      this.#read(call, await this.#fetchPage(call, null))
      return { result: 'ok', tookMs: took(), error: null }
    } catch (error) {
      if (!isConnectorError(error) || error.code === 'aborted') throw error
      return { result: resultOf(error), tookMs: took(), error }
    }
  }

  /** The compiled action; throws `operation_unknown` or `search_needs_hosted_mode`. */
  find(entity: string, action: string): CompiledAction {
    const found = this.#findAction(entity, action)
    let compiled = this.#compiled.get(found)
    if (compiled === undefined) {
      compiled = compileAction(this.manifest, found.entity, found.action, this.#ports.serverUrl)
      this.#compiled.set(found, compiled)
    }
    return compiled
  }

  #plan(operation: Operation, settings: CallSettings): Call | Promise<Call> {
    return onceLoaded(() => {
      const compiled = this.find(operation.entity, operation.action)
      const { params, files } = markFiles(compiled.action, operation.params ?? {}, operation.files)
      const planned = compiled.plan(params, this.#ports.keeper.config(), this.#now)
      return { compiled, params: planned, files, settings }
    })
  }

  /** Asks for one page, with a smaller page size where the third party wants it. `relay`: null for records as values. */
  async #fetchPage(call: Call, relay: Relay | null): Promise<Answered> {
    const { keeper } = this.#ports
    const { compiled, settings } = call
    const deadline = this.#deadlineOf(settings)
    let current = call
    let requests = 0
    for (;;) {
      const fresh = keeper.ready() ?? (await keeper.current(deadline, settings.signal))
      const run = this.#begin(current, fresh, deadline, relay)
      const result =
        compiled.upload === null ? await runSteps(run) : await runUpload(run, compiled.upload)
      const { params } = current
      requests += result.requests
      if (result.verdict.effect !== 'shrink_page') return { result, params, requests }
      const smaller = keepStarted(compiled, result, () =>
        withSmallerPage(compiled, withStarted(compiled, params, result)),
      )
      current = { ...call, params: smaller }
    }
  }

  #deadlineOf({ timeoutMs = DEFAULT_TIMEOUT_MS }: CallSettings): number {
    return this.#ports.clock.monotonic() + timeoutMs
  }

  #begin(
    { compiled, params, files, settings }: Call,
    fresh: FreshCredentials,
    deadline: number,
    relay: Relay | null = null,
  ): Run {
    const run: Run = {
      compiled,
      ports: this.#ports,
      params,
      files,
      fresh,
      deadline: () => deadline,
      signal: settings.signal,
      retries: settings.retries ?? null,
      patienceMs: settings.patienceMs ?? null,
      idempotencyKey:
        settings.idempotencyKey ?? (compiled.sendsKey ? nodeCrypto().randomUUID() : ''),
      link: openLink(this.#ports.sealer, compiled, params),
      relay,
      onProgress: settings.onProgress,
      observer: settings.observer ?? NO_OBSERVER,
    }
    if (files.size === 0) return run
    const timed = timeFiles(files, this.#ports.clock)
    return { ...run, files: timed.files, deadline: () => deadline + timed.sentMs() }
  }

  #read({ compiled, params: planned }: Call, { result, params, requests }: Answered): Executed {
    const readFull = result.step.read ?? compiled.read
    const read = result.verdict.effect === 'empty' ? (compiled.readEmpty ?? readFull) : readFull
    const exact = keepStarted(compiled, result, () => read(result.answer, result.scope))
    const page = this.#ports.numbers === 'exact' ? exact : toClientForm(exact)
    const sized = keepParams(compiled, page, { planned, used: params })
    return { page: sized, envelope: wrapPage(sized, this.#sealFor(compiled)), requests }
  }

  /** Calls what the manifest wants for each record of an answer, within the time of the call that began at `started`. */
  async #complete(
    { compiled, params, settings }: Call,
    { page, envelope, requests }: Executed,
    complete: Complete,
    started: number,
  ): Promise<Executed> {
    const { clock, keeper } = this.#ports
    const { timeoutMs = DEFAULT_TIMEOUT_MS, signal, onProgress } = settings
    const { retries, patienceMs, observer } = settings
    const read = { pages: 0, records: 0 }
    const scope = { params, config: keeper.config(), maps: this.manifest.maps }
    const records = page.records ?? (envelope.data === null ? [] : [envelope.data])
    const done = await complete(records, scope, async (operation) => {
      const left = timeoutMs - (clock.monotonic() - started)
      const inner = { signal, retries, patienceMs, observer, timeoutMs: Math.max(0, left) }
      const { envelope: answer, requests: sent } = await this.execute(operation, inner)
      const next = answer.meta['next'] ?? null
      read.pages++
      read.records += isList(answer.data) ? answer.data.length : 1
      onProgress?.({ ...read })
      return { data: answer.data, next: isJsonObject(next) ? next : null, requests: sent }
    })
    const data = dataWith(compiled.action, { page, data: envelope.data }, done.records)
    return {
      page: page.records === null ? page : { ...page, records: done.records },
      envelope: { ...envelope, data },
      requests: requests + done.requests,
    }
  }

  /** Reads an answer, but for its records where it can. */
  #passOn(call: Call, answered: Answered): Relayed {
    const { compiled } = call
    const { result, params, requests } = answered
    if (compiled.relay === null || result.relayed === null) {
      const { envelope, page } = this.#read(call, answered)
      return { ...envelope, unsaidEnd: page.unsaidEnd, requests }
    }
    const page = compiled.relay.read(result.relayed, result.answer, result.scope)
    const { data } = result.relayed
    const { unsaidEnd } = page
    if (compiled.action.response.kind !== 'list')
      return { data, meta: page.meta, unsaidEnd, requests }
    const sized = keepParams(compiled, page, { planned: call.params, used: params })
    return { data, meta: listingMeta(sized, this.#sealFor(compiled)), unsaidEnd, requests }
  }

  #sealFor(compiled: CompiledAction): (url: string) => string {
    return (url) => this.#ports.sealer.seal(url, purposeOf(compiled))
  }
}

function refuseBytes({ action }: CompiledAction): void {
  if (action.response.kind !== 'stream') return
  throw new TypeError(`${action.entity}.${action.name} answers bytes; call download`)
}

/** The parameters with those of what the first steps started, so that a repetition does not start it again. */
function withStarted(
  { action, steps }: CompiledAction,
  params: JsonObject,
  { scope }: RunResult,
): JsonObject {
  const started = steps.length > 1 ? carriedParams(action, scope) : null
  return started === null ? params : mergeObjects(params, started)
}

/** Errors of reading an answer name what the first steps started. */
function keepStarted<T>({ action, steps }: CompiledAction, { scope }: RunResult, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw steps.length > 1 ? withCarriedParams(action, scope, error) : error
  }
}

/** What the next page takes over from this one without the caller's doing. */
function keepParams<P extends Pick<Page, 'next'>>(
  compiled: CompiledAction,
  page: P,
  { planned, used }: { readonly planned: JsonObject; readonly used: JsonObject },
): P {
  const sized = used === planned ? page : keepSize(compiled, page, used)
  if (sized.next === null) return sized
  const next = keepClock(compiled.action, sized.next, used)
  return next === sized.next ? sized : { ...sized, next }
}

/** A page size that the third party could not bear would fail again on every page: the next one keeps the smaller. */
function keepSize<P extends Pick<Page, 'next'>>(
  { action }: CompiledAction,
  page: P,
  params: JsonObject,
): P {
  const size = sizeParam(action.pagination)
  const value = size === null ? undefined : ownAt(params, size)
  if (page.next === null || size === null || value === undefined) return page
  return { ...page, next: withMember(page.next, size, value) }
}

/** The address of the page that a sealed cursor stands for. */
function openLink(sealer: Sealer, compiled: CompiledAction, params: JsonObject): string | null {
  const given = sealedLink(compiled.action.pagination, params)
  if (given === null) return null
  const link = sealer.open(given.sealed, purposeOf(compiled))
  if (link !== null) return link
  const pointer = pointerTo('/params', given.param)
  throw new ConnectorError(
    'cursor_invalid',
    'the cursor was altered, or belongs to another listing or client; start the listing again without it',
    { errors: [{ pointer, code: 'cursor', detail: 'is not a cursor of this listing' }] },
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
