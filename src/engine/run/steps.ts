// The upstream calls of one operation, in order. The answer is that of the last step that ran.
import type { FreshCredentials } from '../credentials/fresh-credentials.ts'
import type { CredentialKeeper } from '../credentials/refreshing-keeper.ts'
import {
  amendError,
  ConnectorError,
  isConnectorError,
  type Outcome,
  type StepReport,
} from '../../errors.ts'
import type { CallResult, CallTerms, Exchange, Judgement, ReliableCall } from '../exchange/call.ts'
import type { Clock } from '../exchange/clock.ts'
import { onceLoaded, whenLoaded } from '../../late-modules.ts'
import type {
  Transport,
  UpstreamBody,
  UpstreamHead,
  UpstreamResponse,
} from '../exchange/transport.ts'
import type { Answer } from '../../language/expression/pick.ts'
import type { FilesByMark } from '../../language/expression/file-source.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { kindOf } from '../../language/manifest/actions.ts'
import type { createServerOf } from '../request/base-url.ts'
import type { RequestTarget } from '../request/build.ts'
import { secretTextsOf, signed, type UpstreamRequest } from '../request/upstream-request.ts'
import { toLink } from '../request/link.ts'
import { isSuccess, type Verdict } from '../response/error-rules.ts'
import { quoteOf } from '../response/excerpt.ts'
import type { Relay, Relayed } from '../response/relay.ts'
import { readAnswerBody } from './answer-body.ts'
import { withCarriedParams } from './carried-params.ts'
import type { CompiledAction, CompiledStep } from './compiled-action.ts'
import { pollStep } from './poll.ts'
import { callTool } from './tool-call.ts'
import type { ToolSessions } from './tool-session.ts'
import { uploadedFile, uploadScope } from './upload-file.ts'

/** Everything outside that running an operation needs. */
export interface RunPorts {
  readonly transport: Transport
  readonly exchange: Exchange
  readonly clock: Clock
  readonly keeper: CredentialKeeper
  /** The base URL of the method that the credentials belong to. */
  readonly server: ReturnType<typeof createServerOf>
  readonly sessions: ToolSessions
}

/** One operation on its way. It is made once, and every step takes it as it is. */
export interface Run extends CallTerms {
  readonly compiled: CompiledAction
  readonly ports: RunPorts
  readonly params: JsonObject
  /** What the marks in `params` stand for. */
  readonly files: FilesByMark
  readonly fresh: FreshCredentials
  /** One value per operation, for vendors with an idempotency header; empty where no step sends one. */
  readonly idempotencyKey: string
  /** Where to send the last step instead of the place its template names: the next page of a link listing. */
  readonly link: string | null
  /** Records are wanted as bytes, where that is possible; null: as values. */
  readonly relay: Relay | null
  readonly onProgress: ((progress: Json) => void) | undefined
}

/** The last answer and everything an answer's templates may look at. */
export interface RunResult {
  readonly answer: Answer
  readonly verdict: Verdict
  /** The last step that ran, whose answer this is. */
  readonly step: CompiledStep
  /** The records as bytes, which `answer` lacks then. */
  readonly relayed: Relayed | null
  readonly scope: Scope
  readonly fresh: FreshCredentials
  /** How often something was sent. */
  readonly requests: number
}

/** What one call of one step gave. */
export type StepAnswer = Pick<RunResult, 'answer' | 'verdict' | 'relayed'>
/** The same with the credentials of the last attempt. */
export type CalledStep = CallResult<FreshCredentials, StepAnswer>

/** Runs the steps of an operation that answers data. */
export function runSteps(run: Run): Promise<RunResult> {
  const [only, ...more] = run.compiled.steps
  return only !== undefined && more.length === 0 ? runSingleStep(run, only) : runEveryStep(run)
}

/** Most actions are one request: there is nothing to report about the others. */
async function runSingleStep(run: Run, step: CompiledStep): Promise<RunResult> {
  const scope = scopeOf(run)
  if (!step.isDue(scope)) throw nothingRan(run.compiled)
  const { value, fresh, requests } = await runStep(run, step, scope)
  const { answer, verdict, relayed } = value
  return { answer, verdict, step, relayed, scope, fresh, requests }
}

async function runEveryStep(run: Run): Promise<RunResult> {
  const { compiled } = run
  const { steps } = compiled
  const reports: StepReport[] = []
  const answers: Record<string, JsonObject> = {}
  let scope = scopeOf(run)
  let fresh = run.fresh
  let requests = 0
  let last: (StepAnswer & { readonly step: CompiledStep }) | null = null
  for (const [index, step] of steps.entries()) {
    if (!step.isDue(scope)) continue
    try {
      const result = await runStep(fresh === run.fresh ? run : { ...run, fresh }, step, scope)
      requests += result.requests
      fresh = result.fresh
      last = { ...result.value, step }
    } catch (error) {
      const failed = failedStep(compiled, scope, { before: reports, index, error })
      throw index === 0 ? failed : withCarriedParams(compiled.action, scope, failed)
    }
    reports.push({
      step: index + 1,
      name: step.name,
      outcome: step.write ? 'applied' : 'not_applied',
    })
    answers[step.name] = answerAsData(last.answer)
    scope = { ...scope, config: fresh.config, steps: answers }
  }
  if (last === null) throw nothingRan(compiled)
  return { ...last, scope, fresh, requests }
}

