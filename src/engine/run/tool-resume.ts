// A stream that broke before the answer of a tool came: taken up again behind the last event that arrived.
// Source: modelcontextprotocol.io, revision 2025-06-18, "Resumability and Redelivery"; 2025-11-25, which lets a server
// close a stream and be asked again after a while.
import { amendError, type ConnectorError, isConnectorError } from '../../errors.ts'
import type { FreshCredentials } from '../credentials/fresh-credentials.ts'
import { aborted, type CallResult, type Judgement } from '../exchange/call.ts'
import { isSuccess } from '../response/error-rules.ts'
import {
  rpcAnswer,
  type StreamPlace,
  type ToolAnswer,
  toolAnswer,
} from '../response/tool-answer.ts'
import type { ToolCallPlan } from './tool-call.ts'
import { resumption, type ToolSession } from './tool-session.ts'

/** A call whose answer is still to come. */
export interface BrokenStream {
  readonly session: ToolSession
  readonly id: number
  readonly lastId: string
  readonly retryMs: number | null
  /** What is thrown where the stream cannot be taken up again. */
  readonly error: ConnectorError
}

/** What a header can carry; a longer one is none that a server would want back. */
const EVENT_ID = /^[\x21-\x7e](?:[\x20-\x7e]{0,1022}[\x21-\x7e])?$/
const DEFAULT_WAIT_MS = 500
const MIN_WAIT_MS = 50
/** How often a stream that brings nothing new is asked for. */
const MAX_IDLE = 3
/** How often at all, whatever the server sends. */
const MAX_TIMES = 1000

/**
 * What broke; null where the stream cannot be taken up again. `error`: of the transport, or of an answer that ended early.
 * The head of a stream says nothing of the tool, so the error does not count as one of a call that succeeded.
 */
export function brokenStream(
  error: unknown,
  session: ToolSession,
  { id, place }: { readonly id: number; readonly place: StreamPlace },
): { readonly error: unknown; readonly broken: BrokenStream | null } {
  if (place.events === null || !isConnectorError(error)) return { error, broken: null }
  const told = amendError(error, { details: { status: null } })
  const { lastId, retryMs } = place.events
  const isBroken = error.code === 'upstream_unreachable' && lastId !== null && EVENT_ID.test(lastId)
  return { error: told, broken: isBroken ? { session, id, lastId, retryMs, error: told } : null }
}

/**
 * The answer to a call whose stream broke; null: the server does not bring it. It never calls the tool: what it asks for
 * is what the call has given. Throws what the tool's answer is judged to be, and `aborted`.
 */
export async function resumeCall<T>(
  { exchange, clock, decode, plan, leave }: ToolCallPlan<T>,
  given: FreshCredentials,
  broken: BrokenStream,
): Promise<CallResult<FreshCredentials, T | null>> {
  const { session, id } = broken
  const { deadline, signal } = plan.run
  let { lastId, retryMs } = broken
  let fresh = given
  let requests = 0
  let idle = 0
  for (let times = 0; times < MAX_TIMES && idle < MAX_IDLE; times++) {
    const waitMs = Math.max(MIN_WAIT_MS, retryMs ?? DEFAULT_WAIT_MS)
    if (clock.monotonic() + waitMs >= deadline()) break
    await clock.sleep(waitMs, signal).catch((cause: unknown) => {
      throw aborted(cause, plan.step.write ? 'uncertain' : 'not_applied')
    })
    const place = newPlace()
    let isAnswer = false
    let status = 0
    const result = await exchange.call<FreshCredentials, ToolAnswer, T | null>({
      ...plan,
      fresh,
      build: (current) => leave(resumption(plan.build(current), session, { id, lastId, place })),
      async send(request, options): Promise<ToolAnswer> {
        try {
          const arrived = await plan.send(request, options)
          status = arrived.status
          isAnswer = rpcAnswer(arrived, id) !== null
          return isAnswer ? toolAnswer(arrived, id, decode) : arrived
        } catch (error) {
          if (place.events === null || !isConnectorError(error, 'upstream_unreachable')) throw error
          status = 200
          return { status, headers: {}, url: request.url, body: Buffer.alloc(0) }
        }
      },
      async judge(answer, used): Promise<Judgement<T | null>> {
        // 409: the server has not noticed yet that the stream before is gone.
        if (!isAnswer && (isSuccess(status) || status === 409 || CANNOT.has(status)))
          return { kind: 'accepted', value: null }
        const judgement = await plan.judge(answer, used)
        // A tool that failed has failed: asked again, the stream would say the same.
        return isAnswer && judgement.kind === 'refused'
          ? { ...judgement, failure: null }
          : judgement
      },
      step: { ...plan.step, repeatable: true },
      goneIsDone: null,
    })
    fresh = result.fresh
    requests += result.requests
    if (isAnswer) return { value: result.value, fresh, requests }
    if (status !== 409 && place.events === null) break
    const next = place.events?.lastId ?? null
    retryMs = place.events?.retryMs ?? retryMs
    if (next === null || next === lastId || !EVENT_ID.test(next)) idle++
    else {
      idle = 0
      lastId = next
    }
  }
  return { value: null, fresh, requests }
}

function newPlace(): StreamPlace {
  return { events: null }
}

/** What servers say that keep no events, or none of this stream any more. */
const CANNOT: ReadonlySet<number> = new Set([400, 404, 405, 406, 410, 501])
