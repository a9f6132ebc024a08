// The secrets that texts of the present may hold.
import { createRedactor } from './redact.ts'

/** Texts of calls that still run may hold a token that was replaced meanwhile. */
const GENERATIONS = 3

/** Remembers the secrets of the last generations, to mask them. Does not show them when printed. */
export class SeenSecrets {
  readonly #generations: (readonly string[])[] = []
  #redactor: ((text: string) => string) | null = null

  /** Notes the secrets of one generation. */
  add(secrets: readonly string[]): void {
    this.#generations.push(secrets)
    if (this.#generations.length > GENERATIONS) this.#generations.shift()
    this.#redactor = null
  }

  all(): readonly string[] {
    return this.#generations.flat()
  }

  /** Masks them in a text. */
  redact(text: string): string {
    this.#redactor ??= createRedactor(this.all())
    return this.#redactor(text)
  }
}
