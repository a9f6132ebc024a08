// A request of the caller's own making, with the credentials of the connection: to the hosts of the manifest, under the
// budget, the breaker, the guard and the repetitions of every other call. The answer is passed on as it comes.
import type { Readable } from 'node:stream'
import { ConnectorError, isConnectorError, type Problem } from '../../errors.ts'
import { compileTemplate } from '../../language/expression/evaluate.ts'
import type { FileSource } from '../../language/expression/file-source.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import { headerValue } from '../../language/expression/text-value.ts'
import { ValueError } from '../../language/expression/value-error.ts'
import { pointerTo } from '../../language/json/pointer.ts'
import type { Manifest, Step } from '../../language/manifest/manifest.ts'
import type { FreshCredentials } from '../credentials/fresh-credentials.ts'
import type { CallTerms, Judgement } from '../exchange/call.ts'
import type { UpstreamStream } from '../exchange/transport.ts'
import { compileWaits } from '../exchange/waits.ts'
import { encodePairs } from '../request/entries.ts'
import { mayReceiveCredentials } from '../request/hosts.ts'
import { StreamedBody } from '../request/streamed-body.ts'
import { secretTextsOf, signed, type UpstreamRequest } from '../request/upstream-request.ts'
import { compileAnswerTests, compileErrorRules } from '../response/error-rules.ts'
import { maskPairs } from '../response/excerpt.ts'
import { compileOtherLimits } from './narrow-limits.ts'
import { isReading, READING_METHODS } from './reading-methods.ts'
import type { RunPorts } from './steps.ts'

type Scalar = string | number | boolean
export type RawQuery = Readonly<Record<string, Scalar | readonly Scalar[]>>

export interface RawRequest {
  /** GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS. */
  readonly method: string
  /** Below the base URL of the connection, with a slash in front; or a whole https address of a host of the manifest. */
  readonly path: string
  readonly query?: RawQuery
  readonly headers?: Readonly<Record<string, string>>
  /** `type`: null where the caller says it among the headers. */
  readonly body?: {
    readonly type: string | null
    readonly content: string | Uint8Array | FileSource
  } | null
}

/** What the third party answered, whatever its status. */
export interface RawAnswer {
  readonly status: number
  /** Names in lower case, without what belongs to its connection or sets cookies; secrets are masked. */
  readonly headers: Readonly<Record<string, string>>
  /** Must be read or destroyed. */
  readonly body: Readable
  /** How often something was sent. */
  readonly requests: number
}

export interface RawTerms extends CallTerms {
  readonly fresh: FreshCredentials
  /** Something stands in for the vendor: addresses of the vendor itself are not its. */
  readonly isStandIn: boolean
  /** For vendors with an idempotency header: the request is repeated under it. Undefined: it has no key. */
  readonly idempotencyKey: string | undefined
}

const METHODS: readonly string[] = [...READING_METHODS, 'POST', 'PUT', 'PATCH', 'DELETE']
/** Of one attempt, to the head of its answer. */
const TIMEOUT_MS = 60_000
const MAX_PATH = 8192

/** Belong to the connection, or say who calls: RFC 9110 section 7.6.1 and 11, RFC 6265. */
const OURS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
])
const OUR_PREFIXES = ['proxy-', 'sec-', 'x-forwarded-'] as const
/** Of an answer: those of its connection, and those that speak to a browser about its credentials. */
const NOT_PASSED: ReadonlySet<string> = new Set([
  ...OURS,
  'alt-svc',
  'authentication-info',
  'clear-site-data',
  'set-cookie',
  'set-cookie2',
  'strict-transport-security',
])

interface Kit {
  /** Whether the caller's requests are repeated, and after which waits: as the manifest says of its own. */
  readonly step: Pick<Step, 'retry'>
  readonly waits: ReturnType<typeof compileWaits>
  readonly verdictOn: ReturnType<typeof compileErrorRules>
  readonly narrow: ReturnType<typeof compileOtherLimits>
  /** What every request of the manifest carries next to its credentials. */
  readonly headers: readonly (readonly [
    name: string,
    value: (scope: Scope) => string | undefined,
  ])[]
  /** Of the vendor; null: it has none, or more than one. */
  readonly idempotencyHeader: string | null
}

