// The upstream calls of one operation, in order. The answer is that of the last step that ran.
import type { CredentialKeeper, Lent } from '../credentials/keeper.ts'
import {
  amendError,
  ConnectorError,
  isConnectorError,
  type Outcome,
  type StepReport,
} from '../../errors.ts'
import type { Exchange, ExchangeObserver, Judgement } from '../exchange/call.ts'
import type { Clock } from '../exchange/clock.ts'
import type {
  Transport,
  UpstreamBody,
  UpstreamHead,
  UpstreamResponse,
} from '../exchange/transport.ts'
import type { Answer } from '../../language/expression/pick.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { kindOf } from '../../language/manifest/actions.ts'
import type { BaseUrl } from '../request/base-url.ts'
import type { RequestTarget } from '../request/build.ts'
import { signed, type UpstreamRequest } from '../request/upstream-request.ts'
import { decodeBody, decodeErrorBody } from '../response/decode.ts'
import { isSuccess, type Verdict } from '../response/error-rules.ts'
import type { Relay, Relayed } from '../response/relay.ts'
import { withCarriedParams } from './carried-params.ts'
import type { CompiledAction, CompiledStep } from './compiled-action.ts'
import { toLink } from './link.ts'
import { pollStep } from './poll.ts'

/** Everything outside that running an operation needs. */
export interface RunPorts {
  readonly transport: Transport
  readonly exchange: Exchange
  readonly clock: Clock
  readonly keeper: CredentialKeeper
  /** The base URL of the method that the lent credentials belong to. */
  readonly server: (lent: Lent, scope: Scope) => BaseUrl
  readonly serverUrl: string | null
}

export interface RunInput {
  readonly params: JsonObject
  readonly lent: Lent
  /** Monotonic milliseconds. */
  readonly deadline: number
  readonly signal: AbortSignal | undefined
  /** Attempts after the first; null: what the manifest says. */
  readonly retries: number | null
  /** One value per operation, for vendors with an idempotency header; empty where no step sends one. */
  readonly idempotencyKey: string
  /** Where to send the last step instead of the place its template names: the next page of a link listing. */
  readonly link: string | null
  /** Records are wanted as bytes, where that is possible; null: as values. */
  readonly relay: Relay | null
  readonly onProgress: ((progress: Json) => void) | undefined
  readonly observer: ExchangeObserver
}

/** The input of an operation that is only looked at. */
export function unsentInput(lent: Lent, params: JsonObject): RunInput {
  return {
    params,
    lent,
    deadline: Number.POSITIVE_INFINITY,
    signal: undefined,
    retries: null,
    idempotencyKey: 'one-value-per-operation',
    link: null,
    relay: null,
    onProgress: undefined,
    observer: {},
  }
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
  readonly lent: Lent
  /** How often something was sent. */
  readonly requests: number
}

/** What one call of one step gave. */
export interface StepAnswer {
  readonly answer: Answer
  readonly verdict: Verdict
  readonly relayed: Relayed | null
}

/** Runs the steps of an operation that answers data. */
export function runSteps(
  operation: CompiledAction,
  ports: RunPorts,
  input: RunInput,
): Promise<RunResult> {
  const [only, ...more] = operation.steps
  return only !== undefined && more.length === 0
    ? runOnly(operation, only, ports, input)
    : runAll(operation, ports, input)
}

async function runAll(
  operation: CompiledAction,
  ports: RunPorts,
  input: RunInput,
): Promise<RunResult> {
  const { steps } = operation
  const reports: StepReport[] = []
  const answers: Record<string, JsonObject> = {}
  let scope = scopeOf(operation, input)
  let lent = input.lent
  let requests = 0
  let last: (StepAnswer & { readonly step: CompiledStep }) | null = null
  for (const [index, step] of steps.entries()) {
    if (!step.isDue(scope)) continue
    try {
      const own = lent === input.lent ? input : { ...input, lent }
      const result = await runStep(operation, step, ports, own, scope)
      requests += result.requests
      lent = result.lent
      last = { ...result, step }
    } catch (error) {
      const failed = failedStep(operation, reports, index, error, scope)
      throw index === 0 ? failed : withCarriedParams(operation.action, scope, failed)
    }
    reports.push({
      step: index + 1,
      name: step.name,
      outcome: step.write ? 'applied' : 'not_applied',
    })
    answers[step.name] = answerAsData(last.answer)
    scope = { ...scope, config: lent.config, steps: answers }
  }
  if (last === null) throw nothingRan(operation)
  return { ...last, scope, lent, requests }
}

