// `tenon worker`: the background jobs of a service, in a process of their own.
import { once } from 'node:events'
import { createService } from '../hosting/service.ts'
import { startTelemetry } from '../hosting/start-telemetry.ts'
import type { CommandContext, CommandModule } from './command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { tellFirstApplication } from './first-application.ts'
import { readSettings, type SettingsFlags } from './service-settings.ts'
import { endOnDefects, forgetSecrets } from './serving-process.ts'
import { packageVersion } from '../package-file.ts'

interface WorkerFlags extends SettingsFlags {
  readonly migrate: boolean
}

export const serves = true

export const notes = `Any number of workers may run beside each other and beside tenon serve on one PostgreSQL database. A data folder belongs
to one process: there, tenon serve runs the jobs itself.`

export const examples: CommandModule['examples'] = [
  'DATABASE_URL=postgres://… TENON_MASTER_KEYS=k1:… tenon worker',
]

export const configure: CommandModule['configure'] = (command, context, done) => {
  command
    .option('--config <file>', 'YAML file with the same names as the environment, which wins')
    .option('--data <folder>', 'folder of the embedded store; default: ./tenon-data')
    .option('--no-migrate', 'refuse to start when the schema of the store is behind')
    .action(async (flags: WorkerFlags) => done(await run(flags, context)))
}

async function run(flags: WorkerFlags, context: CommandContext): Promise<ExitCode> {
  const settings = readSettings(context, flags, {
    TENON_JOBS: '1',
    ...(flags.migrate ? {} : { TENON_MIGRATE: '0' }),
  })
  const telemetry = await startTelemetry(context.env, packageVersion())
  forgetSecrets()
  const service = await createService({ ...settings, ...telemetry.options })
  telemetry.reportTo(service.log)
  const failed = new AbortController()
  endOnDefects(service, failed)
  await tellFirstApplication(service, context.terminal.err)
  service.log.info({ mode: settings.mode }, 'working')
  const ending = AbortSignal.any([context.signal, failed.signal])
  if (!ending.aborted) await once(ending, 'abort')
  service.log.info({}, 'shutting down')
  await service.close()
  await telemetry.close()
  return failed.signal.aborted ? EXIT.failed : EXIT.done
}