const kits = new WeakMap<Manifest, Kit>()

/**
 * Sends it. A 401 renews the credentials once; what is repeated is what the manifest repeats: requests that read, and
 * others under a key of the vendor's. Every answer that came is passed on.
 *
 * Throws `params_invalid` with the places of everything that may not be given, `destination_refused` for an address that
 * the credentials may not be sent to, and what the network and the credentials come to.
 */
export async function sendRaw(
  ports: RunPorts,
  manifest: Manifest,
  given: RawRequest,
  terms: RawTerms,
): Promise<RawAnswer> {
  const { isStandIn, idempotencyKey } = terms
  const kit = kitOf(manifest)
  const raw = { ...given, method: given.method.toUpperCase() }
  const write = !isReading(raw.method)
  checkRequest(raw, kit, idempotencyKey)
  let sent: UpstreamRequest | null = null
  let requests = 0
  const held = new HeldAnswer()
  const pass = ({ status, headers, body }: UpstreamStream): RawAnswer => {
    const made = sent === null ? [] : secretTextsOf(sent)
    const redact = (text: string): string => maskPairs(ports.keeper.redact(text, made))
    return { status, headers: passedHeaders(headers, redact), body, requests }
  }
  try {
    const { value } = await ports.exchange.call<FreshCredentials, UpstreamStream, UpstreamStream>({
      fresh: terms.fresh,
      renew: (used) => ports.keeper.renew(used, terms.deadline(), terms.signal),
      mayBeStale: ({ isFound }) => isFound,
      build: (fresh) => {
        held.release()
        const building = { raw, fresh, idempotencyKey, isStandIn }
        return (sent = signed(buildRaw(ports, manifest, kit, building)))
      },
      send: (request, options) => {
        requests++
        return ports.transport.stream(request, options)
      },
      judge: (stream, { renewable }) => held.judge(kit.verdictOn, stream, renewable),
      step: {
        policy: kit.step.retry,
        waits: kit.waits,
        write,
        repeatable: !write || idempotencyKey !== undefined,
      },
      run: terms,
      narrow: kit.narrow({ method: raw.method, path: frontOf(raw.path) }, write),
      goneIsDone: null,
    })
    return pass(value)
  } catch (error) {
    const last = held.answerOf(error)
    if (last !== null) return pass(last)
    held.release()
    throw error
  }
}

/** An answer that may be followed by a repetition: it is what is given back when none is made. */
class HeldAnswer {
  #held: UpstreamStream | null = null

  judge(
    verdictOn: Kit['verdictOn'],
    stream: UpstreamStream,
    isRenewable: boolean,
  ): Judgement<UpstreamStream> {
    const { status, headers, url } = stream
    const answer = { status, headers, url, body: undefined }
    const verdict = verdictOn(answer, {})
    if (verdict.effect === 'pass') return { kind: 'accepted', value: stream }
    this.#held = stream
    const { effect, as, rule } = verdict
    const outcome = verdict.outcome ?? (as === 'unavailable' ? 'uncertain' : 'not_applied')
    return {
      kind: 'refused',
      answer,
      renew: effect === 'refresh_auth' && isRenewable,
      outcome,
      failure: {
        kind: 'status',
        status,
        as,
        rule: effect === 'retry' ? 'retry' : rule === null ? null : 'fail',
        nothingDone: verdict.outcome === null ? as === 'rate_limited' : outcome === 'not_applied',
      },
      // Nobody sees it: the answer itself is what is given back.
      error: () => new ConnectorError('upstream_failed', 'answered', { details: { [HELD]: true } }),
    }
  }

  /** What is given back in place of an error that is about it; null: the error is about something else. */
  answerOf(error: unknown): UpstreamStream | null {
    return isConnectorError(error) && error.details[HELD] === true ? this.#held : null
  }

  release(): void {
    this.#held?.body.destroy()
    this.#held = null
  }
}

const HELD = 'held'

/** A path without its query. */
function frontOf(path: string): string {
  return path.split('?', 1)[0] ?? path
}

