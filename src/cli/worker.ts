// `tenon worker`: the background jobs of a service, in a process of their own.
import { type Configure, leaf } from './command.ts'
import { dedicateProcess } from '../hosting/dedicate-process.ts'
import { serveUntilTold, tellFirstApplication } from './serving-process.ts'
import { readSettings, SERVING_OPTIONS } from './service-settings.ts'

export const docs = 'operation'
export const serves = true

export const notes = `Any number of workers may run at once, and tenon serve with them, on one PostgreSQL database. A data folder belongs
to one process: there, tenon serve runs the jobs itself.`

export const examples: readonly string[] = [
  'DATABASE_URL=postgres://… TENON_MASTER_KEYS=k1:… tenon worker',
]

export const configure: Configure = leaf({
  options: {
    ...SERVING_OPTIONS,
    '--no-migrate': 'refuse to start when the schema of the store is behind',
  },
  async run({ migrate, ...flags }, context) {
    const settings = readSettings(context, flags, {
      TENON_JOBS: '1',
      ...(migrate ? {} : { TENON_MIGRATE: '0' }),
    })
    dedicateProcess()
    return await serveUntilTold(settings, context, async (service) => {
      await tellFirstApplication(service, context.terminal.err)
      service.log.info({ mode: settings.mode }, 'working')
      return () => service.close()
    })
  },
})
