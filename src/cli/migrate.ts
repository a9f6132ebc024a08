// `tenon migrate`: the schema of the store, apart from starting a service.
import { type Configure, leaf } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { openSettingsStore, readSettings, requireStore, STORE_OPTIONS } from './service-settings.ts'
import { print } from './terminal.ts'

export const examples: readonly string[] = [
  'tenon migrate --check',
  'DATABASE_URL=postgres://… TENON_MASTER_KEYS=k1:… tenon migrate',
]

export const configure: Configure = leaf({
  options: {
    '--check': 'only say whether steps are missing; exit code 1 when they are',
    ...STORE_OPTIONS,
  },
  async run({ check, json, ...flags }, context) {
    const settings = readSettings(context, flags)
    if (check === true) requireStore(settings)
    const store = await openSettingsStore(settings)
    try {
      if (check === true) {
        const pending = await store.migrations.pending()
        const text = pending === 0 ? 'up to date\n' : `${pending} steps behind\n`
        print(context.terminal, json, { pending }, text)
        return pending === 0 ? EXIT.done : EXIT.failed
      }
      const steps = await store.migrations.run()
      const text = steps.length === 0 ? 'up to date\n' : `${steps.join('\n')}\n`
      print(context.terminal, json, { steps }, text)
      return EXIT.done
    } finally {
      await store.close()
    }
  },
})