function runStep(run: Run, step: CompiledStep, scope: Scope): Promise<CalledStep> {
  const { poll } = step
  if (poll === null) return callStep(run, step, scope)
  return pollStep({ run, step, poll, scope }, (fresh) => callStep({ ...run, fresh }, step, scope))
}

function callStep(run: Run, step: CompiledStep, scope: Scope): Promise<CalledStep> {
  const { compiled, ports, signal } = run
  const { tool } = step
  let sent: UpstreamRequest | null = null
  const leave = (request: UpstreamRequest): UpstreamRequest => (sent = signed(request))
  const build = (fresh: FreshCredentials): UpstreamRequest => buildRequest(run, step, scope, fresh)
  const asked: JudgedStep = { run, step, scope, sent: () => sent }
  const plan: ReliableCall<FreshCredentials, UpstreamResponse, StepAnswer> = {
    fresh: run.fresh,
    renew: (used) => ports.keeper.renew(used, run.deadline(), signal),
    mayBeStale: ({ isFound }) => isFound,
    build: tool === null ? (fresh) => leave(build(fresh)) : build,
    send: (request, options) => ports.transport.send(request, options),
    judge: (response, fresh) =>
      onceLoaded(
        () => relayAnswer(asked, response) ?? judgeAnswer(asked, response, response, fresh),
      ),
    step,
    run,
    narrow: step.narrow(scope),
    goneIsDone: kindOf(compiled.action.name)?.effect === 'removes' ? () => DONE : null,
  }
  const { exchange, clock, sessions } = ports
  if (tool === null) return exchange.call(plan)
  return callTool({
    exchange,
    clock,
    sessions,
    tool,
    decode: step === compiled.steps.at(-1) ? compiled.action.response.decode : 'json',
    plan,
    leave,
    title: compiled.manifest.title,
    quote: (text) => quoteOf(text, MAX_QUOTE, (quoted) => ports.keeper.redact(quoted)),
  })
}

/** A step that is called. */
export interface AskedStep {
  readonly run: Run
  readonly step: CompiledStep
  readonly scope: Scope
}

/** A step whose answer is judged. */
export interface JudgedStep extends AskedStep {
  /** The request as it left last. */
  readonly sent: () => UpstreamRequest | null
}

const MAX_QUOTE = 300

const DONE: StepAnswer = {
  answer: { status: 204, headers: {}, body: undefined, url: '' },
  verdict: { effect: 'pass' },
  relayed: null,
}

/** What the request of a step looks like with these credentials. */
export function buildRequest(
  { ports, idempotencyKey, link }: Pick<Run, 'ports' | 'idempotencyKey' | 'link'>,
  step: CompiledStep,
  scope: Scope,
  fresh: FreshCredentials,
): UpstreamRequest {
  const current = fresh.config === scope.config ? scope : { ...scope, config: fresh.config }
  const header = step.policy.idempotencyKey
  const target: RequestTarget = {
    base: ports.server(fresh, current),
    credentials: fresh.applied,
    ...(header === null ? {} : { idempotency: { header, value: idempotencyKey } }),
  }
  const request = step.build(current, target)
  return link === null ? request : toLink(request, link, target)
}

/** Effects that end the call; the engine makes a smaller page of `shrink_page`. */
const ACCEPTED: ReadonlySet<string> = new Set(['pass', 'ok', 'empty', 'shrink_page'])

/** Takes an answer apart without reading its records; null: it is to be read and judged as a whole. */
function relayAnswer(
  { run: { relay }, step, scope }: AskedStep,
  { status, headers, url, body }: UpstreamResponse,
): Judgement<StepAnswer> | null {
  if (relay === null || !isSuccess(status)) return null
  const relayed = relay.open(body, headers['content-type'])
  if (relayed === null) return null
  const answer: Answer = { status, headers, body: relayed.rest, url }
  const verdict = step.verdictOn(answer, scope)
  // Whatever else a rule makes of it may need more than the rest.
  return verdict.effect === 'pass'
    ? { kind: 'accepted', value: { answer, verdict, relayed } }
    : null
}

/** `outcome`: what a write did where the answer says more of it than its status. */
type JudgedHead = UpstreamHead & { readonly outcome?: Outcome }

/**
 * Reads an answer as data and judges it by the error rules of the step; a promise where it has to be unpacked. `fresh`:
 * what the request carried; null for a request without credentials, whose refusal says nothing about any.
 */
