// A check of credentials, with its entry in the logs.
import { isConnectorError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { CheckResult } from '../../engine/run/check.ts'
import { failureOf } from '../logs/failure-of.ts'
import type { Logs } from '../logs/logs.ts'
import { StepRecorder } from '../logs/step-recorder.ts'
import type { InstanceRow } from '../store/instances.ts'
import type { Connection } from './connections.ts'

export interface CheckPorts {
  readonly logs: Pick<Logs, 'note'>
  readonly clock: Clock
}

/**
 * `asked`: somebody has asked for it; `after_refusal`: a call was answered as if the credentials were refused; `connected`
 * and `reconnected`: an account was connected, or got new credentials.
 */
export type CheckReason = 'asked' | 'after_refusal' | 'connected' | 'reconnected'

export interface LoggedCheck extends CheckResult {
  /** How many requests went to the third party for it. */
  readonly requests: number
}

/** Throws like `Engine.check`. A connector that names no call for it leaves no entry: nothing was sent. */
export async function loggedCheck(
  { logs, clock }: CheckPorts,
  connection: Pick<Connection, 'engine'>,
  check: {
    readonly instance: InstanceRow
    readonly reason: CheckReason
    readonly clientId: string | null
    readonly requestId: string | null
    readonly timeoutMs: number
    readonly signal?: AbortSignal
    /** Whether what it found is told of the instance; one whose credentials are not kept has no entry. Default: always. */
    readonly isLogged?: (result: CheckResult) => boolean
  },
): Promise<LoggedCheck> {
  const { instance, reason: action, clientId, requestId, timeoutMs, signal, isLogged } = check
  const startedAt = clock.monotonic()
  const steps = new StepRecorder(clock, startedAt)
  const note = (error: unknown): void => {
    const told = isConnectorError(error) ? failureOf(error) : null
    steps.end(told?.code ?? null)
    const tookMs = clock.monotonic() - startedAt
    logs.note({ kind: 'check', instance, clientId, action, requestId, tookMs, steps, ...told })
  }
  try {
    const settings = { timeoutMs, observer: steps, ...(signal !== undefined && { signal }) }
    const result = await connection.engine.check(settings)
    const isTold = result.result !== 'inconclusive' || result.error !== null
    if (isTold && isLogged?.(result) !== false) note(result.error)
    return { ...result, requests: steps.count }
  } catch (error) {
    if (isConnectorError(error) && isLogged === undefined) note(error)
    throw error
  }
}
