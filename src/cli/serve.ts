// `tenon serve`: the service, until it is told to stop.
import { once } from 'node:events'
import { dedicateProcess } from '../hosting/dedicate-process.ts'
import { createService, type Service } from '../hosting/service.ts'
import { packagedConsole, serve as listen } from '../hosting/server.ts'
import { isConsoleBuilt } from '../service/console/console-pages.ts'
import { startTelemetry } from '../hosting/start-telemetry.ts'
import { shownSettings } from '../service/environment.ts'
import type { CommandContext, CommandModule } from './command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { type FirstApplication, tellFirstApplication } from './first-application.ts'
import { readSettings, type SettingsFlags } from './service-settings.ts'
import { endOnDefects, forgetSecrets } from './serving-process.ts'
import { packageVersion } from '../package-file.ts'

interface ServeFlags extends SettingsFlags {
  readonly sandbox?: boolean
  readonly dev?: boolean
  readonly host?: string
  readonly port?: string
  readonly migrate: boolean
  readonly jobs: boolean
  readonly json?: boolean
}

export const serves = true

export const notes = `Everything is set by the environment; docs/operation.md lists the names.`

export const examples: CommandModule['examples'] = [
  'tenon serve --sandbox',
  'TENON_PORT=9000 tenon serve --config tenon.yaml',
  'DATABASE_URL=postgres://… TENON_MASTER_KEYS=k1:… tenon serve',
]

export const configure: CommandModule['configure'] = (command, context, done) => {
  command
    .option('--sandbox', 'local vendors for every connector: everything works with no account')
    .option('--dev', 'accept a development token, loopback http redirects and server_url')
    .option('--config <file>', 'YAML file with the same names as the environment, which wins')
    .option('--data <folder>', 'folder of the embedded store; default: ./tenon-data')
    .option('--host <address>', 'where to listen; default: 127.0.0.1')
    .option('--port <n>', 'where to listen; default: 8080')
    .option('--no-migrate', 'refuse to start when the schema of the store is behind')
    .option('--no-jobs', 'run no background jobs in this process')
    .option('--json', 'where it listens, and what the first start made, as a line of JSON')
    .action(async (flags: ServeFlags) => done(await run(flags, context)))
}

async function run(flags: ServeFlags, context: CommandContext): Promise<ExitCode> {
  const settings = readSettings(context, flags, {
    ...(flags.sandbox === true ? { TENON_SANDBOX: '1' } : {}),
    ...(flags.dev === true ? { TENON_DEV: '1' } : {}),
    ...(flags.host === undefined ? {} : { TENON_HOST: flags.host }),
    ...(flags.port === undefined ? {} : { TENON_PORT: flags.port }),
    ...(flags.migrate ? {} : { TENON_MIGRATE: '0' }),
    ...(flags.jobs ? {} : { TENON_JOBS: '0' }),
  })
  const telemetry = await startTelemetry(context.env, packageVersion())
  forgetSecrets()
  dedicateProcess()
  const service = await createService({ ...settings, ...telemetry.options })
  telemetry.reportTo(service.log)
  const failed = new AbortController()
  endOnDefects(service, failed)
  const { out, err } = context.terminal
  // Before anything that may fail: the application is there already.
  const firstApplication = await tellFirstApplication(
    service,
    flags.json === true ? { ...out, write: () => {} } : err,
  )
  const server = await listen(service)
  service.log.info(
    { url: server.url, mode: settings.mode, settings: shownSettings(settings) },
    'listening',
  )
  if (flags.json === true)
    out.write(`${JSON.stringify(facts(service, server.url, firstApplication))}\n`)
  else err.write(welcome(service, server.url))
  const ending = AbortSignal.any([context.signal, failed.signal])
  if (!ending.aborted) await once(ending, 'abort')
  service.log.info({ running: service.lifecycle.running }, 'shutting down')
  await server.close()
  await telemetry.close()
  return failed.signal.aborted ? EXIT.failed : EXIT.done
}

function welcome({ sandboxes, settings }: Service, url: string): string {
  const lines = [
    `Tenon listens on ${url} (${settings.mode}). API: ${url}${settings.docs ? '/docs' : '/openapi.json'}  Health: ${url}/readyz`,
    isConsoleBuilt(packagedConsole())
      ? `Console: ${url}/console`
      : 'Console: not built in this checkout; npm run build:console builds it.',
  ]
  if (sandboxes !== null) {
    lines.push('', 'Local vendors, and what to connect with:')
    for (const [type, vendor] of sandboxes.demo) {
      const { credentials, config } = vendor.options()
      lines.push(
        `  ${type}  ${vendor.url}`,
        `    "credentials": ${JSON.stringify(credentials)}, "config": ${JSON.stringify(config)}`,
      )
    }
  }
  return `${lines.join('\n')}\n\n`
}

/** The welcome for programs: a line among those of the log, told by its `url`. */
function facts(
  { sandboxes, settings }: Service,
  url: string,
  firstApplication: FirstApplication | null,
): object {
  return {
    url,
    mode: settings.mode,
    console: isConsoleBuilt(packagedConsole()) ? `${url}/console` : null,
    first_application: firstApplication,
    sandboxes: [...(sandboxes?.demo ?? [])].map(([type, vendor]) => {
      const { credentials, config } = vendor.options()
      return { connector_type: type, url: vendor.url, credentials, config }
    }),
  }
}
