// Where the synchronized copies lie: next to the rows of the service.
import { join } from 'node:path'
import { type CopiesTrouble, openSqliteSearchIndex } from '../copy/sqlite/sqlite-search-index.ts'
import type { SearchIndex } from '../copy/search/search-index.ts'
import { type ServiceLog, SILENT_LOG } from '../service/log.ts'
import type { ServiceSettings } from '../service/settings.ts'
import { connectionsOfCopies, COPIES_FOLDER } from './data-place.ts'

export interface CopiesOptions {
  readonly log?: ServiceLog
  /** Whether this process has the data folder for itself: the leases that it finds there are of one that has ended. */
  readonly isAlone?: boolean
  /** Whether a service may have them open meanwhile, and watches them. */
  readonly isGuest?: boolean
}

/** Opens the copies: a file per instance in the data folder, or tables in PostgreSQL. */
export async function openCopies(
  settings: ServiceSettings,
  { log = SILENT_LOG, isAlone = false, isGuest = false }: CopiesOptions = {},
): Promise<SearchIndex> {
  const { databaseUrl, databasePool, data, migrate } = settings
  if (databaseUrl === null)
    return openSqliteSearchIndex({
      folder: join(data, COPIES_FOLDER),
      endsLeases: isAlone,
      isGuest,
      onTrouble: (trouble) => tellTrouble(log, trouble),
    })
  // pg is loaded by who uses it.
  const { openPostgresSearchIndex } = await import('../copy/postgres/postgres-search-index.ts')
  return await openPostgresSearchIndex({
    url: databaseUrl,
    poolSize: connectionsOfCopies(databasePool),
    migrate,
    onIndexFailure: (error) =>
      log.warn(
        { reason: error instanceof Error ? error.message : String(error) },
        'indexes of the synchronized copies could not be made; tenon migrate and the next start try again',
      ),
  })
}

/** How many steps and indexes the tables of copies in PostgreSQL lack; 0 for the files of an embedded store. */
export async function pendingOfCopies({ databaseUrl }: ServiceSettings): Promise<number> {
  if (databaseUrl === null) return 0
  const { lookAtCopies } = await import('../copy/postgres/migrate-copies.ts')
  const { steps, indexes } = await lookAtCopies(databaseUrl)
  return steps === 0 ? indexes.length : steps
}

/** Brings those tables up to date and waits for their indexes; gives the names of what was done. */
export async function migrateCopies({ databaseUrl }: ServiceSettings): Promise<readonly string[]> {
  if (databaseUrl === null) return []
  const copies = await import('../copy/postgres/migrate-copies.ts')
  const { done, indexes } = await copies.migrateCopies(databaseUrl)
  const made = indexes.length === 0 ? [] : await copies.makeIndexes(databaseUrl).made
  return [...done, ...made.map((name) => `index ${name}`)].map((name) => `copies: ${name}`)
}

/** In one thread they take turns, some of them long: more than a few only make each other slower. */
const SEARCHES_OF_ONE_THREAD = 3

/** How many searches should run at once: in PostgreSQL a fifth of the copies' connections is left to syncs. */
export function searchesAtOnce({ databaseUrl, databasePool }: ServiceSettings): number {
  return databaseUrl === null
    ? SEARCHES_OF_ONE_THREAD
    : Math.max(1, Math.floor(connectionsOfCopies(databasePool) * 0.8))
}

function tellTrouble(log: ServiceLog, trouble: CopiesTrouble): void {
  const { cause } = trouble
  if (trouble.kind === 'threads_ended') {
    const facts = { reason: cause.message, stack: cause.stack, pause_ms: trouble.pauseMs }
    log.error(facts, 'a thread of the synchronized copies has ended; others are started')
    return
  }
  const { instanceId, keptAs } = trouble
  log.error(
    { connector_id: instanceId, reason: innermost(cause), kept_as: keptAs },
    keptAs === null
      ? 'the file of synchronized copies is damaged, and cannot be put aside'
      : 'the file of synchronized copies was damaged: it is put aside, and the copies are filled again',
  )
}

function innermost(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message
}
