// Tracing by OpenTelemetry: requests, operations, calls of third parties and of the store as spans of one trace.
import type { Span, Tracer as ApiTracer } from '@opentelemetry/api'
import { ConnectorError, isConnectorError } from '../errors.ts'
import type { Transport } from '../engine/exchange/transport.ts'
import type { UpstreamRequest } from '../engine/request/upstream-request.ts'
import { failSpan, inOperationSpan, type Tracer } from '../engine/run/trace.ts'
import type { Tracing } from '../service/tracing.ts'
import type { Store } from '../service/store/store.ts'

/** What a service is traced with. */
export interface OpenTelemetry {
  readonly tracing: Tracing
  /** The same store, with a span per call where a trace is under way. */
  store(store: Store, system: 'sqlite' | 'postgresql'): Store
  /** The same transport, with a span per request where a trace is under way: refreshes and consents included. */
  transport(transport: Transport): Transport
}

/** `SpanKind` of the API, which is loaded later. */
const SERVER = 1
const CLIENT = 2

/**
 * Makes spans with a tracer. Names, methods, hosts, status and error codes are in them; never a full URL, a parameter, a
 * header or a secret. Nothing of a trace is sent to third parties.
 *
 * Throws `config_invalid` when the package @opentelemetry/api is not installed.
 */
export async function openTelemetry(tracer: Tracer): Promise<OpenTelemetry> {
  const { context, propagation, ROOT_CONTEXT, trace } = await loadPeer(
    '@opentelemetry/api',
    () => import('@opentelemetry/api'),
  )
  // The tracer of the option is the API's; its type here names only what is used of it.
  const spans = tracer as ApiTracer

  async function inClientSpan<T>(
    name: string,
    attributes: Readonly<Record<string, string | number>>,
    run: () => Promise<T>,
    look: (result: T, span: Span) => void = () => {},
  ): Promise<T> {
    if (trace.getActiveSpan() === undefined) return await run()
    return await spans.startActiveSpan(name, { kind: CLIENT, attributes }, async (span) => {
      try {
        const result = await run()
        look(result, span)
        return result
      } catch (error) {
        failSpan(span, isConnectorError(error) ? error.code : 'internal_error')
        throw error
      } finally {
        span.end()
      }
    })
  }

  const tracing: Tracing = {
    request({ method, headers, route, requestId }) {
      // A host that traces its own server has begun already.
      const isInside = trace.getActiveSpan() !== undefined
      const parent = isInside ? context.active() : propagation.extract(ROOT_CONTEXT, headers)
      const span = spans.startSpan(
        route === null ? method : `${method} ${route}`,
        {
          kind: SERVER,
          attributes: {
            'http.request.method': method,
            'tenon.request_id': requestId,
            ...(route === null ? {} : { 'http.route': route }),
          },
        },
        parent,
      )
      const inside = trace.setSpan(parent, span)
      return {
        traceId: span.spanContext().traceId,
        run: (work) => context.with(inside, work),
        end({ status, code }) {
          span.setAttribute('http.response.status_code', status)
          if (code !== null) span.setAttribute('tenon.code', code)
          // Source: OpenTelemetry semantic conventions, HTTP server spans: a 4xx is no failure of the server.
          if (status >= 500) failSpan(span, code ?? String(status))
          span.end()
        },
      }
    },
    operation: (manifest, operation, run) => inOperationSpan(tracer, manifest, operation, run),
  }

  return {
    tracing,
    store: (store, system) =>
      tracedGroups(store, async (group, name, run) =>
        inClientSpan(
          `store ${group}.${name}`,
          { 'db.system.name': system, 'db.operation.name': `${group}.${name}` },
          run,
        ),
      ),
    transport: (transport) => ({
      send: (request, options) =>
        inClientSpan(
          request.method,
          requestAttributes(request),
          () => transport.send(request, options),
          showStatus,
        ),
      stream: (request, options) =>
        inClientSpan(
          request.method,
          requestAttributes(request),
          () => transport.stream(request, options),
          showStatus,
        ),
      close: () => transport.close(),
    }),
  }
}

function requestAttributes({ method, url }: UpstreamRequest): Record<string, string | number> {
  const { hostname, port } = new URL(url)
  return {
    'http.request.method': method,
    'server.address': hostname,
    ...(port === '' ? {} : { 'server.port': Number(port) }),
  }
}

function showStatus({ status }: { readonly status: number }, span: Span): void {
  span.setAttribute('http.response.status_code', status)
  if (status >= 400) failSpan(span, String(status))
}

type Around = (group: string, name: string, run: () => Promise<unknown>) => Promise<unknown>

/** The store with something around every function of its groups; its own functions (health, close) stay as they are. */
function tracedGroups(store: Store, around: Around): Store {
  const groups = new Map<PropertyKey, unknown>()
  return new Proxy(store, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member)
      if (typeof value !== 'object' || value === null) return value
      let group = groups.get(member)
      if (group === undefined)
        groups.set(member, (group = tracedGroup(value, String(member), around)))
      return group
    },
  })
}

function tracedGroup(group: object, groupName: string, around: Around): object {
  return new Proxy(group, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member)
      if (typeof value !== 'function') return value
      return (...given: readonly unknown[]): Promise<unknown> =>
        // Every function of the port gives a promise.
        around(
          groupName,
          String(member),
          () => Reflect.apply(value, target, given) as Promise<unknown>,
        )
    },
  })
}

/** Loads a package that only OpenTelemetry needs. Throws `config_invalid` with what to install. */
export async function loadPeer<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new ConnectorError(
      'config_invalid',
      `OpenTelemetry needs the package ${name}, which is not installed: npm install @opentelemetry/api @opentelemetry/sdk-node, or take OTEL_* out of the environment`,
      { cause },
    )
  }
}
