// One service per data folder: a lock that ends with its process, however that ends.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ConnectorError } from '../errors.ts'
import { folderError } from './folder-error.ts'

/** SQLITE_BUSY and SQLITE_LOCKED. */
const TAKEN: ReadonlySet<number> = new Set([5, 6])
/** SQLITE_NOTADB and SQLITE_CORRUPT. */
const NO_LOCK: ReadonlySet<number> = new Set([11, 26])

/**
 * Takes the folder for this process; the returned function gives it back. The lock is one of the operating system's, held
 * through SQLite: after kill -9 nobody has to remove a file. Commands of `tenon` open the store beside a service.
 *
 * Throws `config_invalid` while another service has the folder, and `store_unavailable` when it cannot be used.
 */
export async function lockFolder(folder: string): Promise<() => void> {
  const path = join(folder, 'service.lock')
  let lock: DatabaseSync | undefined
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    lock = new DatabaseSync(path)
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (cause) {
    lock?.close()
    throw refusal(folder, path, cause)
  }
  const held = lock
  return () => held.close()
}

function refusal(folder: string, path: string, cause: unknown): unknown {
  const errcode = cause instanceof Error && 'errcode' in cause ? Number(cause.errcode) & 0xff : null
  if (errcode !== null && TAKEN.has(errcode))
    return new ConnectorError(
      'config_invalid',
      `another service uses the folder ${folder}; stop it, name another folder with TENON_DATA, or use PostgreSQL for several processes`,
      { cause },
    )
  if (errcode !== null && NO_LOCK.has(errcode))
    return new ConnectorError(
      'config_invalid',
      `${path} was not made by Tenon; it holds nothing that is needed: delete it`,
      { cause },
    )
  return folderError(folder, cause)
}
