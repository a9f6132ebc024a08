// The instruments of the metrics, made with a meter of OpenTelemetry.
import type { Instruments, Labels } from '../service/instruments.ts'

interface Described {
  readonly description?: string
  readonly unit?: string
  readonly advice?: { explicitBucketBoundaries?: number[] }
}

/** What is used of a meter of `@opentelemetry/api`. */
export interface Meter {
  createCounter(name: string, options: Described): { add(count: number, labels: Labels): void }
  createHistogram(name: string, options: Described): { record(value: number, labels: Labels): void }
  createObservableGauge(
    name: string,
    options: Described,
  ): {
    addCallback(
      read: (result: { observe(value: number, labels: Labels): void }) => Promise<void>,
    ): void
  }
}

/**
 * Instruments whose names have dots and whose unit stands apart, as OpenTelemetry wants them: `tenon_http_requests_total`
 * is `tenon.http.requests`. A collector that writes Prometheus makes the first of the second again.
 */
export function exportedInstruments(meter: Meter): Instruments {
  return {
    counter({ name, help }) {
      const counter = meter.createCounter(dotted(name), { description: help })
      return (labels, count) => counter.add(count, labels)
    },
    histogram({ name, help, buckets }) {
      const histogram = meter.createHistogram(dotted(name), {
        description: help,
        unit: 's',
        advice: { explicitBucketBoundaries: [...buckets] },
      })
      return (labels, seconds) => histogram.record(seconds, labels)
    },
    gauge({ name, help }, read) {
      meter
        .createObservableGauge(dotted(name), { description: help })
        .addCallback(async (result) => {
          // While the store is away all other metrics are what somebody looks for.
          for (const { labels, value } of await read().catch(() => []))
            result.observe(value, labels)
        })
    },
  }
}

function dotted(name: string): string {
  return name.replace(/_(total|seconds)$/, '').replaceAll('_', '.')
}
