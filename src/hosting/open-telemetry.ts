// Tracing by OpenTelemetry: requests, operations, calls of third parties and of the store as spans of one trace.
import type * as Api from '@opentelemetry/api'
import { ConnectorError } from '../errors.ts'
import { missingPackage } from '../optional-packages.ts'
import type { Transport } from '../engine/exchange/transport.ts'
import type { UpstreamRequest } from '../engine/request/upstream-request.ts'
import { failSpan, inOperationSpan, inSpan, type Span, type Tracer } from '../engine/run/trace.ts'
import type { Tracing } from '../service/tracing.ts'
import type { Store } from '../service/store/store.ts'

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
  const api = await loadPeer('@opentelemetry/api', () => import('@opentelemetry/api'))
  // The tracer of the option is the API's; its type here names only what is used of it.
  const spans: Spans = { api, tracer: tracer as Api.Tracer }
  return {
    tracing: {
      request: (asked) => requestSpan(spans, asked),
      operation: (manifest, operation, run) => inOperationSpan(tracer, manifest, operation, run),
    },
    store: (store, system) =>
      tracedGroups(store, async (group, name, run) =>
        inClientSpan(spans, run, {
          name: `store ${group}.${name}`,
          attributes: { 'db.system.name': system, 'db.operation.name': `${group}.${name}` },
        }),
      ),
    transport: (transport) => ({
      send: (request, options) =>
        inClientSpan(spans, () => transport.send(request, options), sentSpan(request)),
      stream: (request, options) =>
        inClientSpan(spans, () => transport.stream(request, options), sentSpan(request)),
      close: () => transport.close(),
    }),
  }
}

interface Spans {
  readonly api: typeof Api
  readonly tracer: Api.Tracer
}

interface ClientSpan<T> {
  readonly name: string
  readonly attributes: Readonly<Record<string, string | number>>
  readonly note?: (span: Span, result: T) => void
}

/** Runs within a span, where a trace is under way. */
async function inClientSpan<T>(
  { api, tracer }: Spans,
  run: () => Promise<T>,
  { name, attributes, note }: ClientSpan<T>,
): Promise<T> {
  if (api.trace.getActiveSpan() === undefined) return await run()
  return await inSpan(tracer, name, { kind: CLIENT, attributes }, async (span) => {
    const result = await run()
    note?.(span, result)
    return result
  })
}

function requestSpan(
  { api: { context, propagation, ROOT_CONTEXT, trace }, tracer }: Spans,
  { method, headers, route, requestId }: Parameters<Tracing['request']>[0],
): ReturnType<Tracing['request']> {
  // A host that traces its own server has begun already.
  const isInside = trace.getActiveSpan() !== undefined
  const parent = isInside ? context.active() : propagation.extract(ROOT_CONTEXT, headers)
  const attributes = {
    'http.request.method': method,
    'tenon.request_id': requestId,
    ...(route === null ? {} : { 'http.route': route }),
  }
  const name = route === null ? method : `${method} ${route}`
  const span = tracer.startSpan(name, { kind: SERVER, attributes }, parent)
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
}

function sentSpan({ method, url }: UpstreamRequest): ClientSpan<{ readonly status: number }> {
  const { hostname, port } = new URL(url)
  return {
    name: method,
    attributes: {
      'http.request.method': method,
      'server.address': hostname,
      ...(port === '' ? {} : { 'server.port': Number(port) }),
    },
    note(span, { status }) {
      span.setAttribute('http.response.status_code', status)
      if (status >= 400) failSpan(span, String(status))
    },
  }
}

type Around = (group: string, name: string, run: () => Promise<unknown>) => Promise<unknown>

/** The store with something around every function of its groups; its own functions (health, close) stay as they are. */
function tracedGroups(store: Store, around: Around): Store {
  const groups = new Map<PropertyKey, unknown>()
  return new Proxy(store, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member)
      if (typeof value !== 'object' || value === null) return value
      const known = groups.get(member)
      if (known !== undefined) return known
      const group = tracedGroup(value, String(member), around)
      groups.set(member, group)
      return group
    },
  })
}

function tracedGroup(group: object, groupName: string, around: Around): object {
  return new Proxy(group, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member)
      if (typeof value !== 'function') return value
      return (...given: readonly unknown[]): Promise<unknown> => {
        // Every function of the port gives a promise.
        const run = (): Promise<unknown> => Reflect.apply(value, target, given) as Promise<unknown>
        return around(groupName, String(member), run)
      }
    },
  })
}

/** Loads a package that only OpenTelemetry needs. Throws `config_invalid` with what to install. */
export async function loadPeer<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new ConnectorError('config_invalid', missingPackage(name), { cause })
  }
}
