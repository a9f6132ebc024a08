// Spans of OpenTelemetry around what the service does, as a port: without a tracer nothing happens and nothing is loaded.
import type { IncomingHttpHeaders } from 'node:http'
import type { Manifest } from '../language/manifest/manifest.ts'
import type { TracedOperation } from '../engine/run/trace.ts'

export interface Tracing {
  /** Begins the span of a request, as a child of what its `traceparent` names. */
  request(request: TracedRequest): RequestTrace
  /** Runs an operation in a span below the request's. */
  operation<T>(
    manifest: Pick<Manifest, 'type'>,
    operation: TracedOperation,
    run: () => Promise<T>,
  ): Promise<T>
}

export interface TracedRequest {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** As the route table spells it, parameters in braces; null: no route. */
  readonly route: string | null
  readonly requestId: string
}

export interface RequestTrace {
  /** For the log. */
  readonly traceId: string
  /** Runs work whose spans belong below this one. */
  run<T>(work: () => T): T
  end(answer: { readonly status: number; readonly code: string | null }): void
}
