// A step that is repeated until the third party has finished.
import type { Lent } from '../credentials/keeper.ts'
import { ConnectorError, type Outcome } from '../../errors.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import { carriedParams } from './carried-params.ts'
import type { CompiledAction, CompiledPoll, CompiledStep } from './compiled-action.ts'
import type { RunInput, RunPorts, StepAnswer } from './steps.ts'

type Called = StepAnswer & { readonly lent: Lent; readonly requests: number }

/**
 * Calls `once` until the poll's tests hold.
 *
 * Throws the class `unavailable` when `failed` holds, and `upstream_timeout` when the poll's time or the caller's
 * deadline is over; `details.next` then holds the params with which the caller can come back.
 */
export async function pollStep(
  operation: CompiledAction,
  step: CompiledStep,
  poll: CompiledPoll,
  ports: RunPorts,
  input: RunInput,
  scope: Scope,
  once: (lent: Lent) => Promise<Called>,
): Promise<Called> {
  const { clock } = ports
  const end = Math.min(input.deadline, clock.monotonic() + poll.timeoutMs)
  let lent = input.lent
  let requests = 0
  for (;;) {
    const result = await once(lent)
    lent = result.lent
    requests += result.requests
    const progress = poll.progressOf(result.answer)
    if (progress !== undefined) input.onProgress?.(progress)
    if (poll.isDone(result.answer, scope)) return { ...result, requests }
    if (poll.hasFailed(result.answer, scope)) throw failed(operation, ports, scope, result)
    if (clock.monotonic() + poll.everyMs >= end) throw tooSlow(operation, step, poll, scope)
    await clock.sleep(poll.everyMs, input.signal).catch((cause: unknown) => {
      throw new ConnectorError('aborted', 'the call was aborted by its caller', {
        cause,
        outcome: outcomeOf(step),
      })
    })
  }
}

function failed(
  operation: CompiledAction,
  ports: RunPorts,
  scope: Scope,
  { answer }: Called,
): ConnectorError {
  return operation.errorOf({
    ruling: { as: 'unavailable', outcome: null, message: null },
    answer,
    raw: null,
    scope,
    redact: (text) => ports.keeper.redact(text),
    write: operation.write,
  })
}

function tooSlow(
  operation: CompiledAction,
  step: CompiledStep,
  poll: CompiledPoll,
  scope: Scope,
): ConnectorError {
  const next = carriedParams(operation.action, scope)
  const wayOut =
    next === null ? 'allow more time' : 'call again with details.next merged into the params'
  return new ConnectorError(
    'upstream_timeout',
    `${operation.manifest.type} ${operation.action.entity}.${operation.action.name}: "${step.name}" is not finished yet; ${wayOut}`,
    {
      retryAfterMs: poll.everyMs,
      outcome: outcomeOf(step),
      details: next === null ? {} : { next },
    },
  )
}

/** Of a step whose every answer so far was accepted. */
function outcomeOf(step: CompiledStep): Outcome {
  return step.write ? 'applied' : 'not_applied'
}
