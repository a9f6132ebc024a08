// Spans of OpenTelemetry, for hosts that hand over a tracer. This package never loads the API itself.
import { isConnectorError } from '../../errors.ts'
import type { ExchangeObserver } from '../exchange/call.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import { pathTemplate } from './path-template.ts'

/** What is used of a span of `@opentelemetry/api`. */
export interface Span {
  setAttribute(name: string, value: string | number): unknown
  setStatus(status: { code: 0 | 1 | 2; message?: string }): unknown
  end(): void
}

interface SpanOptions {
  kind?: number
  attributes?: { [name: string]: string | number }
}

/** What is used of a tracer of `@opentelemetry/api`. */
export interface Tracer {
  startSpan(name: string, options?: SpanOptions): Span
  startActiveSpan<F extends (span: Span) => unknown>(
    name: string,
    options: SpanOptions,
    run: F,
  ): ReturnType<F>
}

/** Which operation a span is about. */
export interface TracedOperation {
  readonly entity: string
  readonly action: string
  readonly requestId: string | null
}

/** `SpanKind.CLIENT` and `SpanStatusCode.ERROR` of the API. */
const KIND_CLIENT = 2
const STATUS_ERROR = 2

/**
 * Runs an operation inside a span, with the observer that makes one client span per attempt.
 *
 * Never a full URL, a parameter or a secret: only names of the connector, the template of the path, and status codes.
 */
export async function traced<T>(
  tracer: Tracer,
  manifest: Manifest,
  operation: TracedOperation,
  run: (observer: ExchangeObserver) => Promise<T>,
): Promise<T> {
  return await inOperationSpan(tracer, manifest, operation, async () => {
    const attempts = observeAttempts(tracer, templateOf(manifest, operation))
    try {
      return await run(attempts)
    } finally {
      attempts.end()
    }
  })
}

/** Runs an operation inside a span of its own, which is the active one meanwhile. */
export async function inOperationSpan<T>(
  tracer: Tracer,
  { type }: Pick<Manifest, 'type'>,
  { entity, action, requestId }: TracedOperation,
  run: () => Promise<T>,
): Promise<T> {
  const attributes = {
    'tenon.connector_type': type,
    'tenon.entity': entity,
    'tenon.action': action,
    ...(requestId === null ? {} : { 'tenon.request_id': requestId }),
  }
  return await inSpan(tracer, `${type} ${entity}.${action}`, { attributes }, run)
}

/** Runs work inside a span, which is the active one meanwhile and fails with it. */
export async function inSpan<T>(
  tracer: Tracer,
  name: string,
  options: SpanOptions,
  run: (span: Span) => Promise<T>,
): Promise<T> {
  return await tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await run(span)
    } catch (error) {
      failSpan(span, isConnectorError(error) ? error.code : 'internal_error')
      throw error
    } finally {
      span.end()
    }
  })
}

/** Marks a span as failed, by a code: messages may say more than a trace should. */
export function failSpan(span: Span, code: string): void {
  span.setAttribute('error.type', code)
  span.setStatus({ code: STATUS_ERROR, message: code })
}

function observeAttempts(
  tracer: Tracer,
  template: string | null,
): ExchangeObserver & { readonly end: () => void } {
  let current: Span | null = null
  const end = (): void => {
    current?.end()
    current = null
  }
  return {
    end,
    request({ method, url }, attempt) {
      end()
      const { hostname, port } = new URL(url)
      current = tracer.startSpan(template === null ? method : `${method} ${template}`, {
        kind: KIND_CLIENT,
        attributes: {
          'http.request.method': method,
          'server.address': hostname,
          ...(port === '' ? {} : { 'server.port': Number(port) }),
          ...(template === null ? {} : { 'url.template': template }),
          ...(attempt === 1 ? {} : { 'http.request.resend_count': attempt - 1 }),
        },
      })
    },
    response(status) {
      current?.setAttribute('http.response.status_code', status)
      if (status >= 400 && current !== null) failSpan(current, String(status))
      end()
    },
    retry(_attempt, _waitMs, error) {
      if (current !== null) failSpan(current, error.code)
      end()
    },
  }
}

/** The path of an action with its parameters in braces; null where several requests make it up. */
function templateOf(manifest: Manifest, { entity, action }: TracedOperation): string | null {
  const found = manifest.entities.find(({ name }) => name === entity)
  const [only, ...more] = found?.actions.find(({ name }) => name === action)?.steps ?? []
  if (only === undefined || more.length > 0) return null
  return pathTemplate(only.request.path)
}
