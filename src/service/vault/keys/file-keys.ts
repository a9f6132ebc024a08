// Master keys in a file next to the data, made at the first start.
import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type KeyProvider, keysInvalid } from '../../vault/key-provider.ts'
import { readMasterKeys } from './local-keys.ts'

export const KEY_FILE = 'master.key'

const OTHERS = 0o077

/**
 * Reads the master keys in `folder`; at the first start makes the folder (0700) and a file with one random key (0600).
 *
 * This file and the data together give every secret: back it up apart from the data. Without it nothing opens.
 * Throws `config_invalid` when others may read file or folder (not looked at under Windows, which has no such bits), and
 * for what `readMasterKeys` refuses. Processes that start together agree on one key.
 */
export async function fileKeys(folder: string): Promise<KeyProvider> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await requirePrivate(folder, 'chmod 700')
  const file = join(folder, KEY_FILE)
  const text = (await textOf(file)) ?? (await makeFile(folder, file))
  await requirePrivate(file, 'chmod 600')
  return readMasterKeys(text, file)
}

async function textOf(file: string): Promise<string | null> {
  return await readFile(file, 'utf8').catch((error: unknown) => {
    if (isSystemError(error, 'ENOENT')) return null
    throw error
  })
}

/** Writes another file and links it: it appears complete or not at all, and the first of several starts wins. */
async function makeFile(folder: string, file: string): Promise<string> {
  const draft = join(folder, `.${KEY_FILE}.${randomBytes(8).toString('hex')}`)
  await writeFile(draft, `k1:${randomBytes(32).toString('base64')}\n`, {
    flag: 'wx',
    mode: 0o600,
    flush: true,
  })
  try {
    await link(draft, file)
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error
  } finally {
    await unlink(draft)
  }
  await syncFolder(folder)
  return await readFile(file, 'utf8')
}

/** A key that a power cut takes away takes everything sealed under it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  await using handle = await open(folder, 'r')
  await handle.sync()
}

async function requirePrivate(path: string, remedy: string): Promise<void> {
  if (process.platform === 'win32') return
  const { mode } = await stat(path)
  if ((mode & OTHERS) === 0) return
  throw keysInvalid(
    `${path} has mode 0${(mode & 0o777).toString(8)}: others may reach the master keys. Run: ${remedy} ${path}`,
  )
}

function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
