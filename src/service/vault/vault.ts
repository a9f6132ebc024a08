// Seals what must not be read in a database, a backup or a log: values under data keys, data keys under master keys.
import { createHmac, type KeyObject } from 'node:crypto'
import { ConnectorError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { DataKeyStore } from '../store/data-keys.ts'
import { derivedFrom, newDataKey, readDataKey } from './data-key.ts'
import { keyVersionOf, openEnvelope, type Place, sealEnvelope } from './envelope.ts'
import type { KeyProvider } from './key-provider.ts'

/**
 * Seals and opens values.
 *
 * An owner is the id of an instance, or `org:<organization id>` for things above an instance; its data key is made at
 * the first use. All functions throw `store_unavailable`, with a wait, while the store or the key provider cannot be
 * asked; nothing is ever stored or given out in plain text instead.
 */
export interface Vault {
  /** A text is sealed as UTF-8. Throws a TypeError for a generation that is no whole number from 0. */
  seal(
    owner: string,
    column: string,
    generation: number,
    value: Uint8Array | string,
  ): Promise<Uint8Array>
  /** Throws `internal_error` when the value was altered, moved to another place, or brought back from an older time. */
  open(owner: string, column: string, generation: number, sealed: Uint8Array): Promise<Uint8Array>
  /** The same for a value that was sealed as text. */
  openText(owner: string, column: string, generation: number, sealed: Uint8Array): Promise<string>
  /**
   * 32 bytes for one purpose of one owner, for example to seal cursors, from each data key there is. The first is to be
   * used, the others were or will be: a data key that was made anew comes first once every process knows it, and the one
   * before it stays for a day. Rotated master keys change nothing.
   */
  deriveKeys(owner: string, purpose: string): Promise<Derived<Uint8Array>>
  /** Tells secrets of an owner apart without keeping them (HMAC-SHA-256, hexadecimal), in the same order. */
  fingerprints(owner: string, text: string): Promise<Derived<string>>
}

/** Something of each data key of an owner: never empty. */
export type Derived<T> = readonly [T, ...(readonly T[])]

export interface VaultOptions {
  readonly provider: KeyProvider
  readonly dataKeys: DataKeyStore
  readonly clock: Clock
  /** Told about each value that did not open, for the audit log and an alert. */
  readonly onTampered?: (place: Place) => void
}

const MAX_KEYS = 1000
const KEY_LIFE_MS = 5 * 60_000
/** Until every process has looked again, with some room: a new data key is used for what others must open by itself. */
const KNOWN_BY_ALL_MS = 2 * KEY_LIFE_MS
const PROVIDER_TIMEOUT_MS = 5_000
const RETRY_MS = 5_000

/** Far below 2^32, where two random IVs under one key become likely enough to care (NIST SP 800-38D, section 8.3). */
const MAX_USES = 2 ** 30
/**
 * Uses are counted in steps of this size, each with a chance of one in as many: a write to the store per thousand values
 * instead of one for each, and after 2^30 values the count is off by a tenth of a percent.
 */
const COUNT_STEP = 1024

interface Held {
  readonly version: number
  readonly key: KeyObject
  readonly until: number
  uses: number
}

interface Ring {
  /** The newest first. */
  readonly keys: readonly { readonly key: KeyObject; readonly bornAt: number }[]
  readonly until: number
}

/** A vault over stored data keys. Keeps up to 1,000 of them unwrapped in memory, each for 5 minutes. */
export function createVault({ provider, dataKeys, clock, onTampered }: VaultOptions): Vault {
  /** By {@link nameOf}, the one used longest ago first. */
  const kept = new Map<string, Held>()
  const loading = new Map<string, Promise<Held | null>>()
  /** All data keys of owners, the one used longest ago first. */
  const rings = new Map<string, Ring>()

  /** A data key of an owner, the newest where no version is given; null: there is none. */
  async function find(owner: string, version?: number): Promise<Held | null> {
    const name = nameOf(owner, version)
    const held = kept.get(name)
    if (held === undefined || held.until <= clock.monotonic()) return await load(owner, version)
    kept.delete(name)
    kept.set(name, held)
    return held
  }

  /** Reads a key from the store, once for all who ask meanwhile. */
  function load(owner: string, version?: number): Promise<Held | null> {
    const name = nameOf(owner, version)
    let reading = loading.get(name)
    if (reading === undefined) {
      reading = read(owner, version).finally(() => loading.delete(name))
      loading.set(name, reading)
    }
    return reading
  }

  async function read(owner: string, version?: number): Promise<Held | null> {
    const row = await dataKeys.get(owner, version)
    if (row === null) return null
    const key = await unwrap(row.keyId, row.wrapped)
    const until = clock.monotonic() + KEY_LIFE_MS
    const held: Held = { version: row.version, key, uses: row.uses, until }
    const name = nameOf(owner, version)
    kept.delete(name)
    kept.set(name, held)
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEYS && oldest !== undefined) kept.delete(oldest)
    return held
  }

  /** All keys of an owner, that to be used for deriving first. */
  async function ring(owner: string): Promise<Derived<KeyObject>> {
    let held = rings.get(owner)
    if (held === undefined || held.until <= clock.monotonic()) held = await loadRing(owner)
    rings.delete(owner)
    rings.set(owner, held)
    const [oldest] = rings.keys()
    if (rings.size > MAX_KEYS && oldest !== undefined) rings.delete(oldest)
    const now = clock.monotonic()
    // The newest that everybody knows; the oldest of all where there is none.
    const known = held.keys.findIndex(({ bornAt }) => now - bornAt >= KNOWN_BY_ALL_MS)
    const first = held.keys.at(known)
    if (first === undefined) throw keyGone()
    const rest = held.keys.filter((each) => each !== first)
    return [first.key, ...rest.map(({ key }) => key)]
  }

  async function loadRing(owner: string): Promise<Ring> {
    let rows = await dataKeys.versions(owner)
    if (rows.length === 0) {
      await make(owner, 1)
      rows = await dataKeys.versions(owner)
    }
    const now = clock.monotonic()
    const keys = rows.map(async ({ version, keyId, wrapped, ageMs }) => {
      const held = [kept.get(owner), kept.get(nameOf(owner, version))]
      const known = held.find((each) => each?.version === version)
      const key = known?.key ?? (await unwrap(keyId, wrapped))
      return { key, bornAt: now - ageMs }
    })
    return { keys: await Promise.all(keys), until: now + KEY_LIFE_MS }
  }

  async function unwrap(keyId: string, wrapped: Uint8Array): Promise<KeyObject> {
    const key = readDataKey(await ask(keyId, () => provider.unwrap(keyId, wrapped)))
    if (key === null) throw keyUnavailable(keyId, undefined)
    return key
  }

  async function newest(owner: string): Promise<Held> {
    return (await find(owner)) ?? (await make(owner, 1))
  }

  /** Makes the key of a version. Whoever is faster makes the one that counts. */
  async function make(owner: string, version: number): Promise<Held> {
    const { keyId, wrapped } = await ask(provider.currentKeyId, () => provider.wrap(newDataKey()))
    await dataKeys.put(owner, { version, keyId, wrapped })
    const held = await read(owner)
    if (held !== null) return held
    throw keyGone()
  }

  async function sealingKey(owner: string): Promise<Held> {
    let held = await newest(owner)
    if (held.uses >= MAX_USES) {
      // Another process may have put a new one beside it already.
      const now = await read(owner)
      held = now !== null && now.uses < MAX_USES ? now : await make(owner, held.version + 1)
    }
    if (clock.random() < 1 / COUNT_STEP)
      held.uses = await dataKeys.addUses(owner, held.version, COUNT_STEP)
    return held
  }

  async function openingKey(owner: string, version: number): Promise<KeyObject | null> {
    const held = await find(owner)
    if (held?.version === version) return held.key
    return (await find(owner, version))?.key ?? null
  }

  /** A question to the provider, with an end: whoever waits behind it holds a request. */
  async function ask<T>(keyId: string, question: () => Promise<T>): Promise<T> {
    const leave = new AbortController()
    const patience = clock.sleep(PROVIDER_TIMEOUT_MS, leave.signal).then(() => {
      throw new Error(`no answer within ${PROVIDER_TIMEOUT_MS} ms`)
    })
    try {
      return await Promise.race([question(), patience])
    } catch (cause) {
      throw keyUnavailable(keyId, cause)
    } finally {
      // Ends the timer; the rejection that follows was not waited for by anybody.
      patience.catch(() => {})
      leave.abort()
    }
  }

  async function open(place: Place, sealed: Uint8Array): Promise<Uint8Array> {
    const version = keyVersionOf(sealed)
    const key = version === null ? null : await openingKey(place.owner, version)
    const value = key === null ? null : openEnvelope(key, place, sealed)
    if (value !== null) return value
    onTampered?.(place)
    throw new ConnectorError(
      'internal_error',
      `a sealed value (${place.column}) does not open: it was altered, moved or restored from an older time`,
      { details: { ...place } },
    )
  }

  return {
    async seal(owner, column, generation, value) {
      if (!Number.isSafeInteger(generation) || generation < 0)
        throw new TypeError('a generation is a whole number from 0')
      const { key, version } = await sealingKey(owner)
      const bytes = typeof value === 'string' ? Buffer.from(value) : value
      return sealEnvelope(key, version, { owner, column, generation }, bytes)
    },
    open: (owner, column, generation, sealed) => open({ owner, column, generation }, sealed),
    async openText(owner, column, generation, sealed) {
      return Buffer.from(await open({ owner, column, generation }, sealed)).toString('utf8')
    },
    async deriveKeys(owner, purpose) {
      return mapped(await ring(owner), (key) => derivedFrom(key, purpose))
    },
    async fingerprints(owner, text) {
      return mapped(await ring(owner), (key) =>
        createHmac('sha256', derivedFrom(key, 'fingerprints')).update(text).digest('hex'),
      )
    },
  }
}

function mapped<T, U>([first, ...rest]: Derived<T>, to: (value: T) => U): Derived<U> {
  return [to(first), ...rest.map(to)]
}

function keyGone(): ConnectorError {
  return new ConnectorError('store_unavailable', 'a data key was deleted while it was needed', {
    retryAfterMs: RETRY_MS,
  })
}

function nameOf(owner: string, version: number | undefined): string {
  return version === undefined ? owner : `${owner}#${version}`
}

function keyUnavailable(keyId: string, cause: unknown): ConnectorError {
  return new ConnectorError(
    'store_unavailable',
    `the master key "${keyId}" cannot be used now: ${cause === undefined ? 'what it unwraps is no data key' : 'the key provider failed'}`,
    {
      retryAfterMs: RETRY_MS,
      details: { keyId },
      ...(cause === undefined ? {} : { cause }),
    },
  )
}
