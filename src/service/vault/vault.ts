// Seals what must not be read in a database, a backup or a log: values under data keys, data keys under master keys.
import { createHmac, type KeyObject } from 'node:crypto'
import { ConnectorError, isConnectorError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { DataKeyStore } from '../store/data-keys.ts'
import { derivedFrom, newDataKey, readDataKey } from './data-key.ts'
import { keyVersionOf, openEnvelope, type Place, sealEnvelope } from './envelope.ts'
import type { KeyProvider } from './key-provider.ts'

/** Something of each data key of an owner: never empty. */
export type Derived<T> = readonly [T, ...(readonly T[])]

export interface VaultOptions {
  readonly provider: KeyProvider
  readonly dataKeys: DataKeyStore
  readonly clock: Clock
  /** Told about each value that did not open, for the audit log and an alert. */
  readonly onTampered?: (place: Place) => void
  /** Told when a data key is wrapped under a master key that the provider does not have, or not any more. */
  readonly onForeignKey?: () => void
}

const MAX_KEYS = 1000
const KEY_LIFE_MS = 5 * 60_000
/** Until every process has looked again, with some room: a new data key is used for what others must open alone. */
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

/**
 * Seals and opens values, over stored data keys. Keeps up to 1,000 of them unwrapped in memory, each for 5 minutes.
 *
 * An owner is the id of an instance, or `org:<organization id>` for things above an instance; its data key is made at
 * the first use. All functions throw `store_unavailable`, with a wait, while the store or the key provider cannot be
 * asked; nothing is ever stored or given out in plain text instead.
 */
export class Vault {
  readonly #options: VaultOptions
  /** By `keyName`. */
  readonly #held = new RecentlyUsed<Held>()
  readonly #loading = new Map<string, Promise<Held | null>>()
  readonly #rings = new RecentlyUsed<Ring>()

  constructor(options: VaultOptions) {
    this.#options = options
  }

  /** A text is sealed as UTF-8. Throws a TypeError for a generation that is no whole number from 0. */
  async seal(
    owner: string,
    column: string,
    generation: number,
    value: Uint8Array | string,
  ): Promise<Uint8Array> {
    if (!Number.isSafeInteger(generation) || generation < 0)
      throw new TypeError('a generation is a whole number from 0')
    const { key, version } = await this.#sealingKey(owner)
    const bytes = typeof value === 'string' ? Buffer.from(value) : value
    return sealEnvelope(key, version, { owner, column, generation }, bytes)
  }

  /** Throws `internal_error` when the value was altered, moved to another place, or brought back from an older time. */
  async open(
    owner: string,
    column: string,
    generation: number,
    sealed: Uint8Array,
  ): Promise<Uint8Array> {
    const place: Place = { owner, column, generation }
    const version = keyVersionOf(sealed)
    const key = version === null ? null : await this.#openingKey(owner, version)
    const value = key === null ? null : openEnvelope(key, place, sealed)
    if (value !== null) return value
    this.#options.onTampered?.(place)
    throw new ConnectorError(
      'internal_error',
      `a sealed value (${column}) does not open: it was altered, moved or restored from an older time`,
      { details: { ...place } },
    )
  }

  /** The same for a value that was sealed as text. */
  async openText(...at: Parameters<Vault['open']>): Promise<string> {
    return Buffer.from(await this.open(...at)).toString('utf8')
  }

  /**
   * 32 bytes for one purpose of one owner, for example to seal cursors, from each data key there is. The first is to be
   * used, the others were or will be: a new data key comes first once every process knows it, and the one before it stays
   * for a day. Rotated master keys change nothing.
   */
  async deriveKeys(owner: string, purpose: string): Promise<Derived<Uint8Array>> {
    return mapped(await this.#ring(owner), (key) => derivedFrom(key, purpose))
  }

  /** Tells secrets of an owner apart without keeping them (HMAC-SHA-256, hexadecimal), in the same order. */
  async fingerprints(owner: string, text: string): Promise<Derived<string>> {
    return mapped(await this.#ring(owner), (key) =>
      createHmac('sha256', derivedFrom(key, 'fingerprints')).update(text).digest('hex'),
    )
  }

  async #sealingKey(owner: string): Promise<Held> {
    const { clock, dataKeys } = this.#options
    let held = (await this.#find(owner)) ?? (await this.#make(owner, 1))
    if (held.uses >= MAX_USES) {
      // Another process may have put a new one next to it already.
      const now = await this.#read(owner)
      held = now !== null && now.uses < MAX_USES ? now : await this.#make(owner, held.version + 1)
    }
    if (clock.random() < 1 / COUNT_STEP)
      held.uses = await dataKeys.addUses(owner, held.version, COUNT_STEP)
    return held
  }

  async #openingKey(owner: string, version: number): Promise<KeyObject | null> {
    const newest = await this.#find(owner)
    if (newest?.version === version) return newest.key
    return (await this.#find(owner, version))?.key ?? null
  }

  /** A data key of an owner, the newest where no version is given; null: there is none. */
  async #find(owner: string, version?: number): Promise<Held | null> {
    const name = keyName(owner, version)
    const held = this.#held.use(name)
    if (held !== undefined && held.until > this.#options.clock.monotonic()) return held
    // Read from the store once for all who ask meanwhile.
    let reading = this.#loading.get(name)
    if (reading === undefined) {
      reading = this.#read(owner, version).finally(() => this.#loading.delete(name))
      this.#loading.set(name, reading)
    }
    return await reading
  }

  async #read(owner: string, version?: number): Promise<Held | null> {
    const row = await this.#options.dataKeys.get(owner, version)
    if (row === null) return null
    const key = await this.#unwrap(row.keyId, row.wrapped)
    const until = this.#options.clock.monotonic() + KEY_LIFE_MS
    const held: Held = { version: row.version, key, uses: row.uses, until }
    this.#held.put(keyName(owner, version), held)
    return held
  }

  /** Makes the key of a version. Of several processes the fastest makes the one that counts. */
  async #make(owner: string, version: number): Promise<Held> {
    const { dataKeys, provider } = this.#options
    const { keyId, wrapped } = await this.#ask(provider.currentKeyId, () =>
      provider.wrap(newDataKey()),
    )
    await dataKeys.put(owner, { version, keyId, wrapped })
    const held = await this.#read(owner)
    if (held !== null) return held
    throw keyGone()
  }

  /** All keys of an owner, that to be used for deriving first. */
  async #ring(owner: string): Promise<Derived<KeyObject>> {
    const { clock } = this.#options
    let ring = this.#rings.use(owner)
    if (ring === undefined || ring.until <= clock.monotonic()) {
      ring = await this.#loadRing(owner)
      this.#rings.put(owner, ring)
    }
    const now = clock.monotonic()
    // The newest that everybody knows; the oldest of all where there is none.
    const known = ring.keys.findIndex(({ bornAt }) => now - bornAt >= KNOWN_BY_ALL_MS)
    const first = ring.keys.at(known)
    if (first === undefined) throw keyGone()
    const rest = ring.keys.filter((each) => each !== first)
    return [first.key, ...rest.map(({ key }) => key)]
  }

  async #loadRing(owner: string): Promise<Ring> {
    const { dataKeys, clock } = this.#options
    let rows = await dataKeys.versions(owner)
    if (rows.length === 0) {
      await this.#make(owner, 1)
      rows = await dataKeys.versions(owner)
    }
    const now = clock.monotonic()
    const keys = rows.map(async ({ version, keyId, wrapped, ageMs }) => {
      const held = [this.#held.use(owner), this.#held.use(keyName(owner, version))]
      const known = held.find((each) => each?.version === version)
      const key = known?.key ?? (await this.#unwrap(keyId, wrapped))
      return { key, bornAt: now - ageMs }
    })
    return { keys: await Promise.all(keys), until: now + KEY_LIFE_MS }
  }

  async #unwrap(keyId: string, wrapped: Uint8Array): Promise<KeyObject> {
    const { provider } = this.#options
    const key = readDataKey(await this.#ask(keyId, () => provider.unwrap(keyId, wrapped)))
    if (key === null) throw keyUnavailable(keyId, undefined)
    return key
  }

  /** Asks the provider, for a limited time: a request waits for the answer. */
  async #ask<T>(keyId: string, question: () => Promise<T>): Promise<T> {
    const leave = new AbortController()
    const patience = this.#options.clock.sleep(PROVIDER_TIMEOUT_MS, leave.signal).then(() => {
      throw new Error(`no answer within ${PROVIDER_TIMEOUT_MS} ms`)
    })
    try {
      return await Promise.race([question(), patience])
    } catch (cause) {
      if (isConnectorError(cause, 'config_invalid')) this.#options.onForeignKey?.()
      throw keyUnavailable(keyId, cause)
    } finally {
      // Ends the timer; nobody waits for the rejection that follows.
      patience.catch(() => {})
      leave.abort()
    }
  }
}

/** What was used last, up to a maximum; the value that was used longest ago leaves first. */
class RecentlyUsed<T> {
  readonly #values = new Map<string, T>()

  use(name: string): T | undefined {
    const value = this.#values.get(name)
    if (value !== undefined) this.put(name, value)
    return value
  }

  put(name: string, value: T): void {
    this.#values.delete(name)
    this.#values.set(name, value)
    const [oldest] = this.#values.keys()
    if (this.#values.size > MAX_KEYS && oldest !== undefined) this.#values.delete(oldest)
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

function keyName(owner: string, version: number | undefined): string {
  return version === undefined ? owner : `${owner}#${version}`
}

function keyUnavailable(keyId: string, cause: unknown): ConnectorError {
  return new ConnectorError(
    'store_unavailable',
    `the master key "${keyId}" cannot be used now: ${cause === undefined ? 'what it unwraps is no data key' : 'the key provider failed'}`,
    { retryAfterMs: RETRY_MS, details: { keyId }, cause },
  )
}
