// What every process does that serves until it is told to stop.
import { once } from 'node:events'
import { createService, type Service } from '../hosting/service.ts'
import { startTelemetry } from '../hosting/start-telemetry.ts'
import { packageVersion } from '../package-file.ts'
import type { ServiceSettings } from '../service/settings.ts'
import type { CommandContext } from './command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'

/**
 * Makes a service, begins with it, and ends when the user says so or after a defect. `begin` gives what closes the
 * service.
 */
export async function serveUntilTold(
  settings: ServiceSettings,
  context: CommandContext,
  begin: (service: Service) => Promise<() => Promise<void>>,
): Promise<ExitCode> {
  const telemetry = await startTelemetry(context.env, packageVersion())
  forgetSecrets()
  const service = await createService({ ...settings, ...telemetry.options })
  telemetry.reportTo(service.log)
  const failed = new AbortController()
  endOnDefects(service, failed)
  const close = await begin(service)
  const ending = AbortSignal.any([context.signal, failed.signal])
  if (!ending.aborted) await once(ending, 'abort')
  service.log.info({ running: service.lifecycle.running }, 'shutting down')
  await close()
  await telemetry.close()
  return failed.signal.aborted ? EXIT.failed : EXIT.done
}

/**
 * An error that nobody caught may have left anything half done: it is logged, what runs comes to its end, and the
 * supervisor of the process starts another one. A second error ends the process at once.
 */
function endOnDefects({ log }: Service, failed: AbortController): void {
  process.on('uncaughtException', (error: unknown, origin) => {
    const stack = error instanceof Error ? error.stack : String(error)
    log.error({ origin, stack }, 'an error that nobody caught; this process ends')
    if (failed.signal.aborted) process.exit(EXIT.failed)
    failed.abort()
  })
}

/** Takes secrets out of the environment: they were read, and a crash report or a child process could show them. */
function forgetSecrets(): void {
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
