// `tenon migrate`: the schema of the store and of the copies, apart from starting a service.
import { migrateCopies, pendingOfCopies } from '../hosting/copies-place.ts'
import { distributeWhileServing } from '../hosting/distributed-tables.ts'
import { type Configure, leaf } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { openSettingsStore, readSettings, requireStore, STORE_OPTIONS } from './service-settings.ts'

export const docs = 'operation#upgrades'
export const examples: readonly string[] = [
  'tenon migrate --check',
  'DATABASE_URL=postgres://… TENON_MASTER_KEYS=k1:… tenon migrate',
]

export const configure: Configure = leaf({
  options: {
    '--check': 'only say whether steps are missing; exit code 1 when they are',
    ...STORE_OPTIONS,
  },
  async run({ check, ...flags }, context) {
    const settings = readSettings(context, flags)
    if (check === true) requireStore(settings)
    await using store = await openSettingsStore(settings)
    if (check === true) {
      const pending = (await store.migrations.pending()) + (await pendingOfCopies(settings))
      if (pending === 0) return { value: { pending }, shown: 'up to date\n' }
      return { value: { pending }, shown: `${pending} steps behind\n`, code: EXIT.failed }
    }
    const steps = [
      ...(await distributeWhileServing(settings)),
      ...(await store.migrations.run()),
      ...(await migrateCopies(settings)),
    ]
    const shown = steps.length === 0 ? 'up to date\n' : `${steps.join('\n')}\n`
    return { value: { steps }, shown }
  },
})
