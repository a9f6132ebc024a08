// A file in parts: the answer of the request names an address, parts go there one after the other, and behind one that
// broke off the vendor is asked what it has. The answer to the last part is that of the action.
import type { FreshCredentials } from '../credentials/fresh-credentials.ts'
import { amendError, ConnectorError, isConnectorError } from '../../errors.ts'
import { aborted, type CallTerms, type Judgement, type ReliableCall } from '../exchange/call.ts'
import { notRepeated } from '../exchange/streamed.ts'
import type { UpstreamResponse } from '../exchange/transport.ts'
import { DEFAULT_LIMITS } from '../exchange/transport-limits.ts'
import type { FileSource } from '../../language/expression/file-source.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import type { Entry, Upload } from '../../language/manifest/manifest.ts'
import { type Position, positionWord } from '../../language/manifest/upload-positions.ts'
import { StreamedBody } from '../request/streamed-body.ts'
import { signed, type UpstreamRequest } from '../request/upstream-request.ts'
import { isSuccess } from '../response/error-rules.ts'
import { readAnswerBody } from './answer-body.ts'
import type { CompiledAction, CompiledStep } from './compiled-action.ts'
import type { CompiledUpload } from './compiled-upload.ts'
import { credentialsOf, renderHeaders, withCredentials } from './file-request.ts'
import { judgeAnswer, type Run, type RunResult, runSteps, type StepAnswer } from './steps.ts'
import { fileInMemory, uploadedFile, uploadScope } from './upload-file.ts'
import { FileParts, type Part } from './upload-parts.ts'

/** How often a vendor may want bytes again that it had, and be asked why a file that it has is not complete. */
const MAX_SETBACKS = 10
const MAX_QUESTIONS = 3
const BETWEEN_QUESTIONS_MS = 1000

/**
 * Runs an action that sends its file in parts.
 *
 * Throws what the request and the parts throw, with `details.bytes` (that the vendor has) and `details.size`;
 * `upload_session_refused` where the address is refused or has ended, `upload_interrupted` for a file that breaks off,
 * `upstream_malformed` for an answer that says of the file what cannot be.
 */
export async function runUpload(run: Run, compiled: CompiledUpload): Promise<RunResult> {
  const file = uploadedFile(compiled.upload, run)
  const begun = await runSteps({ ...run, relay: null })
  const transfer = new Transfer(run, compiled, { file, begun })
  try {
    return await transfer.run()
  } finally {
    transfer.close()
  }
}

/** What an answer to a part or a question says. */
type Said =
  | { readonly kind: 'at'; readonly position: Position }
  | { readonly kind: 'complete'; readonly answer: StepAnswer }

class Transfer {
  readonly #run: Run
  readonly #compiled: CompiledUpload
  readonly #file: FileSource
  readonly #parts: FileParts
  readonly #url: string
  readonly #scope: Scope
  /** As which its answers are read. */
  readonly #step: CompiledStep
  #fresh: FreshCredentials
  #requests: number
  readonly #deadline: number
  #size: number | null
  /** Time in which the file moved, which moves the deadline. */
  #movedMs = 0
  /** When the last attempt began. */
  #sentAt = 0
  #sent: UpstreamRequest | null = null
  #position: Position = { from: 0, until: null }

