// `tenon serve`: the service, until it is told to stop.
import { dedicateProcess } from '../hosting/dedicate-process.ts'
import { keepProcesses } from '../hosting/processes.ts'
import type { Service } from '../hosting/service.ts'
import { type Siblings, siblings } from '../hosting/siblings.ts'
import { packagedConsole, serve as listen } from '../hosting/server.ts'
import { isConsoleBuilt } from '../service/console/console-pages.ts'
import { shownSettings } from '../service/environment.ts'
import type { ServiceSettings } from '../service/settings.ts'
import { type CommandContext, type Configure, leaf, wholeNumber } from './command.ts'
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts'
import { type FirstApplication, serveUntilTold, tellFirstApplication } from './serving-process.ts'
import { readSettings, SERVING_OPTIONS } from './service-settings.ts'
import { writeLines } from './terminal.ts'

export const docs = 'operation'
export const serves = true

export const notes = `Everything is set by the environment; docs/operation.md lists the names.`

export const examples: readonly string[] = [
  'tenon serve --sandbox',
  'TENON_PORT=9000 tenon serve --config tenon.yaml',
  'DATABASE_URL=postgres://… TENON_MASTER_KEYS=k1:… tenon serve',
  'DATABASE_URL=postgres://… TENON_MASTER_KEYS=k1:… tenon serve --processes 4',
]

export const configure: Configure = leaf({
  options: {
    '--sandbox': 'local vendors for every connector: everything works with no account',
    '--dev': 'accept a development token, loopback http redirects and server_url',
    ...SERVING_OPTIONS,
    '--host <address>': 'where to listen; default: 127.0.0.1',
    '--port <n>': 'where to listen; default: 8080',
    '--processes <n>': {
      text: 'so many processes on one port, with PostgreSQL; SIGHUP replaces them one by one',
      parse: wholeNumber,
    },
    '--no-migrate': 'refuse to start when the schema of the store is behind',
    '--no-jobs': 'run no background jobs in this process',
    '--json': 'print one line of JSON: where it listens, and what the first start made',
  },
  async run({ sandbox, dev, host, port, processes, migrate, jobs, json, ...flags }, context) {
    const settings = readSettings(context, flags, {
      ...(sandbox === true ? { TENON_SANDBOX: '1' } : {}),
      ...(dev === true ? { TENON_DEV: '1' } : {}),
      ...(host === undefined ? {} : { TENON_HOST: host }),
      ...(port === undefined ? {} : { TENON_PORT: port }),
      ...(migrate ? {} : { TENON_MIGRATE: '0' }),
      ...(jobs ? {} : { TENON_JOBS: '0' }),
    })
    const others = siblings()
    if (others === null && processes !== undefined && processes > 1)
      return await serveTogether(processes, settings, context)
    dedicateProcess()
    const signal =
      others === null ? context.signal : AbortSignal.any([context.signal, others.ending])
    return await serveUntilTold(settings, { ...context, signal }, async (service) => {
      const { out, err } = context.terminal
      // Before anything that may fail: the application is there already.
      const channel = json === true ? { ...out, write: () => {} } : err
      const firstApplication = await tellFirstApplication(service, channel)
      const server = await listen(service, { siblings: others })
      const { url } = server
      const { mode } = settings
      // On a terminal so many of them would push the secret out of sight.
      const shown = out.isTerminal ? {} : { settings: shownSettings(settings) }
      service.log.info({ url, mode, ...shown }, 'listening')
      const value = facts(service, url, firstApplication)
      if (others === null || others.isFirst) {
        if (json === true) writeLines(out, [value])
        else err.write(welcome(value, `${url}${settings.docs ? '/docs' : '/openapi.json'}`))
      }
      return () =>
        mayLeave(others, context.signal) ? server.leave(others.stopped) : server.close()
    })
  },
})

/** Whether this process ends because another one has taken its place. */
function mayLeave(others: Siblings | null, told: AbortSignal): others is Siblings {
  return others !== null && !told.aborted && !others.stopped.aborted
}

/** Throws UsageError where several processes cannot share what there is. */
async function serveTogether(
  count: number,
  { databaseUrl, mode, logLevel }: ServiceSettings,
  { signal }: CommandContext,
): Promise<ExitCode> {
  if (databaseUrl === null)
    throw new UsageError(
      '--processes needs PostgreSQL (DATABASE_URL): a data folder belongs to one process. "tenon store copy" moves one there',
    )
  if (mode === 'sandbox')
    throw new UsageError(
      '--processes and --sandbox exclude each other: each process would have local vendors of its own',
    )
  const code = await keepProcesses({ count, logLevel, signal })
  return code === 0 ? EXIT.done : code === EXIT.usage ? EXIT.usage : EXIT.failed
}

/** The welcome for programs: a line among those of the log, told by its `url`. */
function facts(
  { sandboxes, settings }: Service,
  url: string,
  firstApplication: FirstApplication | null,
) {
  return {
    url,
    mode: settings.mode,
    console: isConsoleBuilt(packagedConsole()) ? `${url}/console` : null,
    first_application: firstApplication,
    sandboxes: [...(sandboxes ?? [])].map(([type, vendor]) => {
      const { credentials, config } = vendor.options()
      return { connector_type: type, url: vendor.url, credentials, config }
    }),
  }
}

function welcome({ url, mode, console, sandboxes }: ReturnType<typeof facts>, api: string): string {
  const vendors = sandboxes.flatMap(({ connector_type: type, credentials, config, ...vendor }) => [
    `  ${type}  ${vendor.url}`,
    `    "credentials": ${JSON.stringify(credentials)}, "config": ${JSON.stringify(config)}`,
  ])
  const lines = [
    `Tenon listens on ${url} (${mode}). API: ${api}  Health: ${url}/readyz`,
    `Console: ${console ?? 'not built in this checkout; npm run build:console builds it.'}`,
    ...(vendors.length === 0 ? [] : ['', 'Local vendors, and what to connect with:', ...vendors]),
  ]
  return `${lines.join('\n')}\n\n`
}
