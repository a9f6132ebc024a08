// What can be counted and measured, as a port: Prometheus reads it, or OpenTelemetry sends it.

export type Labels = Readonly<Record<string, string>>

/** An instrument under the name that Prometheus knows: with its unit, and `_total` where it counts. */
export interface InstrumentOptions {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
}

export interface HistogramOptions extends InstrumentOptions {
  /** Upper bounds, in seconds. */
  readonly buckets: readonly number[]
}

export interface GaugeValue {
  readonly labels: Labels
  readonly value: number
}

/** Makes instruments; each name once. */
export interface Instruments {
  counter(options: InstrumentOptions): (labels: Labels, count: number) => void
  histogram(options: HistogramOptions): (labels: Labels, seconds: number) => void
  /** `read` is asked whenever somebody looks; what it throws leaves the gauge without values. */
  gauge(options: InstrumentOptions, read: () => Promise<readonly GaugeValue[]>): void
}

export function inBoth(one: Instruments, other: Instruments): Instruments {
  return {
    counter: (options) => twice(one.counter(options), other.counter(options)),
    histogram: (options) => twice(one.histogram(options), other.histogram(options)),
    gauge(options, read) {
      one.gauge(options, read)
      other.gauge(options, read)
    },
  }
}

type Recorder = (labels: Labels, amount: number) => void

function twice(one: Recorder, other: Recorder): Recorder {
  return (labels, amount) => {
    one(labels, amount)
    other(labels, amount)
  }
}
