// What is used of @opentelemetry/sdk-node, an optional package that is installed by who wants traces.
declare module '@opentelemetry/sdk-node' {
  export class NodeSDK {
    constructor(options: {
      readonly serviceName?: string
      readonly instrumentations: readonly never[]
      readonly metricReaders: readonly never[]
      readonly logRecordProcessors: readonly never[]
    })
    start(): void
    /** Sends what is left. */
    shutdown(): Promise<void>
  }
}
