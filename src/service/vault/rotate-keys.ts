// Moves data keys from one master key to another while services run, and refuses to start without a key in use.
import { isConnectorError } from '../../errors.ts'
import type { DataKeyStore } from '../store/data-keys.ts'
import { readDataKey } from './data-key.ts'
import { type KeyProvider, keysInvalid } from './key-provider.ts'

export interface RotateOptions {
  /** Rows per step; default 500. */
  readonly batch?: number
  /** Called after each step with the rows re-wrapped so far. */
  readonly onProgress?: (rewrapped: number) => void
}

export interface RotateResult {
  readonly rewrapped: number
  /** Rows under each master key that is not the current one: all 0 unless a service with older settings still runs. */
  readonly left: Readonly<Record<string, number>>
}

const BATCH = 500

/**
 * Wraps every data key under the current master key. Values stay as they are sealed.
 *
 * Each row is exchanged by compare-and-set, so it can run twice at once, be killed, and be started again.
 * Throws `config_invalid` when a row needs a master key that is not there, and what the store and the provider throw.
 */
export async function rotateKeys(
  dataKeys: DataKeyStore,
  provider: KeyProvider,
  { batch = BATCH, onProgress }: RotateOptions = {},
): Promise<RotateResult> {
  await requireKeys(dataKeys, provider)
  let rewrapped = 0
  for (const keyId of provider.keyIds.filter((id) => id !== provider.currentKeyId)) {
    let after: { readonly ownerId: string; readonly version: number } | undefined
    for (;;) {
      const rows = await dataKeys.onKey(keyId, batch, after)
      for (const row of rows) {
        const next = await provider.wrap(await provider.unwrap(keyId, row.wrapped))
        // A row that was changed meanwhile was wrapped again or deleted.
        if (await dataKeys.rewrap(row.ownerId, keyId, { version: row.version, ...next }))
          rewrapped += 1
      }
      after = rows.at(-1)
      if (after === undefined) break
      onProgress?.(rewrapped)
    }
  }
  const counts = await dataKeys.countByKey()
  const { [provider.currentKeyId]: _current, ...left } = counts
  return { rewrapped, left }
}

/**
 * Makes sure that every data key can be unwrapped: each master key in use is there, and is the one it was.
 * Throws `config_invalid` with a line that names the missing key and what depends on it.
 */
export async function requireKeys(dataKeys: DataKeyStore, provider: KeyProvider): Promise<void> {
  const counts = Object.entries(await dataKeys.countByKey()).filter(([, count]) => count > 0)
  const missing = counts.filter(([keyId]) => !provider.keyIds.includes(keyId))
  if (missing.length > 0) {
    const listed = missing.map(([keyId, count]) => `"${keyId}" (${count} data keys)`).join(', ')
    throw keysInvalid(
      `master key ${listed} is still in use and not among those given (${provider.keyIds.join(', ')}); add it behind the first one, then run: tenon keys rotate`,
    )
  }
  for (const [keyId, count] of counts) {
    const [row] = await dataKeys.onKey(keyId, 1)
    if (row !== undefined && !(await fits(provider, keyId, row.wrapped))) {
      throw keysInvalid(
        `master key "${keyId}" is not the one that ${count} data keys are wrapped under; give the key that had this id before`,
      )
    }
  }
}

async function fits(provider: KeyProvider, keyId: string, wrapped: Uint8Array): Promise<boolean> {
  try {
    return readDataKey(await provider.unwrap(keyId, wrapped)) !== null
  } catch (error) {
    if (isConnectorError(error, 'config_invalid')) return false
    throw error
  }
}
