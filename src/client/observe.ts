// Hooks and logger: told what happens, never able to change it.
import type { ConnectorError } from '../errors.ts'
import type { ExchangeObserver } from '../engine/exchange/call.ts'
import { previewRequest } from '../engine/request/curl.ts'
import type { HookEvent, Hooks, Logger } from './options.ts'

export interface Watched {
  readonly entity: string
  readonly action: string
  readonly requestId: string | null
}

/** Writes nothing. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** A logger that writes lines to the console's error stream. */
export function consoleLogger(): Logger {
  const write = (level: string) => (object: object, message: string) => {
    console.error(`${level} ${message}`, JSON.stringify(object))
  }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

/** The observer of one operation. */
export function createObserver(
  watched: Watched,
  hooks: Hooks,
  logger: Logger,
  secrets: () => readonly string[],
): ExchangeObserver {
  const { requestId } = watched
  const operation = Object.freeze({ entity: watched.entity, action: watched.action })
  const facts = { entity: watched.entity, action: watched.action, requestId }
  const tell = (
    hook: ((event: HookEvent) => void) | undefined,
    event: Omit<HookEvent, 'operation' | 'requestId'>,
  ): void => {
    if (hook === undefined) return
    try {
      hook(Object.freeze({ operation, requestId, ...event }))
    } catch (error) {
      logger.error({ ...facts, error: String(error) }, 'a hook threw')
    }
  }
  return {
    request(request, attempt) {
      logger.debug({ ...facts, attempt, method: request.method }, 'request')
      if (hooks.onRequest !== undefined)
        tell(hooks.onRequest, { attempt, request: previewRequest(request, secrets()) })
    },
    response(status, attempt, tookMs) {
      logger.debug({ ...facts, attempt, status, tookMs: Math.round(tookMs) }, 'response')
      tell(hooks.onResponse, { attempt, status, tookMs })
    },
    retry(attempt, waitMs, error) {
      logger.info({ ...facts, attempt, waitMs, code: error.code }, 'retry')
      tell(hooks.onRetry, { attempt, waitMs, error })
    },
  }
}

/** Two observers as one; the first is told first. */
export function bothOf(first: ExchangeObserver, second: ExchangeObserver): ExchangeObserver {
  return {
    request(request, attempt) {
      first.request?.(request, attempt)
      second.request?.(request, attempt)
    },
    response(status, attempt, tookMs) {
      first.response?.(status, attempt, tookMs)
      second.response?.(status, attempt, tookMs)
    },
    retry(attempt, waitMs, error) {
      first.retry?.(attempt, waitMs, error)
      second.retry?.(attempt, waitMs, error)
    },
  }
}

/** Tells the hooks that an operation failed. */
export function observeError(
  watched: Watched,
  hooks: Hooks,
  logger: Logger,
  error: ConnectorError,
): void {
  if (hooks.onError === undefined) return
  try {
    hooks.onError(
      Object.freeze({
        operation: { entity: watched.entity, action: watched.action },
        requestId: watched.requestId,
        attempt: 0,
        error,
      }),
    )
  } catch (thrown) {
    logger.error(
      { entity: watched.entity, action: watched.action, error: String(thrown) },
      'a hook threw',
    )
  }
}