/** Most actions are one request: there is nothing to report about the others. */
async function runOnly(
  operation: CompiledAction,
  step: CompiledStep,
  ports: RunPorts,
  input: RunInput,
): Promise<RunResult> {
  const scope = scopeOf(operation, input)
  if (!step.isDue(scope)) throw nothingRan(operation)
  const ran = await runStep(operation, step, ports, input, scope)
  const { answer, verdict, relayed, lent, requests } = ran
  return { answer, verdict, step, relayed, scope, lent, requests }
}

function runStep(
  operation: CompiledAction,
  step: CompiledStep,
  ports: RunPorts,
  input: RunInput,
  scope: Scope,
): Promise<StepAnswer & { readonly lent: Lent; readonly requests: number }> {
  if (step.poll === null) return callStep(operation, step, ports, input, scope)
  return pollStep(operation, step, step.poll, ports, input, scope, (lent) =>
    callStep(operation, step, ports, { ...input, lent }, scope),
  )
}

async function callStep(
  operation: CompiledAction,
  step: CompiledStep,
  ports: RunPorts,
  input: RunInput,
  scope: Scope,
): Promise<StepAnswer & { readonly lent: Lent; readonly requests: number }> {
  const { keeper, transport, exchange } = ports
  let used = input.lent
  const result = await exchange.call<Lent, UpstreamResponse, StepAnswer>({
    lent: input.lent,
    renew: (used) => keeper.renew(used, input.deadline, input.signal),
    build: (lent) => {
      used = lent
      return signed(buildRequest(step, ports, input, scope, lent))
    },
    send: (request, options) => transport.send(request, options),
    judge: (response) =>
      relayAnswer(input.relay, step, scope, response) ??
      judge(operation, step, keeper, used, scope, response, response),
    policy: step.policy,
    waits: step.waits,
    narrow: step.narrow(scope),
    attempts: attemptsOf(step, input.retries),
    write: step.write,
    goneIsDone: kindOf(operation.action.name)?.effect === 'removes' ? () => DONE : null,
    repeatable: step.repeatable,
    deadline: input.deadline,
    signal: input.signal,
    observer: input.observer,
  })
  return { ...result.value, lent: result.lent, requests: result.attempts }
}

const DONE: StepAnswer = {
  answer: { status: 204, headers: {}, body: undefined, url: '' },
  verdict: { effect: 'pass' },
  relayed: null,
}

/** What the request of a step looks like with these credentials. */
export function buildRequest(
  step: CompiledStep,
  ports: Pick<RunPorts, 'server' | 'serverUrl'>,
  input: Pick<RunInput, 'idempotencyKey' | 'link'>,
  scope: Scope,
  lent: Lent,
): UpstreamRequest {
  const current = lent.config === scope.config ? scope : { ...scope, config: lent.config }
  const target: RequestTarget = {
    base: ports.server(lent, current),
    credentials: lent.applied,
    serverUrl: ports.serverUrl,
    ...(step.policy.idempotencyKey === null
      ? {}
      : { idempotency: { header: step.policy.idempotencyKey, value: input.idempotencyKey } }),
  }
  const request = step.build(current, target)
  return input.link === null ? request : toLink(request, input.link, target)
}

/** Effects that end the call; the engine makes a smaller page of `shrink_page`. */
const ACCEPTED: ReadonlySet<string> = new Set(['pass', 'ok', 'empty', 'shrink_page'])

