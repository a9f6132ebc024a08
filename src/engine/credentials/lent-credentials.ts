// Credentials on loan, so that printing them by accident shows nothing.
import type { JsonObject } from '../../language/json/json.ts'
import type { AuthMethod } from '../../language/manifest/manifest.ts'
import type { AppliedCredentials } from '../request/build.ts'
import type { Lent } from './keeper.ts'
import type { Material } from './material.ts'
import type { MethodKit } from './method-kit.ts'

/** One generation as calls see it. Only its number shows in JSON and `util.inspect`. */
export class LentCredentials implements Lent {
  readonly generation: number
  readonly #kit: MethodKit
  readonly #material: Material
  readonly #applied: AppliedCredentials
  readonly #renewable: boolean

  /** Throws `credentials_invalid` when a value cannot stand where the method puts it. */
  constructor(kit: MethodKit, material: Material, generation: number, renewable: boolean) {
    this.generation = generation
    this.#kit = kit
    this.#material = material
    this.#applied = kit.appliedOf(material)
    this.#renewable = renewable
  }

  get method(): AuthMethod | null {
    return this.#kit.method
  }

  get applied(): AppliedCredentials {
    return this.#applied
  }

  get credentials(): JsonObject {
    return this.#material.credentials.reveal()
  }

  get config(): JsonObject {
    return this.#material.config
  }

  get renewable(): boolean {
    return this.#renewable
  }
}
