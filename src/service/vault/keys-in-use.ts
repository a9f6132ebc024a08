// Which master keys are in use, known without asking: probes ask often whether this process is ready.
import { isConnectorError } from '../../errors.ts'
import type { Clock } from '../../engine/exchange/clock.ts'
import type { DataKeyStore } from '../store/data-keys.ts'
import type { KeyProvider } from './key-provider.ts'
import { requireKeys } from './rotate-keys.ts'

const AGAIN_MS = 10_000

/** Counts the keys in use when something says that they changed, and again every ten seconds while something is wrong. */
export class KeysInUse {
  readonly #dataKeys: DataKeyStore
  readonly #provider: KeyProvider
  readonly #clock: Pick<Clock, 'monotonic'>
  #problem: string | null = null
  #isCounted = false
  #countedAt = -Infinity
  #isCounting = false

  constructor(dataKeys: DataKeyStore, provider: KeyProvider, clock: Pick<Clock, 'monotonic'>) {
    this.#dataKeys = dataKeys
    this.#provider = provider
    this.#clock = clock
  }

  /** `ok`, or what was wrong when they were counted last. */
  get state(): string {
    if (!this.#isCounted && this.#clock.monotonic() - this.#countedAt > AGAIN_MS) this.changed()
    return this.#problem ?? 'ok'
  }

  /** Throws what `requireKeys` throws. */
  async count(): Promise<void> {
    this.#countedAt = this.#clock.monotonic()
    this.#isCounted = false
    try {
      await requireKeys(this.#dataKeys, this.#provider)
      this.#isCounted = true
      this.#problem = null
    } catch (error) {
      // What cannot be asked now says nothing about the keys.
      if (isConnectorError(error, 'config_invalid')) this.#problem = error.message
      throw error
    }
  }

  /** Another process may have wrapped data keys under a key that this one does not have. */
  changed(): void {
    if (this.#isCounting) return
    this.#isCounting = true
    void this.count()
      .catch(() => {})
      .finally(() => {
        this.#isCounting = false
      })
  }
}