/** Takes an answer apart without reading its records; null: it is to be read and judged as a whole. */
function relayAnswer(
  relay: Relay | null,
  step: CompiledStep,
  scope: Scope,
  response: UpstreamResponse,
): Judgement<StepAnswer> | null {
  const { status, headers, url } = response
  if (relay === null || !isSuccess(status)) return null
  const relayed = relay.open(response.body, headers['content-type'])
  if (relayed === null) return null
  const answer: Answer = { status, headers, body: relayed.rest, url }
  const verdict = step.judge(answer, scope)
  // Whatever else a rule makes of it may need more than the rest.
  return verdict.effect === 'pass'
    ? { kind: 'accepted', value: { answer, verdict, relayed } }
    : null
}

/**
 * Reads an answer as data and judges it by the error rules of the step. `lent`: what the request carried; null for a
 * request without credentials, whose refusal says nothing about any.
 */
export function judge(
  operation: CompiledAction,
  step: CompiledStep,
  keeper: CredentialKeeper,
  lent: Lent | null,
  scope: Scope,
  head: UpstreamHead,
  body: UpstreamBody,
): Judgement<StepAnswer> {
  const answer: Answer = {
    status: head.status,
    headers: head.headers,
    body: decoded(operation, step, head, body),
    url: head.url,
  }
  const verdict = step.judge(answer, scope)
  if (verdict.effect === 'pass' || ACCEPTED.has(verdict.effect)) {
    return { kind: 'accepted', value: { answer, verdict, relayed: null } }
  }
  if (verdict.effect === 'reauthorize' && lent !== null) keeper.revoke(lent)
  const { effect, as, outcome, rule } = verdict
  return {
    kind: 'refused',
    answer,
    renew: effect === 'refresh_auth' && lent?.renewable === true,
    outcome: outcome ?? (as === 'unavailable' ? 'uncertain' : 'not_applied'),
    failure: {
      kind: 'status',
      status: head.status,
      as,
      rule: effect === 'retry' ? 'retry' : rule === null ? null : 'fail',
      nothingDone: outcome === null ? as === 'rate_limited' : outcome === 'not_applied',
    },
    error: ({ retryAfterMs }) =>
      operation.errorOf({
        ruling: verdict,
        answer,
        raw: body.body,
        scope,
        redact: (text) => keeper.redact(text),
        write: step.write,
        ...(retryAfterMs === null ? {} : { retryAfterMs }),
        ...(step.write && step.repeatable && as === 'unavailable' ? { retryable: true } : {}),
      }),
  }
}

function decoded(
  operation: CompiledAction,
  step: CompiledStep,
  head: UpstreamHead,
  whole: UpstreamBody,
): Json | undefined {
  // Only the last step's answer is the operation's; what earlier ones answer is JSON.
  const decode = step === operation.steps.at(-1) ? operation.action.response.decode : 'json'
  const type = head.headers['content-type']
  const body = whole.pieces ?? whole.body
  return isSuccess(head.status)
    ? decodeBody(body, type, decode, { outcome: step.write ? 'applied' : 'not_applied' })
    : decodeErrorBody(body, type, decode)
}

/** What all templates of an operation see before its first step. */
export function scopeOf(
  operation: CompiledAction,
  input: Pick<RunInput, 'params' | 'lent'>,
): Scope {
  return {
    params: input.params,
    config: input.lent.config,
    maps: operation.manifest.maps,
    record_fields: operation.entity.recordFields,
  }
}

function attemptsOf(step: CompiledStep, retries: number | null): number {
  return retries === null ? step.policy.attempts : retries + 1
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
  operation: CompiledAction,
  before: readonly StepReport[],
  index: number,
  error: unknown,
  scope: Scope,
): unknown {
  if (!isConnectorError(error)) return error
  const name = operation.steps[index]?.name ?? ''
  const failed: StepReport = {
    step: index + 1,
    name,
    outcome: error.outcome,
    ...(error.upstream === null ? {} : { upstream: error.upstream }),
  }
  const steps = [...before, failed]
  const applied = before.filter((report) => report.outcome === 'applied')
  if (applied.length === 0) return amendError(error, { steps })
  const unfinished = operation.steps.slice(index).some((step) => step.write && step.isDue(scope))
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