  constructor(
    run: Run,
    compiled: CompiledUpload,
    { file, begun }: { readonly file: FileSource; readonly begun: RunResult },
  ) {
    const { fresh, requests, scope, step } = begun
    const { signal, ports } = run
    this.#run = run
    this.#compiled = compiled
    this.#file = file
    this.#deadline = run.deadline()
    this.#fresh = fresh
    this.#requests = requests
    this.#scope = scope
    this.#size = file.size
    this.#step = {
      ...step,
      write: true,
      repeatable: true,
      decode: run.compiled.action.response.decode,
    }
    this.#url = addressOf(run.compiled, compiled, begun)
    this.#parts = new FileParts(file, compiled.upload.chunk.size, { clock: ports.clock, signal })
  }

  close(): void {
    this.#parts.close()
  }

  async run(): Promise<RunResult> {
    let setbacks = 0
    let questions = 0
    for (;;) {
      const { from, until } = this.#position
      const isSent = this.#size !== null && from >= this.#size
      if (isSent && questions++ === MAX_QUESTIONS) throw this.#neverComplete()
      if (questions > 1) await this.#pause()
      const said = isSent
        ? await this.#ask(this.#size ?? from).catch(this.#failed(this.#size !== 0))
        : await this.#send(await this.#read(from, until))
      if (said.kind === 'complete') {
        const { answer, verdict, relayed } = said.answer
        return {
          answer,
          verdict,
          relayed,
          step: this.#step,
          scope: this.#scope,
          fresh: this.#fresh,
          requests: this.#requests,
        }
      }
      if (said.position.from < from && setbacks++ === MAX_SETBACKS)
        throw this.#malformed(`wants bytes of the file again and again`)
      this.#position = said.position
    }
  }

  async #pause(): Promise<void> {
    const { ports, signal } = this.#run
    await ports.clock.sleep(BETWEEN_QUESTIONS_MS, signal).catch((cause: unknown) => {
      throw aborted(cause, 'uncertain')
    })
  }

  async #read(from: number, until: number | null): Promise<Part> {
    const { clock } = this.#run.ports
    const began = clock.monotonic()
    const part = await this.#parts.at(from, until).catch(this.#failed(false))
    this.#movedMs += clock.monotonic() - began
    if (part.isLast) this.#size = from + part.bytes.length
    return part
  }

  /** Sends a part until its answer is there, or it is known in another way what became of it. */
  async #send(part: Part): Promise<Said> {
    const end = part.from + part.bytes.length
    const said = await this.#call({
      method: 'chunk',
      build: (fresh) => this.#partRequest(part, fresh),
      judge: (response, fresh) => this.#judgePart(part, response, fresh),
      // The vendor may have some of it, or all.
      beforeRepeat: async (fresh) => {
        this.#fresh = fresh
        const asked = await this.#ask(end)
        const hasMoved = asked.kind === 'complete' || asked.position.from !== part.from
        return hasMoved ? { value: asked } : null
      },
    }).catch(this.#failed(part.isLast))
    const moved = said.kind === 'complete' ? part.bytes.length : said.position.from - part.from
    const took = this.#run.ports.clock.monotonic() - this.#sentAt
    const slowest = (Math.max(0, moved) / DEFAULT_LIMITS.rateBytesPerSecond) * 1000
    this.#movedMs += Math.min(took, slowest)
    return said
  }

  /** Asks what the vendor has. `sent`: how many bytes it may have at most. */
  async #ask(sent: number): Promise<Said> {
    const { upload } = this.#compiled
    return await this.#call({
      method: 'ask',
      build: (fresh) => this.#request(upload.ask, this.#scopeAt({}), null, fresh),
      judge: async (response, fresh) =>
        (await this.#saidOf('ask', sent, response, fresh)) ??
        this.#judge(response, fresh, { isLast: sent === this.#size }),
    })
  }

  async #call({
    method,
    build,
    ...call
  }: Pick<ReliableCall<FreshCredentials, UpstreamResponse, Said>, 'judge' | 'beforeRepeat'> & {
    readonly method: 'chunk' | 'ask'
    readonly build: (fresh: FreshCredentials) => UpstreamRequest
  }): Promise<Said> {
    const { ports, signal, retries, patienceMs, observer } = this.#run
    const deadline = this.#deadline + this.#movedMs
    const run: CallTerms = { deadline: () => deadline, signal, retries, patienceMs, observer }
    const isSame = this.#compiled.upload.auth === 'same'
    const result = await ports.exchange.call<FreshCredentials, UpstreamResponse, Said>({
      fresh: this.#fresh,
      renew: isSame ? (used) => ports.keeper.renew(used, deadline, signal) : null,
      mayBeStale: ({ isFound }) => isFound,
      build: (fresh) => {
        this.#sentAt = ports.clock.monotonic()
        return (this.#sent = signed(build(fresh)))
      },
      send: (request, options) => ports.transport.send(request, options),
      step: { ...this.#step, write: method === 'chunk' },
      run,
      narrow: this.#step.narrow(this.#scope),
      goneIsDone: null,
      ...call,
    })
    this.#fresh = result.fresh
    this.#requests += result.requests
    return result.value
  }

  async #judgePart(
    part: Part,
    response: UpstreamResponse,
    fresh: FreshCredentials,
  ): Promise<Judgement<Said>> {
    const end = part.from + part.bytes.length
    const said = await this.#saidOf('chunk', end, response, fresh)
    if (said === null) {
      const isMisplaced = this.#compiled.isMisplaced(response.status)
      const judged = await this.#judge(response, fresh, part)
      return isMisplaced && judged.kind === 'refused' ? toBeAsked(judged) : judged
    }
    if (said.kind !== 'accepted' || said.value.kind === 'complete') return said
    return said.value.position.from === part.from ? this.#tookNothing(response) : said
  }

  /** What an answer says that the vendor has; null: it does not wait for more. */
  async #saidOf(
    method: 'chunk' | 'ask',
    sent: number,
    response: UpstreamResponse,
    fresh: FreshCredentials,
  ): Promise<Judgement<Said> | null> {
    const { isMore, receivedIn, upload } = this.#compiled
    const { status, headers, url } = response
    if (!isMore[method](status)) return null
    const read = upload.received.at.root === 'body' ? 'json' : 'none'
    const step = { ...this.#step, decode: read } as const
    const body = await readAnswerBody(this.#run.compiled, step, response, response)
    const found = receivedIn({ status, headers, url, body }, this.#scope)
    const position = positionWord(upload.received.kind).read(found, this.#size)
    if (position === null) throw this.#malformed('does not say which bytes of the file it has')
    if (position.from > sent)
      throw this.#malformed(`says that it has ${position.from} bytes of ${sent} that were sent`)
    if (position.from !== this.#size || !isSuccess(status))
      return { kind: 'accepted', value: { kind: 'at', position } }
    // An empty file that is expected from its beginning is not there.
    const isExpected = Array.isArray(found) && found.length > 0
    if (isExpected) return { kind: 'accepted', value: { kind: 'at', position } }
    return await this.#judge(response, fresh, { isLast: true })
  }

  /** An answer that speaks of no bytes: the file is complete, or something is wrong. */
  async #judge(
    response: UpstreamResponse,
    fresh: FreshCredentials,
    { isLast }: Pick<Part, 'isLast'>,
  ): Promise<Judgement<Said>> {
    const asked = {
      run: this.#run,
      step: this.#step,
      scope: this.#scope,
      sent: () => this.#sent,
    }
    const isSame = this.#compiled.upload.auth === 'same'
    const judged = await judgeAnswer(asked, response, response, isSame ? fresh : null)
    if (judged.kind === 'refused') return this.#aboutSession(judged, response)
    if (!isLast) throw this.#malformed('calls the file complete before all of it was sent')
    return { kind: 'accepted', value: { kind: 'complete', answer: judged.value } }
  }

  /** An address that has ended, or that a host refuses which was given no credentials. */
  #aboutSession(
    judged: Extract<Judgement<unknown>, { readonly kind: 'refused' }>,
    { status, url }: UpstreamResponse,
  ): Judgement<Said> {
    const { upload } = this.#compiled
    const here = upload.auth === 'none' ? { ...judged, elsewhere: true as const } : judged
    const as = judged.failure?.as ?? null
    const isOver = as === 'not_found'
    const isRefused = upload.auth === 'none' && (as === 'credentials' || as === 'forbidden')
    if (!isOver && !isRefused) return here
    const what = isOver ? 'has ended or is not known any more' : 'was refused'
    return {
      ...here,
      error: (retryAfterMs) =>
        new ConnectorError(
          'upload_session_refused',
          `${this.#title}: the address to which the file is sent ${what} (status ${status} of ${new URL(url).host}); call again, which asks for a new one`,
          { upstream: judged.error(retryAfterMs).upstream },
        ),
    }
  }

  /** A part of which the vendor took nothing, although it did not refuse it. */
  #tookNothing({ status, headers, url }: UpstreamResponse): Judgement<Said> {
    return {
      kind: 'refused',
      answer: { status, headers, body: undefined, url },
      renew: false,
      outcome: 'not_applied',
      failure: { kind: 'status', status, as: null, rule: 'retry', nothingDone: true },
      error: (retryAfterMs) =>
        new ConnectorError(
          'upstream_failed',
          `${this.#title}: the third party took no byte of a part of the file`,
          { retryAfterMs },
        ),
    }
  }

  #partRequest(part: Part, fresh: FreshCredentials): UpstreamRequest {
    const { name } = this.#file
    const { from, bytes } = part
    const to = from + bytes.length
    const scope = this.#scopeAt({ from, to: to - 1 })
    // A signature is made of the bytes; else they are sent piece by piece, so that it is seen whether they move.
    const isSigned = this.#compiled.upload.auth === 'same' && fresh.applied.sign !== undefined
    const body = isSigned
      ? bytes
      : new StreamedBody([fileInMemory(bytes, { name: namedPart(name, from, to), type: null })])
    return this.#request(this.#compiled.upload.chunk, scope, body, fresh)
  }

  #request(
    template: Pick<Upload['chunk' | 'ask'], 'method' | 'headers'>,
    scope: Scope,
    body: UpstreamRequest['body'],
    fresh: FreshCredentials,
  ): UpstreamRequest {
    const { upload, timeoutMs } = this.#compiled
    const request = requestTo(this.#url, template, { scope, body, timeoutMs })
    if (upload.auth === 'none') return request
    return withCredentials(this.#run, request, {
      scope,
      fresh,
      what: 'the file is sent to a place',
    })
  }

  #scopeAt(place: { readonly from?: number; readonly to?: number }): Scope {
    const size = this.#size
    const upload = { ...uploadScope(this.#file), ...(size !== null && { total: size }), ...place }
    return { ...this.#scope, upload }
  }

  /** Gives an error what is known of the file. Nothing is complete before its last byte has left. */
  #failed(mayBeComplete: boolean): (error: unknown) => never {
    return (error) => {
      if (!isConnectorError(error)) throw error
      const { from: bytes } = this.#position
      const size = this.#size
      const isOpen = mayBeComplete || error.code === 'upstream_malformed'
      const known = amendError(error, {
        outcome: isOpen ? error.outcome : 'not_applied',
        details: { bytes, ...(size !== null && { size }) },
      })
      const isSpent = this.#file.openAt === null && error.code !== 'upload_interrupted'
      throw isSpent && known.retryable ? notRepeated(known) : known
    }
  }

  #neverComplete(): ConnectorError {
    return this.#size === 0
      ? new ConnectorError(
          'params_invalid',
          `${this.#title}: the third party takes no empty file this way`,
        )
      : this.#malformed('has all of the file and does not say that it is complete')
  }

  #malformed(what: string): ConnectorError {
    return new ConnectorError('upstream_malformed', `${this.#title}: the third party ${what}`, {
      outcome: 'uncertain',
    })
  }

  get #title(): string {
    const { manifest, action } = this.#run.compiled
    return `${manifest.type} ${action.entity}.${action.name}`
  }
}

