// The API of OpenTelemetry with spans kept in memory: what an SDK registers, as small as it can be.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import {
  type Context,
  context,
  type ContextManager,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  trace,
  type Tracer,
} from '@opentelemetry/api'

export interface RecordedSpan {
  readonly name: string
  readonly kind: string
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | null
  readonly attributes: Record<string, unknown>
  status: string
  ended: number
}

/** Registers context and propagation for this process, as the start of an SDK does, and gives a tracer. */
export function recordingTracer(): { readonly tracer: Tracer; readonly spans: RecordedSpan[] } {
  context.setGlobalContextManager(new LocalStorageManager().enable())
  propagation.setGlobalPropagator({
    fields: () => ['traceparent'],
    inject: () => {},
    extract(parent, carrier, getter) {
      const [, traceId = '', spanId = '', flags = '0'] = String(
        getter.get(carrier, 'traceparent') ?? '',
      ).split('-')
      if (traceId.length !== 32 || spanId.length !== 16) return parent
      const traceFlags = Number.parseInt(flags, 16)
      return trace.setSpanContext(parent, { traceId, spanId, traceFlags, isRemote: true })
    },
  })
  const spans: RecordedSpan[] = []

  function startSpan(name: string, options: SpanOptions = {}, inside = context.active()): Span {
    const parent = trace.getSpanContext(inside)
    const own: SpanContext = {
      traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
      spanId: randomBytes(8).toString('hex'),
      traceFlags: 1,
    }
    const recorded: RecordedSpan = {
      name,
      kind: SpanKind[options.kind ?? SpanKind.INTERNAL],
      traceId: own.traceId,
      spanId: own.spanId,
      parentId: parent?.spanId ?? null,
      attributes: { ...options.attributes },
      status: 'unset',
      ended: 0,
    }
    spans.push(recorded)
    const span: Partial<Span> = {
      spanContext: () => own,
      setAttribute(key, value) {
        recorded.attributes[key] = value
        return span as Span
      },
      setStatus({ message }) {
        recorded.status = message ?? 'error'
        return span as Span
      },
      end: () => void recorded.ended++,
    }
    // What nobody calls is left out.
    return span as Span
  }

  const tracer = {
    startSpan,
    startActiveSpan: (name: string, options: SpanOptions, run: (span: Span) => unknown) => {
      const span = startSpan(name, options)
      return context.with(trace.setSpan(context.active(), span), () => run(span))
    },
  }
  return { tracer: tracer as Tracer, spans }
}

class LocalStorageManager implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>()

  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT
  }

  with<A extends unknown[], F extends (...given: A) => ReturnType<F>>(
    inside: Context,
    run: F,
    self?: ThisParameterType<F>,
    ...given: A
  ): ReturnType<F> {
    return this.#storage.run(inside, () => Reflect.apply(run, self, given))
  }

  bind<T>(_context: Context, target: T): T {
    return target
  }

  enable(): this {
    return this
  }

  disable(): this {
    return this
  }
}
