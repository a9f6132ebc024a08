// A step that is repeated until the third party has finished.
import type { FreshCredentials } from '../credentials/fresh-credentials.ts'
import { ConnectorError, type Outcome } from '../../errors.ts'
import { aborted } from '../exchange/call.ts'
import type { Answer } from '../../language/expression/pick.ts'
import { carriedParams } from './carried-params.ts'
import type { CompiledPoll, CompiledStep } from './compiled-action.ts'
import type { AskedStep, CalledStep } from './steps.ts'

interface PolledStep extends AskedStep {
  readonly poll: CompiledPoll
}

/**
 * Calls `once` until the poll's tests hold.
 *
 * Throws the class `unavailable` when `failed` holds, and `upstream_timeout` when the poll's time or the caller's
 * deadline is over; `details.next` then holds the params with which the caller can come back.
 */
export async function pollStep(
  polled: PolledStep,
  once: (fresh: FreshCredentials) => Promise<CalledStep>,
): Promise<CalledStep> {
  const { run, step, poll, scope } = polled
  const { clock } = run.ports
  const end = Math.min(run.deadline(), clock.monotonic() + poll.timeoutMs)
  let { fresh } = run
  let requests = 0
  for (;;) {
    const result = await once(fresh)
    fresh = result.fresh
    requests += result.requests
    const { answer } = result.value
    const progress = poll.progressOf(answer)
    if (progress !== undefined) run.onProgress?.(progress)
    if (poll.isDone(answer, scope)) return { ...result, requests }
    if (poll.hasFailed(answer, scope)) throw failed(polled, answer)
    if (clock.monotonic() + poll.everyMs >= end) throw tooSlow(polled)
    await clock.sleep(poll.everyMs, run.signal).catch((cause: unknown) => {
      throw aborted(cause, outcomeOf(step))
    })
  }
}

function failed({ run, scope }: PolledStep, answer: Answer): ConnectorError {
  const { compiled, ports } = run
  return compiled.errorOf({
    ruling: { as: 'unavailable', outcome: null, message: null },
    answer,
    raw: null,
    scope,
    redact: (text) => ports.keeper.redact(text),
    write: compiled.write,
  })
}

function tooSlow({ run, step, poll, scope }: PolledStep): ConnectorError {
  const { manifest, action } = run.compiled
  const next = carriedParams(action, scope)
  const wayOut =
    next === null ? 'allow more time' : 'call again with details.next merged into the params'
  return new ConnectorError(
    'upstream_timeout',
    `${manifest.type} ${action.entity}.${action.name}: "${step.name}" is not finished yet; ${wayOut}`,
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
