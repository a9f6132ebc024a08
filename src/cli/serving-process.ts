// What every process does that serves until it is told to stop.
import { once } from 'node:events'
import { createService, type Service } from '../hosting/service.ts'
import { startTelemetry } from '../hosting/start-telemetry.ts'
import { packageFacts } from '../late-modules.ts'
import type { ServiceSettings } from '../service/settings.ts'
import type { CommandContext } from './command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Channel } from './terminal.ts'

/**
 * Makes a service, begins with it, and ends when the user says so or after a defect. `begin` gives what closes the
 * service.
 */
export async function serveUntilTold(
  settings: ServiceSettings,
  context: CommandContext,
  begin: (service: Service) => Promise<() => Promise<void>>,
): Promise<ExitCode> {
  const telemetry = await startTelemetry(context.env, packageFacts().version)
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

export const SECRET_FILE = 'first-client-secret'

/** The first application as programs are told of it: its secret, or where that is. */
export type FirstApplication =
  | { readonly client_id: string; readonly client_secret: string }
  | { readonly client_id: string; readonly client_secret_file: string }
  /** It has the secret that the operator gave. */
  | { readonly client_id: string }

/**
 * Shows the first application on `channel`: its secret where that is a terminal, else the file of mode 0600 that it is
 * written to. Null: this start made none. A secret that cannot be written is lost, and the log says how to get another.
 */
export async function tellFirstApplication(
  { firstApplication, settings, log }: Pick<Service, 'firstApplication' | 'settings' | 'log'>,
  channel: Channel,
): Promise<FirstApplication | null> {
  if (firstApplication === null) return null
  const { clientId: client_id, clientSecret: client_secret } = firstApplication
  if (settings.clientSecret !== null) {
    log.info({ client_id }, 'the first application has the secret of TENON_CLIENT_SECRET')
    return { client_id }
  }
  if (channel.isTerminal) {
    channel.write(linesOf('Its secret is shown only now', { client_id, client_secret }))
    return { client_id, client_secret }
  }
  const client_secret_file = resolve(settings.data, SECRET_FILE)
  try {
    await writeSecret(settings.data, client_secret)
  } catch (error) {
    log.error(
      { client_id, file: client_secret_file, reason: String(error) },
      `the secret of the first application could not be written; tenon apps rotate-secret ${client_id} makes another`,
    )
    return { client_id }
  }
  log.warn(
    { client_id, file: client_secret_file },
    'the secret of the first application is in this file: keep it elsewhere, and delete the file',
  )
  channel.write(linesOf('Its secret is in a file of mode 0600', { client_id, client_secret_file }))
  return { client_id, client_secret_file }
}

/** Never through a link or into a file that others may have open. */
async function writeSecret(folder: string, secret: string): Promise<void> {
  const file = join(folder, SECRET_FILE)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await rm(file, { force: true })
  await writeFile(file, `${secret}\n`, { flag: 'wx', mode: 0o600 })
  // The umask may have taken more away, never less.
  await chmod(file, 0o600)
}

function linesOf(about: string, values: Readonly<Record<string, string>>): string {
  const lines = Object.entries(values).map(([name, value]) => `  ${name.padEnd(20)}${value}`)
  return [`The first application. ${about}:`, ...lines, '', ''].join('\n')
}
