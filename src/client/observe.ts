// Hooks and logger: told what happens, never able to change it.
import type { ConnectorError } from '../errors.ts'
import type { ExchangeObserver } from '../engine/exchange/call.ts'
import type { TracedOperation } from '../engine/run/trace.ts'
import { previewRequest } from '../engine/request/curl.ts'
import type { HookEvent, Hooks, Logger } from './options.ts'

/** Writes nothing. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** A logger that writes lines to the console's error stream. */
export function consoleLogger(): Logger {
  const write = (level: string) => (object: object, message: string) => {
    console.error(`${level} ${message}`, JSON.stringify(object))
  }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

/** Tells hooks and logger of the requests, answers and repetitions of one operation. */
export function createObserver(
  watched: TracedOperation,
  hooks: Hooks,
  logger: Logger,
  secrets: () => readonly string[],
): ExchangeObserver {
  const { entity, action, requestId } = watched
  const operation = Object.freeze({ entity, action })
  const facts = { entity, action, requestId }
  const told = (hook: Hook, event: Omit<HookEvent, 'operation' | 'requestId'>): void =>
    tell(hook, { operation, requestId, ...event }, logger)
  return {
    request(request, attempt) {
      logger.debug({ ...facts, attempt, method: request.method }, 'request')
      if (hooks.onRequest !== undefined)
        told(hooks.onRequest, { attempt, request: previewRequest(request, secrets()) })
    },
    response(status, attempt, tookMs) {
      logger.debug({ ...facts, attempt, status, tookMs: Math.round(tookMs) }, 'response')
      told(hooks.onResponse, { attempt, status, tookMs })
    },
    retry(attempt, waitMs, error) {
      logger.info({ ...facts, attempt, waitMs, code: error.code }, 'retry')
      told(hooks.onRetry, { attempt, waitMs, error })
    },
  }
}

/** Several observers as one; the first is told first. */
export function allOf(...observers: readonly ExchangeObserver[]): ExchangeObserver {
  return {
    request: (...told) => observers.forEach((each) => each.request?.(...told)),
    response: (...told) => observers.forEach((each) => each.response?.(...told)),
    retry: (...told) => observers.forEach((each) => each.retry?.(...told)),
  }
}

export function observeError(
  watched: TracedOperation,
  hooks: Hooks,
  logger: Logger,
  error: ConnectorError,
): void {
  const { entity, action, requestId } = watched
  tell(hooks.onError, { operation: { entity, action }, requestId, attempt: 0, error }, logger)
}

type Hook = ((event: HookEvent) => void) | undefined

/** Calls a hook. What it throws goes to the logger. */
function tell(hook: Hook, event: HookEvent, logger: Logger): void {
  try {
    hook?.(Object.freeze(event))
  } catch (error) {
    const { operation, requestId } = event
    logger.error({ ...operation, requestId, error: String(error) }, 'a hook threw')
  }
}
