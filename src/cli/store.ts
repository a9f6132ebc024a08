// `tenon store copy`: from the embedded store to PostgreSQL, or back.
import { resolve } from 'node:path'
import { BadRowError, copyStore, TargetNotEmptyError } from '../service/store/open/copy-store.ts'
import { openStore, type StoreLocation } from '../service/store/open/open-store.ts'
import { hasEmbeddedStore } from '../hosting/store-place.ts'
import type { CommandContext, CommandModule } from './command.ts'
import { createProgress } from './progress.ts'
import { EXIT, type ExitCode, FailedError } from './exit-codes.ts'

interface CopyFlags {
  readonly from: string
  readonly to: string
  readonly json?: boolean
}

export const notes = `The master keys go with the data: give the copy the same TENON_MASTER_KEYS, or the key file.`

export const examples: CommandModule['examples'] = [
  'tenon store copy --from ./tenon-data --to "$DATABASE_URL"',
]

export const configure: CommandModule['configure'] = (command, context, done) => {
  command
    .command('copy')
    .description('copy everything into an empty store; stop the services that write first')
    .copyInheritedSettings(command)
    .requiredOption('--from <place>', 'a data folder, or postgres://…')
    .requiredOption('--to <place>', 'a data folder, or postgres://…')
    .option('--json', 'print JSON')
    .action(async (flags: CopyFlags) => done(await copy(flags, context)))
}

async function copy(
  { from, to, json }: CopyFlags,
  { terminal, folder }: CommandContext,
): Promise<ExitCode> {
  const place = locationOf(from, folder)
  if ('folder' in place && !hasEmbeddedStore(place.folder))
    throw new FailedError(`there is no store in ${from}; --from names its folder`)
  const source = await openStore(place)
  try {
    const target = await openStore(locationOf(to, folder))
    try {
      const progress = createProgress({ label: 'rows', stream: process.stderr })
      const { rows } = await copyStore(source, target, {
        onProgress: (count) => progress.update(count, null),
      }).finally(() => progress.end())
      return show(rows, json === true, terminal)
    } catch (error) {
      throw error instanceof TargetNotEmptyError || error instanceof BadRowError
        ? new FailedError(error.message)
        : error
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

function show(
  counts: Readonly<Record<string, number>>,
  json: boolean,
  terminal: CommandContext['terminal'],
): ExitCode {
  if (json) terminal.out.write(`${JSON.stringify(counts)}\n`)
  else {
    for (const [table, count] of Object.entries(counts)) terminal.out.write(`${table}  ${count}\n`)
  }
  return EXIT.done
}

function locationOf(text: string, folder: string): StoreLocation {
  return /^postgres(ql)?:\/\//.test(text) ? { url: text } : { folder: resolve(folder, text) }
}
