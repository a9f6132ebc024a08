// What every process does that serves until it is told to stop.
import type { Service } from '../hosting/service.ts'
import { EXIT } from './exit-codes.ts'

/**
 * What nobody caught may have left anything half done: it is logged, what runs comes to its end, and whoever watches
 * over the process starts another one. A second one ends it at once.
 */
export function endOnDefects({ log }: Service, failed: AbortController): void {
  process.on('uncaughtException', (error: unknown, origin) => {
    const stack = error instanceof Error ? error.stack : String(error)
    log.error({ origin, stack }, 'an error that nobody caught; this process ends')
    if (failed.signal.aborted) process.exit(EXIT.failed)
    failed.abort()
  })
}

/** Takes secrets out of the environment: nobody needs them any more, and a crash report or a child process could show them. */
export function forgetSecrets(): void {
  // The environment as it was at the start stays readable for Node.
  process.report.excludeEnv = true
  for (const name of Object.keys(process.env)) {
    if (
      /^(TENON_(MASTER_KEYS|CLIENT_SECRET|DEV_TOKEN|METRICS_TOKEN|OAUTH_\w+_CLIENT_SECRET)|DATABASE_URL|OTEL_EXPORTER_OTLP_(\w+_)?HEADERS)$/.test(
        name,
      )
    )
      delete process.env[name]
  }
}
