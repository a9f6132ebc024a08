// Sealed texts that agents and browsers carry for us, so that nothing is stored before a user has agreed.
import { createSealer, type Sealer } from '../../engine/run/seal.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { ServiceBase } from '../base.ts'
import { organizationKeyOwner } from '../store/owner.ts'
import { FIRST_ORGANIZATION } from '../tokens/applications.ts'

type Purpose = 'client' | 'request' | 'consent' | 'code' | 'refresh'

export class AgentSeals {
  readonly #ports: Pick<ServiceBase, 'vault' | 'clock'>

  constructor(ports: Pick<ServiceBase, 'vault' | 'clock'>) {
    this.#ports = ports
  }

  /** `lifeMs` null: as long as the data key of the service is kept. */
  async seal(purpose: Purpose, content: JsonObject, lifeMs: number | null): Promise<string> {
    const until = lifeMs === null ? null : this.#ports.clock.now() + lifeMs
    return (await this.#sealer()).seal(JSON.stringify([until, content]), `agent-${purpose}`)
  }

  /** Null: altered, sealed for another purpose, or over. */
  async open(purpose: Purpose, sealed: string): Promise<JsonObject | null> {
    const text = (await this.#sealer()).open(sealed, `agent-${purpose}`)
    if (text === null) return null
    // Written by `seal`.
    const [until, content] = JSON.parse(text) as [number | null, JsonObject]
    return until === null || until > this.#ports.clock.now() ? content : null
  }

  async #sealer(): Promise<Sealer> {
    const owner = organizationKeyOwner(FIRST_ORGANIZATION)
    return createSealer(...(await this.#ports.vault.deriveKeys(owner, 'agents')))
  }
}
