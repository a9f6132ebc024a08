// A call of a tool: within a session, which is opened before the first call and again when the server has forgotten it.
import type { FreshCredentials } from '../credentials/fresh-credentials.ts'
import type { ResponseRules } from '../../language/manifest/manifest.ts'
import type { CallResult, Exchange, Judgement, ReliableCall } from '../exchange/call.ts'
import type { Clock } from '../exchange/clock.ts'
import { signed, type UpstreamRequest } from '../request/upstream-request.ts'
import { isSuccess } from '../response/error-rules.ts'
import { rpcAnswer, type ToolAnswer, toolAnswer } from '../response/tool-answer.ts'
import { handshake, type Message } from './tool-handshake.ts'
import {
  inSession,
  isKept,
  type ToolSession,
  type ToolSessions,
  withMessage,
} from './tool-session.ts'

const LATE = 'the deadline passed while another call opened the session with the MCP server'

/** One call of a tool. */
export interface ToolCallPlan<T> {
  readonly exchange: Exchange
  readonly clock: Clock
  readonly sessions: ToolSessions
  readonly tool: string
  readonly decode: ResponseRules['decode']
  /** The call as it would be without a session, not signed yet; it judges answers of tools as those of HTTP. */
  readonly plan: ReliableCall<FreshCredentials, ToolAnswer, T>
  /** For messages. */
  readonly title: string
}

/** Makes the call. Throws like any other call; `upstream_unexpected` where the server speaks no known revision. */
export async function callTool<T>(call: ToolCallPlan<T>): Promise<CallResult<FreshCredentials, T>> {
  const { exchange, sessions, tool, decode, plan, clock } = call
  const { deadline, signal } = plan.run
  const patience = { clock, deadline, signal, late: LATE }
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
    const result = await exchange.call<FreshCredentials, ToolAnswer, T | null>({
      ...plan,
      fresh,
      build(current) {
        id = sessions.nextCall()
        return signed(inSession(plan.build(current), session, tool, id))
      },
      async send(request, options) {
        const arrived = await plan.send(request, options)
        isLost = isKept(session) && hasForgotten(arrived)
        return isLost ? arrived : toolAnswer(arrived, id, decode)
      },
      judge: (answer, used) =>
        isLost && isFirst ? { kind: 'accepted', value: null } : plan.judge(answer, used),
    })
    requests += result.requests
    fresh = result.fresh
    if (!isLost || result.value !== null) return { value: result.value as T, fresh, requests }
    await sessions.forget(target, session)
  }
}

/** 404, by the protocol; many servers answer 400 and say in words that there is no such session. Nothing was done. */
function hasForgotten({ status, body }: ToolAnswer): boolean {
  return status === 404 || (status === 400 && /session/i.test(body.toString('utf8')))
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
  }, call.title)
  return { value: session, fresh: current, requests }
}

/** Sends a message of the handshake, which changes nothing at the vendor. */
function say<T>(
  { exchange, plan }: ToolCallPlan<T>,
  fresh: FreshCredentials,
  { body, id, session }: Message,
): Promise<CallResult<FreshCredentials, ToolAnswer>> {
  const build = (current: FreshCredentials): UpstreamRequest =>
    signed(withMessage(plan.build(current), session, body, id))
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
  })
}