export function judgeAnswer(
  asked: JudgedStep,
  head: JudgedHead,
  raw: UpstreamBody,
  fresh: FreshCredentials | null,
): Judgement<StepAnswer> | Promise<Judgement<StepAnswer>> {
  const body = onceLoaded(() => readAnswerBody(asked.run.compiled, asked.step, head, raw))
  const { status, headers, url, outcome: known = null } = head
  const judge = (read: Json | undefined): Judgement<StepAnswer> =>
    judgeRead({ ...asked, known }, { status, headers, body: read, url }, raw, fresh)
  return body instanceof Promise
    ? body.then((read) => whenLoaded(() => judge(read)))
    : onceLoaded(() => judge(body))
}

function judgeRead(
  { run, step, scope, known, sent }: JudgedStep & { readonly known: Outcome | null },
  answer: Answer,
  raw: UpstreamBody,
  fresh: FreshCredentials | null,
): Judgement<StepAnswer> {
  const { compiled, ports } = run
  const { status } = answer
  const verdict = step.verdictOn(answer, scope)
  if (verdict.effect === 'pass' || ACCEPTED.has(verdict.effect)) {
    return { kind: 'accepted', value: { answer, verdict, relayed: null } }
  }
  if (verdict.effect === 'reauthorize' && fresh !== null) ports.keeper.revoke(fresh)
  const { effect, as, rule } = verdict
  const outcome = verdict.outcome ?? known
  return {
    kind: 'refused',
    answer,
    renew: effect === 'refresh_auth' && fresh?.renewable === true,
    outcome: outcome ?? (as === 'unavailable' ? 'uncertain' : 'not_applied'),
    failure: {
      kind: 'status',
      status,
      as,
      rule: effect === 'retry' ? 'retry' : rule === null ? null : 'fail',
      nothingDone: outcome === null ? as === 'rate_limited' : outcome === 'not_applied',
    },
    error: (retryAfterMs) =>
      compiled.errorOf({
        ruling: { ...verdict, outcome },
        answer,
        raw: raw.body,
        scope,
        redact: redactOf(ports.keeper, sent()),
        write: step.write,
        retryAfterMs,
        retryable: (step.write && step.repeatable && as === 'unavailable') || undefined,
      }),
  }
}

/** Masks the credentials, and what was made of them for one request. */
function redactOf(
  keeper: Pick<CredentialKeeper, 'redact'>,
  sent: UpstreamRequest | null,
): (text: string) => string {
  const made = sent === null ? [] : secretTextsOf(sent)
  return (text) => keeper.redact(text, made)
}

/** What all templates of an operation see before its first step. */
export function scopeOf({
  compiled,
  params,
  files,
  fresh,
}: Pick<Run, 'compiled' | 'params' | 'files' | 'fresh'>): Scope {
  const { manifest, recordFields, upload } = compiled
  return {
    ...(upload !== null && {
      upload: uploadScope(uploadedFile(upload.upload, { params, files })),
    }),
    params,
    config: fresh.config,
    maps: manifest.maps,
    record_fields: recordFields,
    ...(files.size > 0 && { files }),
  }
}

function answerAsData(answer: Answer): JsonObject {
  return {
    status: answer.status,
    headers: answer.headers,
    ...(answer.body === undefined ? {} : { body: answer.body }),
  }
}

/** The error of a step, with what the steps before it did. */
function failedStep(
  compiled: CompiledAction,
  scope: Scope,
  {
    before,
    index,
    error,
  }: { readonly before: readonly StepReport[]; readonly index: number; readonly error: unknown },
): unknown {
  if (!isConnectorError(error)) return error
  const name = compiled.steps[index]?.name ?? ''
  const failed: StepReport = {
    step: index + 1,
    name,
    outcome: error.outcome,
    ...(error.upstream === null ? {} : { upstream: error.upstream }),
  }
  const steps = [...before, failed]
  const applied = before.filter((report) => report.outcome === 'applied')
  if (applied.length === 0) return amendError(error, { steps })
  const unfinished = compiled.steps.slice(index).some((step) => step.write && step.isDue(scope))
  const outcome: Outcome = unfinished ? 'uncertain' : 'applied'
  const done = applied.map((report) => `${report.name} was applied`).join(', ')
  return amendError(error, {
    steps,
    outcome,
    retryable: false,
    message: `${done}; ${name} failed: ${error.message}`,
  })
}

function nothingRan({ manifest, action }: CompiledAction): ConnectorError {
  const optional = Object.keys((action.params.schema['properties'] ?? {}) as object)
  return new ConnectorError(
    'params_invalid',
    `${manifest.type} ${action.entity}.${action.name}: nothing to do; give one of ${optional.join(', ')}`,
    {
      errors: [{ pointer: '/params', code: 'refused', detail: 'nothing to do', allowed: optional }],
    },
  )
}
