// Backups: everything a store holds in one file, with a manifest next to it, and back again.
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type BackupContents,
  contentsOf,
  digestOf,
  writeBackup,
} from '../service/store/open/backup-file.ts'
import {
  CopyError,
  type CopyOptions,
  type CopyReport,
  copyStore,
  describeBadRow,
} from '../service/store/open/copy-store.ts'
import { MIGRATIONS } from '../service/store/sql/migrations/all-migrations.ts'
import { openStore, STATE_FILE, type StoreLocation } from '../service/store/open/open-store.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject, isList } from '../language/json/members.ts'
import type { Store } from '../service/store/store.ts'
import { lockFolder } from './data-place.ts'

/** A backup that cannot be made or restored as things are; the message says why, and what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** What lies next to a backup as `<file>.json`. */
export interface BackupManifest extends BackupContents {
  readonly format: typeof FORMAT
  /** RFC 3339. */
  readonly made_at: string
  /** The version of Tenon that made it. */
  readonly tenon: string
  /** Rows of the store that cannot be restored: left out where there are none. */
  readonly unreadable?: readonly string[]
}

export interface Restored {
  readonly manifest: BackupManifest
  /** Rows that were restored, by table. */
  readonly rows: Readonly<Record<string, number>>
  /** Rows that were left out because they cannot be restored, each with the reason. */
  readonly skipped: readonly string[]
}

export interface RestoreOptions {
  readonly onProgress?: (rows: number, total: number) => void
  /** Leaves rows out that cannot be restored, instead of restoring nothing; default false. */
  readonly skip?: boolean
}

export interface BackupOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly version: string
  /** Told how many rows of PostgreSQL were read so far. An embedded store is copied by SQLite, in one step. */
  readonly onProgress?: (rows: number) => void
}

const FORMAT = 'tenon-backup/1'

export function manifestFile(file: string): string {
  return `${file}.json`
}

/**
 * Makes a backup of a store, while services run. Master keys are not in it: what is sealed stays sealed.
 *
 * What was written is read back before the backup has its name. Rows that cannot be restored are named in the manifest.
 *
 * Throws BackupError when the file exists, and when the store has nothing to back up.
 */
export async function backUp(
  store: Store,
  file: string,
  { now, version, onProgress }: BackupOptions,
): Promise<BackupManifest> {
  for (const path of [file, manifestFile(file)]) {
    if (existsSync(path))
      throw new BackupError(`${path} exists; a backup is never written over: name another file`)
  }
  await requireSchema(store)
  const draft = `${file}.part`
  await rm(draft, { force: true })
  const unreadable = await writeBackup(store, draft, onProgress)
  const manifest = {
    format: FORMAT,
    made_at: new Date(now).toISOString(),
    tenon: version,
    ...(await contentsOf(draft)),
    ...(unreadable.length === 0 ? {} : { unreadable: unreadable.map(describeBadRow) }),
  } as const
  await writeFile(manifestFile(file), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  await rename(draft, file)
  return manifest
}

/** Throws BackupError where the store has no tables, or older ones. */
async function requireSchema(store: Store): Promise<void> {
  const pending = await store.migrations.pending()
  if (pending === 0) return
  throw new BackupError(
    pending === MIGRATIONS.length
      ? 'there is nothing to back up: the store has no tables yet'
      : `the schema of the store is ${pending} steps behind this version: back up with the version that runs on it, or run tenon migrate first`,
  )
}

/**
 * Puts a backup into an empty store, whichever database that is: all of it, or nothing. A backup of an older version is
 * brought up to date on the way.
 *
 * Throws BackupError when the file is not what its manifest says, when a newer version made it, when the store has rows
 * already, and, unless rows may be skipped, when one cannot be restored; `config_invalid` while a service has the folder; `store_unavailable`.
 */
export async function restore(
  file: string,
  target: StoreLocation,
  { onProgress = () => {}, skip = false }: RestoreOptions = {},
): Promise<Restored> {
  const manifest = await readManifest(file)
  if (manifest.schema > MIGRATIONS.length) {
    throw new BackupError(
      `the backup has schema ${manifest.schema} (Tenon ${manifest.tenon}), and this version knows ${MIGRATIONS.length} only: restore it with that version or a newer one`,
    )
  }
  const found = await digestOf(file)
  if (found.sha256 !== manifest.sha256) {
    throw new BackupError(
      `${file} is not the file that its manifest describes (${found.bytes} bytes of ${manifest.bytes}; the SHA-256 differs): it was cut off or changed, take another copy`,
    )
  }
  const release = 'folder' in target ? await lockFolder(target.folder) : () => {}
  const scratch = await mkdtemp(join(tmpdir(), 'tenon-restore-'))
  try {
    await copyFile(file, join(scratch, STATE_FILE))
    await chmod(join(scratch, STATE_FILE), 0o600)
    const total = Object.values(manifest.rows).reduce((sum, count) => sum + count, 0)
    const { rows, skipped } = await copyInto(scratch, target, {
      skip,
      onProgress: (done) => onProgress(done, Math.max(done, total)),
    })
    return { manifest, rows, skipped: skipped.map(describeBadRow) }
  } finally {
    await rm(scratch, { recursive: true, force: true })
    release()
  }
}

/** The copy may be migrated; the backup stays as it is. */
async function copyInto(
  folder: string,
  target: StoreLocation,
  options: CopyOptions,
): Promise<CopyReport> {
  await using opened = new AsyncDisposableStack()
  const from = opened.adopt(await openStore({ folder }), (store) => store.close())
  const to = opened.adopt(await openStore(target), (store) => store.close())
  try {
    return await copyStore(from, to, options)
  } catch (error) {
    if (!(error instanceof CopyError)) throw error
    throw new BackupError(
      error.row === null
        ? `the store is not empty (its table ${error.table} has rows): restore into a new folder or a new database`
        : `a row cannot be restored, and nothing was: ${error.message}. --skip leaves such rows out and names them`,
      { cause: error },
    )
  }
}

async function readManifest(file: string): Promise<BackupManifest> {
  if (!existsSync(file)) throw new BackupError(`there is no file ${file}`)
  const path = manifestFile(file)
  const text = await readFile(path, 'utf8').catch(() => {
    throw new BackupError(`${path} is missing; the manifest lies next to every backup, bring both`)
  })
  const manifest = jsonOf(text)
  if (isJsonObject(manifest) && manifest['format'] === FORMAT && isComplete(manifest))
    // Checked in the line before.
    return manifest as unknown as BackupManifest
  throw new BackupError(`${path} is no manifest of a backup that this version can read`)
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}

/** Members of a manifest that a restore uses, with their types, next to its rows and keys. */
const MEMBERS = { schema: 'number', sha256: 'string', bytes: 'number', tenon: 'string' }

function isComplete({ rows, master_keys: keys, ...others }: JsonObject): boolean {
  const isTyped = Object.entries(MEMBERS).every(([name, type]) => typeof others[name] === type)
  return isTyped && isJsonObject(rows) && isList(keys)
}
