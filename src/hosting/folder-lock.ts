// One service per data folder: a lock that ends with its process, however that ends.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ConnectorError } from '../errors.ts'

/**
 * Takes the folder for this process; the returned function gives it back. The lock is one of the operating system's, held
 * through SQLite: after kill -9 nobody has to remove a file. Commands of `tenon` open the store beside a service.
 *
 * Throws `config_invalid` while another service has the folder.
 */
export async function lockFolder(folder: string): Promise<() => void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lock = new DatabaseSync(join(folder, 'service.lock'))
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    throw new ConnectorError(
      'config_invalid',
      `another service uses the folder ${folder}; stop it, name another folder with TENON_DATA, or use PostgreSQL for several processes`,
      { cause },
    )
  }
  return () => lock.close()
}