function kitOf(manifest: Manifest): Kit {
  const known = kits.get(manifest)
  if (known !== undefined) return known
  const steps = manifest.entities.flatMap(({ actions }) => actions.flatMap((each) => each.steps))
  const own = steps.filter(({ request }) => request.origin === null)
  const step = own.find(({ request }) => request.method === 'GET') ?? own[0] ?? steps[0]
  if (step === undefined) throw new TypeError('a manifest has an action')
  const keys = new Set(steps.flatMap(({ retry }) => retry.idempotencyKey ?? []))
  const [only] = keys
  const shared = own.length === 0 ? [] : (own[0]?.request.headers ?? [])
  const headers = shared
    .filter((entry) => {
      const text = JSON.stringify(entry)
      return own.every(({ request }) =>
        request.headers.some((each) => JSON.stringify(each) === text),
      )
    })
    .map(({ name, value }) => {
      const evaluate = compileTemplate(value)
      return [
        name,
        (scope: Scope) => {
          const text = evaluate(scope)
          return text === undefined || text === null ? undefined : headerValue(text)
        },
      ] as const
    })
  const kit: Kit = {
    step,
    waits: compileWaits(step.retry.wait, compileAnswerTests),
    verdictOn: compileErrorRules(step.errors, { stream: true }),
    narrow: compileOtherLimits(manifest),
    headers,
    idempotencyHeader: keys.size === 1 ? (only ?? null) : null,
  }
  kits.set(manifest, kit)
  return kit
}

interface Building {
  readonly raw: RawRequest
  readonly fresh: FreshCredentials
  readonly idempotencyKey: string | undefined
  readonly isStandIn: boolean
}

function buildRaw(
  ports: RunPorts,
  manifest: Manifest,
  kit: Kit,
  { raw, fresh, idempotencyKey, isStandIn }: Building,
): UpstreamRequest {
  const { body = null, query = {} } = raw
  const scope: Scope = { params: {}, config: fresh.config, maps: manifest.maps }
  const base = ports.server(fresh, scope)
  const hosts = isStandIn ? [] : manifest.server.hosts
  const { applied } = fresh
  const secretHeaders = Object.keys(applied.headers)
  const secretQuery = applied.query.map(([name]) => name)
  const headers: Record<string, string> = { accept: '*/*' }
  for (const [name, value] of kit.headers) {
    const text = value(scope)
    if (text !== undefined) headers[name] = text
  }
  if (body?.type != null) headers['content-type'] = body.type
  const problems: Problem[] = []
  for (const [name, value] of Object.entries(raw.headers ?? {})) {
    const lower = name.toLowerCase()
    if (secretHeaders.includes(lower))
      problems.push(problemAt('/headers', name, 'is set by the credentials of the connection'))
    headers[lower] = value
  }
  if (idempotencyKey !== undefined && kit.idempotencyHeader !== null)
    headers[kit.idempotencyHeader.toLowerCase()] = idempotencyKey
  const url = addressOf(raw.path, base, hosts)
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, String(each)] as const),
  )
  for (const name of [...url.searchParams.keys(), ...Object.keys(query)])
    if (secretQuery.includes(name))
      problems.push(problemAt('/query', name, 'is set by the credentials of the connection'))
  if (problems.length > 0) throw refused(problems)
  const more = encodePairs([...pairs, ...applied.query])
  const search = [url.search.slice(1), more].filter((text) => text !== '').join('&')
  return {
    method: raw.method,
    url: `${url.origin}${url.pathname}${search === '' ? '' : `?${search}`}`,
    headers: { ...headers, ...applied.headers },
    body: body === null ? null : sentBody(body.content),
    redirects: 0,
    timeoutMs: TIMEOUT_MS,
    secretHeaders,
    secretQuery,
    ...(applied.sign === undefined ? {} : { sign: applied.sign }),
    ...(applied.tls === undefined ? {} : { tls: applied.tls }),
  }
}

function sentBody(content: string | Uint8Array | FileSource): UpstreamRequest['body'] {
  if (typeof content === 'string' || content instanceof Uint8Array) return content
  return content.bytes ?? new StreamedBody([content])
}

/**
 * Where a path leads. Of a whole address its host decides whether it may see the credentials. What the parser makes of it
 * must be what was written.
 */
