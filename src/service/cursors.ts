// Cursors of our own listings: sealed for one organisation and one question, good for a day unless said otherwise.
import { ConnectorError } from '../errors.ts'
import type { Clock } from '../engine/exchange/clock.ts'
import { createSealer } from '../engine/run/seal.ts'
import type { Vault } from './vault/vault.ts'
import { organizationKeyOwner } from './oauth/oauth-secret.ts'
import type { Principal } from './tokens/principal.ts'

const LIFE_MS = 24 * 60 * 60_000

export interface Cursors {
  /** `lifeMs` null: as long as the data key of the organisation is kept. */
  seal(
    principal: Principal,
    position: string,
    purpose: string,
    options?: { readonly lifeMs: number | null },
  ): Promise<string>
  /** Throws `cursor_invalid` for a cursor that was altered, is too old, or answers another question. */
  open(principal: Principal, cursor: string, purpose: string): Promise<string>
}

export function createCursors(vault: Vault, clock: Clock): Cursors {
  const sealerOf = async ({ organizationId }: Principal) =>
    createSealer(...(await vault.deriveKeys(organizationKeyOwner(organizationId), 'cursors')))
  return {
    async seal(principal, position, purpose, { lifeMs } = { lifeMs: LIFE_MS }) {
      const sealer = await sealerOf(principal)
      const until = lifeMs === null ? null : clock.now() + lifeMs
      return sealer.seal(JSON.stringify([until, position]), purpose)
    },
    async open(principal, cursor, purpose) {
      const sealer = await sealerOf(principal)
      const text = sealer.open(cursor, purpose)
      // Written by `seal`.
      const [until, position] =
        text === null ? [0, ''] : (JSON.parse(text) as [number | null, string])
      if (until === null || until > clock.now()) return position
      throw new ConnectorError(
        'cursor_invalid',
        'the cursor was altered, has expired, or belongs to another listing; start again without it',
        {
          errors: [
            { pointer: '/cursor', code: 'cursor', detail: 'is not a cursor of this listing' },
          ],
        },
      )
    },
  }
}