/** What is sent for the first part of a file, for people. `url`: where it would go. */
export function previewPart(
  { upload, timeoutMs }: CompiledUpload,
  file: FileSource,
  {
    url,
    scope,
    fresh,
  }: { readonly url: string; readonly scope: Scope; readonly fresh: FreshCredentials },
): UpstreamRequest {
  const { size } = upload.chunk
  const to = file.size === null ? size : Math.min(size, file.size)
  const about = { ...scope, upload: { ...uploadScope(file), from: 0, to: to - 1 } }
  const body = `<${namedPart(file.name, 0, to)}>`
  const { secretAddress: _, ...request } = requestTo(url, upload.chunk, {
    scope: about,
    body,
    timeoutMs,
  })
  return upload.auth === 'none' ? request : { ...request, ...credentialsOf(request, fresh) }
}

function namedPart(name: string | null, from: number, to: number): string {
  return `bytes ${from} to ${to - 1} of ${name ?? 'a file'}`
}

function requestTo(
  url: string,
  { method, headers }: { readonly method: string; readonly headers: readonly Entry[] },
  {
    scope,
    body,
    timeoutMs,
  }: Pick<UpstreamRequest, 'body' | 'timeoutMs'> & { readonly scope: Scope },
): UpstreamRequest {
  return {
    method,
    url,
    headers: {
      accept: 'application/json, */*',
      ...(body !== null && { 'content-type': 'application/octet-stream' }),
      ...renderHeaders(headers, scope),
    },
    body,
    redirects: 0,
    timeoutMs,
    secretHeaders: [],
    secretQuery: [],
    secretAddress: true,
  }
}

/** Of a part that began elsewhere than the vendor expects: nothing of it was taken, and it is asked. */
function toBeAsked<T>(judged: Extract<Judgement<T>, { readonly kind: 'refused' }>): Judgement<T> {
  const { failure } = judged
  const status = failure?.status ?? null
  return {
    ...judged,
    failure: { kind: 'status', status, as: failure?.as ?? null, rule: 'retry', nothingDone: true },
  }
}

function addressOf(
  { manifest, action }: CompiledAction,
  { addressIn, upload }: CompiledUpload,
  { answer, scope }: Pick<StepAnswer, 'answer'> & Pick<RunResult, 'scope'>,
): string {
  const found = addressIn(answer, scope)
  if (typeof found === 'string' && found !== '' && URL.canParse(found, answer.url))
    return new URL(found, answer.url).href
  throw new ConnectorError(
    'upstream_malformed',
    `${manifest.type} ${action.entity}.${action.name}: the answer has no address to send the file to at ${upload.address.source}`,
  )
}