function addressOf(
  path: string,
  base: { readonly origin: string; readonly path: string },
  hosts: Parameters<typeof mayReceiveCredentials>[2],
): URL {
  const isWhole = !path.startsWith('/')
  const written = isWhole ? path : `${base.origin}${base.path}${path}`
  const url = URL.parse(written)
  const at = written.indexOf('?')
  const front = at < 0 ? written : written.slice(0, at)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw refused([
      problemAt('/path', null, 'must begin with a slash, or be a whole https address'),
    ])
  if (isWhole && !mayReceiveCredentials(url, base, hosts)) {
    throw new ConnectorError(
      'destination_refused',
      `the host ${url.host} may not see the credentials of this connection; give a path, or an address of a host that the manifest lists by name`,
      { errors: [problemAt('/path', null, 'leads to another host')] },
    )
  }
  if (`${url.origin}${url.pathname}` !== front && `${url.origin}${url.pathname}` !== `${front}/`)
    throw refused([
      problemAt('/path', null, 'must be encoded as it is sent, without "." and ".." segments'),
    ])
  return url
}

/** Everything about a request that can be told without its credentials. Throws `params_invalid` with all of it. */
function checkRequest(
  { method, path, headers = {}, body = null }: RawRequest,
  { idempotencyHeader }: Kit,
  idempotencyKey: string | undefined,
): void {
  const problems: Problem[] = []
  if (!METHODS.includes(method))
    problems.push({ ...problemAt('/method', null, 'is none that is sent'), allowed: METHODS })
  if (path.length > MAX_PATH) problems.push(problemAt('/path', null, `is longer than ${MAX_PATH}`))
  if (!/^[\x21-\x7e]+$/.test(path) || /[\\#]/.test(path) || path.startsWith('//'))
    problems.push(
      problemAt(
        '/path',
        null,
        'must be encoded as it is sent: no blank, backslash, # or // in front',
      ),
    )
  if (hasDotSegment(path))
    problems.push(problemAt('/path', null, 'must not hold "." or ".." segments'))
  for (const [name, value] of Object.entries(headers)) {
    const detail = headerProblem(name, value)
    if (detail !== null) problems.push(problemAt('/headers', name, detail))
    else if (name.toLowerCase() === idempotencyHeader?.toLowerCase())
      problems.push(
        problemAt('/headers', name, 'is the key of the vendor: give it as the idempotency key'),
      )
  }
  if (body !== null && (method === 'GET' || method === 'HEAD'))
    problems.push(problemAt('/body', null, `goes with no ${method}`))
  if (idempotencyKey !== undefined && idempotencyHeader === null)
    problems.push(
      problemAt(
        '/idempotency_key',
        null,
        'the manifest knows no header of the vendor for it: give none',
      ),
    )
  if (problems.length > 0) throw refused(problems)
}

/** Also encoded, and behind an encoded slash: servers differ in what they decode first. */
function hasDotSegment(path: string): boolean {
  const decoded = frontOf(path)
    .replaceAll(/%2e/gi, '.')
    .replaceAll(/%2f|%5c/gi, '/')
  return decoded.split('/').some((segment) => segment === '.' || segment === '..')
}

function headerProblem(name: string, value: string): string | null {
  const lower = name.toLowerCase()
  if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name)) return 'is no name of a header'
  if (OURS.has(lower) || OUR_PREFIXES.some((prefix) => lower.startsWith(prefix)))
    return 'is set by Tenon alone'
  try {
    headerValue(value)
    return null
  } catch (error) {
    if (error instanceof ValueError) return error.message
    throw error
  }
}

function passedHeaders(
  headers: Readonly<Record<string, string>>,
  redact: (text: string) => string,
): Record<string, string> {
  const passed = Object.entries(headers).filter(
    ([name]) => !NOT_PASSED.has(name) && !OUR_PREFIXES.some((prefix) => name.startsWith(prefix)),
  )
  return Object.fromEntries(passed.map(([name, value]) => [name, redact(value)]))
}

function problemAt(pointer: string, member: string | null, detail: string): Problem {
  return {
    pointer: member === null ? pointer : pointerTo(pointer, [member]),
    code: 'refused',
    detail,
  }
}

function refused(errors: readonly Problem[]): ConnectorError {
  const told = errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ')
  return new ConnectorError('params_invalid', told, { errors })
}
