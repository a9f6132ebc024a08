// Cursors of our own listings: sealed for one organisation and one question, good for a day.
import { ConnectorError } from '../errors.ts'
import type { Clock } from '../exchange/clock.ts'
import { createSealer } from '../run/seal.ts'
import type { Vault } from '../vault/vault.ts'
import { organizationKeyOwner } from './oauth/oauth-secret.ts'
import type { Principal } from './tokens/principal.ts'

const LIFE_MS = 24 * 60 * 60_000

export interface Cursors {
  seal(principal: Principal, position: string, purpose: string): Promise<string>
  /** Throws `cursor_invalid` for a cursor that was altered, is too old, or answers another question. */
  open(principal: Principal, cursor: string, purpose: string): Promise<string>
}

export function createCursors(vault: Vault, clock: Clock): Cursors {
  const sealerOf = async ({ organizationId }: Principal) =>
    createSealer(...(await vault.deriveKeys(organizationKeyOwner(organizationId), 'cursors')))
  return {
    async seal(principal, position, purpose) {
      const sealer = await sealerOf(principal)
      return sealer.seal(JSON.stringify([clock.now() + LIFE_MS, position]), purpose)
    },
    async open(principal, cursor, purpose) {
      const sealer = await sealerOf(principal)
      const text = sealer.open(cursor, purpose)
      const [until, position] = text === null ? [0, ''] : (JSON.parse(text) as [number, string])
      if (until > clock.now()) return position
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
