// Cursors of our own listings: sealed for one organisation and one question, good for a day unless said otherwise.
import { problemError } from '../errors.ts'
import type { Clock } from '../engine/exchange/clock.ts'
import { createSealer, type Sealer } from '../engine/run/seal.ts'
import type { Vault } from './vault/vault.ts'
import { organizationKeyOwner } from './store/owner.ts'
import type { Principal } from './tokens/principal.ts'

type Owner = Pick<Principal, 'organizationId'>

const LIFE_MS = 24 * 60 * 60_000

export class Cursors {
  readonly #vault: Vault
  readonly #clock: Clock

  constructor(vault: Vault, clock: Clock) {
    this.#vault = vault
    this.#clock = clock
  }

  /** `lifeMs` null: as long as the data key of the organisation is kept. */
  async seal(
    owner: Owner,
    position: string,
    purpose: string,
    { lifeMs }: { readonly lifeMs: number | null } = { lifeMs: LIFE_MS },
  ): Promise<string> {
    const sealer = await this.#sealerOf(owner)
    const until = lifeMs === null ? null : this.#clock.now() + lifeMs
    return sealer.seal(JSON.stringify([until, position]), purpose)
  }

  /** Throws `cursor_invalid` for a cursor that was altered, is too old, or answers another question; `pointer`: where it was given. */
  async open(
    owner: Owner,
    cursor: string,
    purpose: string,
    pointer: string = '/cursor',
  ): Promise<string> {
    const sealer = await this.#sealerOf(owner)
    const text = sealer.open(cursor, purpose)
    // Written by `seal`.
    const [until, position] =
      text === null ? [0, ''] : (JSON.parse(text) as [number | null, string])
    if (until === null || until > this.#clock.now()) return position
    throw problemError(
      'cursor_invalid',
      { pointer, code: 'cursor', detail: 'is not a cursor of this listing' },
      'the cursor was altered, has expired, or belongs to another listing; start again without it',
    )
  }

  async #sealerOf({ organizationId }: Owner): Promise<Sealer> {
    const owner = organizationKeyOwner(organizationId)
    return createSealer(...(await this.#vault.deriveKeys(owner, 'cursors')))
  }
}
