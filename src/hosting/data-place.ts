// Where the data of a service lies: the store, its master keys, and the lock of an embedded store's folder.
import { existsSync, statSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sqliteReason, systemReason } from '../database/database-errors.ts'
import { errcodeOf } from '../database/thread-cause.ts'
import { createUndiciTransport } from '../engine/adapters/undici-transport.ts'
import { ConnectorError } from '../errors.ts'
import type { ServiceSettings } from '../service/settings.ts'
import { STATE_FILE, type StoreLocation } from '../service/store/open/open-store.ts'
import type { Store } from '../service/store/store.ts'
import { type KeyProvider, keysInvalid } from '../service/vault/key-provider.ts'
import { fileKeys } from '../service/vault/keys/file-keys.ts'
import { openMasterKeys } from '../service/vault/keys/master-keys.ts'

export function placeOf({ databaseUrl, databasePool, data }: ServiceSettings): StoreLocation {
  return databaseUrl === null
    ? { folder: data }
    : { url: databaseUrl, poolSize: databasePool - connectionsOfCopies(databasePool) }
}

/** Of the connections of a process half, so that searches, which may be slow, never hold up the store. */
export function connectionsOfCopies(databasePool: number): number {
  return Math.floor(databasePool / 2)
}

/** Whether there is an embedded store in a folder: opening one that is not there would make it. */
export function hasEmbeddedStore(folder: string): boolean {
  return existsSync(join(folder, STATE_FILE))
}

/** The folder of the copies in a data folder. Every service makes it, once its store is open. */
export const COPIES_FOLDER = 'copies'

/** Refuses a folder whose store is gone: a new one would look as if all had been deleted. Throws `config_invalid`. */
export function requireStoreOfBefore(folder: string): void {
  if (!existsSync(join(folder, COPIES_FOLDER))) return
  const path = join(folder, STATE_FILE)
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size !== undefined && size > 0) return
  throw new ConnectorError(
    'config_invalid',
    `${path} is ${size === undefined ? 'gone' : 'empty'}, and a service has worked with this folder: put the file back, or restore a backup (tenon restore). To begin again without its instances, delete ${join(folder, COPIES_FOLDER)} as well`,
  )
}

/** In a folder whose store a sandbox made. */
export const SANDBOX_FILE = 'sandbox'

/** Notes in a folder without a store that a sandbox will make it. Throws `store_unavailable`. */
export async function noteSandbox(folder: string): Promise<void> {
  if (hasEmbeddedStore(folder)) return
  const note = 'A sandbox made this folder: its accounts are of local vendors.\n'
  try {
    await writeFile(join(folder, SANDBOX_FILE), note, { mode: 0o600 })
  } catch (error) {
    throw folderError(folder, error)
  }
}

/**
 * Refuses a folder that a sandbox made and filled: its accounts are of local vendors. One without accounts is taken, and
 * is none of a sandbox from then on. Throws `config_invalid`.
 */
export async function requireNoSandbox(
  folder: string,
  { instances }: Pick<Store, 'instances'>,
): Promise<void> {
  const path = join(folder, SANDBOX_FILE)
  if (!existsSync(path)) return
  const counts = Object.values(await instances.countByState())
  const count = counts.reduce((sum, each) => sum + each, 0)
  if (count === 0) return await rm(path, { force: true })
  throw new ConnectorError(
    'config_invalid',
    `a sandbox made the folder ${folder}, and the accounts in it (${count}) are of local vendors: give production a new folder (data, TENON_DATA), or delete ${path} to go on with them`,
  )
}

/**
 * Opens the master keys. An embedded store without keys gets a key file, made at the first start with mode 0600.
 * Connections to a transit engine go onto `opened`.
 *
 * Throws `config_invalid` for keys that cannot be used as they are set up, and `store_unavailable` while a transit engine
 * cannot be asked.
 */
export async function openKeys(
  settings: ServiceSettings,
  opened: AsyncDisposableStack,
): Promise<KeyProvider> {
  if (settings.masterKeys !== null)
    return await openMasterKeys(settings.masterKeys, {
      token: () => transitToken(settings),
      transportTo({ host, port, protocol }) {
        const place = port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host
        return opened.adopt(createUndiciTransport({ allowHosts: [place] }), (own) => own.close())
      },
    })
  try {
    if (settings.databaseUrl === null) return await fileKeys(settings.data)
  } catch (error) {
    throw folderError(settings.data, error)
  }
  throw new ConnectorError(
    'config_invalid',
    'a PostgreSQL store needs TENON_MASTER_KEYS; tenon keys generate makes a key',
  )
}

/** Read whenever it is needed: an agent next to the service replaces the file before the token in it ends. */
async function transitToken({
  transitToken: token,
  transitTokenFile: file,
}: ServiceSettings): Promise<string> {
  if (token !== null) return token
  if (file === null)
    throw keysInvalid(
      'a transit key needs a token: set TENON_TRANSIT_TOKEN, or TENON_TRANSIT_TOKEN_FILE',
    )
  const text = await readFile(file, 'utf8').catch(() => {
    throw keysInvalid(`TENON_TRANSIT_TOKEN_FILE: ${file} cannot be read`)
  })
  if (text.trim() === '') throw keysInvalid(`TENON_TRANSIT_TOKEN_FILE: ${file} holds nothing`)
  return text.trim()
}

/**
 * Takes the folder for this process; the returned function gives it back. The lock is one of the operating system's, held
 * through SQLite: after kill -9 no file has to be removed. Commands of `tenon` open the store while a service runs.
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
  const reason = sqliteReason(errcodeOf(cause) ?? 0)
  if (reason === 'conflict')
    return new ConnectorError(
      'config_invalid',
      `another service uses the folder ${folder}; stop it, name another folder with TENON_DATA, or use PostgreSQL for several processes`,
      { cause },
    )
  if (reason === 'damaged')
    return new ConnectorError(
      'config_invalid',
      `${path} was not made by Tenon; it holds nothing that is needed: delete it`,
      { cause },
    )
  return folderError(folder, cause)
}

/** `store_unavailable` with the folder and what was said of it; anything that neither of the two said stays as it is. */
function folderError(folder: string, cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause
  const errcode = errcodeOf(cause)
  const isSystem = 'syscall' in cause && 'code' in cause
  if (errcode === null && !isSystem) return cause
  const reason =
    errcode === null
      ? systemReason('code' in cause ? cause.code : null)
      : (sqliteReason(errcode) ?? 'broken')
  return new ConnectorError(
    'store_unavailable',
    `the data folder ${folder} cannot be used: ${cause.message}; TENON_DATA names another one`,
    { details: { reason }, cause },
  )
}
