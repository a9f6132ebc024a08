// A call of a tool: within a session, which is opened before the first call and again when the server has forgotten it, and
// over a stream, which is taken up again where it breaks.
import { raiseOutcome } from '../../errors.ts'
import type { FreshCredentials } from '../credentials/fresh-credentials.ts'
import type { ResponseRules } from '../../language/manifest/manifest.ts'
import type { CallResult, Exchange, Judgement, ReliableCall } from '../exchange/call.ts'
import type { Clock } from '../exchange/clock.ts'
import type { UpstreamRequest } from '../request/upstream-request.ts'
import { own } from '../../language/json/own.ts'
import { tryParseJson } from '../../language/json/parse-json.ts'
import { isSuccess } from '../response/error-rules.ts'
import {
  rpcAnswer,
  type StreamPlace,
  type ToolAnswer,
  toolAnswer,
} from '../response/tool-answer.ts'
import { handshake, type Message, type Spoken } from './tool-handshake.ts'
import { type BrokenStream, brokenStream, resumeCall } from './tool-resume.ts'
import {
  inSession,
  isKept,
  type ToolSession,
  type ToolSessions,
  withMessage,
} from './tool-session.ts'

const LATE = 'the deadline passed while another call opened the session with the MCP server'

/** One call of a tool. */
export interface ToolCallPlan<T> extends Spoken {
  readonly exchange: Exchange
  readonly clock: Clock
  readonly sessions: ToolSessions
  readonly tool: string
  readonly decode: ResponseRules['decode']
  /** The call as it would be without a session, not signed yet; it judges answers of tools as those of HTTP. */
  readonly plan: ReliableCall<FreshCredentials, ToolAnswer, T>
  /** Signs a request and notes that it leaves. */
  readonly leave: (request: UpstreamRequest) => UpstreamRequest
}

/** Makes the call. Throws like any other call; `upstream_unexpected` where the server speaks no known revision. */
export async function callTool<T>(call: ToolCallPlan<T>): Promise<CallResult<FreshCredentials, T>> {
  const { exchange, sessions, tool, decode, plan, clock, leave } = call
  const { deadline, signal } = plan.run
  const patience = { clock, deadline: deadline(), signal, late: LATE }
  let { fresh } = plan
  let requests = 0
  for (let isFirst = true; ; isFirst = false) {
    const target = plan.build(fresh)
    const session = await sessions.of(target, patience, async () => {
      const opened = await openSession(call, fresh)
      fresh = opened.fresh
      requests += opened.requests
      return opened.value
    })
    let id = 0
    let isLost = false
    let broken: BrokenStream | null = null
    let place: StreamPlace = { events: null }
    const result = await exchange.call<FreshCredentials, ToolAnswer, T | null>({
      ...plan,
      fresh,
      build(current) {
        id = sessions.nextCall()
        place = { events: null }
        return leave(inSession(plan.build(current), session, { tool, id, place }))
      },
      async send(request, options) {
        try {
          const arrived = await plan.send(request, options)
          isLost = isKept(session) && hasForgotten(arrived, id)
          return isLost ? arrived : toolAnswer(arrived, id, decode)
        } catch (cause) {
          const found = brokenStream(cause, session, { id, place })
          if (found.broken === null) throw found.error
          broken = found.broken
          return { status: 200, headers: {}, url: request.url, body: Buffer.alloc(0) }
        }
      },
      judge: (answer, used) =>
        broken !== null || (isLost && isFirst)
          ? { kind: 'accepted', value: null }
          : plan.judge(answer, used),
    })
    requests += result.requests
    fresh = result.fresh
    const stream = broken as BrokenStream | null
    if (stream !== null) {
      const resumed = await resumeCall(call, fresh, stream)
      requests += resumed.requests
      fresh = resumed.fresh
      if (resumed.value !== null) return { value: resumed.value, fresh, requests }
      const { write, repeatable } = plan.step
      // What changes something and may have run is not called again.
      const mayRepeat = (!write || repeatable) && plan.run.retries !== 0
      if (!mayRepeat || !isFirst)
        throw write ? raiseOutcome(stream.error, 'uncertain') : stream.error
    } else if (!isLost || result.value !== null)
      return { value: result.value as T, fresh, requests }
    if (isLost) await sessions.forget(target, session)
  }
}

/**
 * 404, by the protocol; many servers answer 400 and say in words that there is no such session. Nothing was done, unless
 * the message answers the very call: then the tool was reached, and its words are its own.
 */
function hasForgotten(arrived: ToolAnswer, id: number): boolean {
  const { status, body } = arrived
  if (status !== 404 && status !== 400) return false
  const text = body.toString('utf8')
  if (own(tryParseJson(text) ?? null, 'id') === id)
    return status === 404 && rpcCode(arrived, id) === SESSION_NOT_FOUND
  return status === 404 || /session/i.test(text)
}

/** As the reference implementations say it. */
const SESSION_NOT_FOUND = -32001

function rpcCode(arrived: ToolAnswer, id: number): number | null {
  const answer = rpcAnswer(arrived, id)
  return answer !== null && 'code' in answer ? answer.code : null
}

/** `fresh` and the count are those of the last message. */
async function openSession<T>(
  call: ToolCallPlan<T>,
  fresh: FreshCredentials,
): Promise<CallResult<FreshCredentials, ToolSession>> {
  let current = fresh
  let requests = 0
  const { session } = await handshake(async (message) => {
    const said = await say(call, current, message)
    current = said.fresh
    requests += said.requests
    return said.value
  }, call)
  return { value: session, fresh: current, requests }
}

/** Sends a message of the handshake, which changes nothing at the vendor. */
function say<T>(
  { exchange, plan, leave }: ToolCallPlan<T>,
  fresh: FreshCredentials,
  { body, id, session }: Message,
): Promise<CallResult<FreshCredentials, ToolAnswer>> {
  const build = (current: FreshCredentials): UpstreamRequest =>
    leave(withMessage(plan.build(current), session, body, id === null ? null : { id }))
  return exchange.call<FreshCredentials, ToolAnswer, ToolAnswer>({
    ...plan,
    fresh,
    build,
    step: { ...plan.step, write: false, repeatable: true },
    async judge(answer, used): Promise<Judgement<ToolAnswer>> {
      const isAnswer = isSuccess(answer.status) || rpcAnswer(answer, id ?? 0) !== null
      if (isAnswer && answer.status !== 401) return { kind: 'accepted', value: answer }
      const judgement = await plan.judge(answer, used)
      return judgement.kind === 'refused' ? judgement : { kind: 'accepted', value: answer }
    },
    goneIsDone: null,
    beforeRepeat: undefined,
  })
}
