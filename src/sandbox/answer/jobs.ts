// Work that a vendor starts in one request and reports on in later ones.

/** How often a job says that it is still at work. */
const ASKED_BEFORE_DONE = 2

export class Jobs {
  readonly #asked = new Map<string, number>()
  #started = 0

  /** A new job; its id is a text of digits. */
  start(): string {
    this.#started++
    const id = String(9_000_000 + this.#started)
    this.#asked.set(id, 0)
    return id
  }

  has(id: string): boolean {
    return this.#asked.has(id)
  }

  /** How far a job is, from 0 to 1, moved on by the question; null when there is no such job. */
  ask(id: string): number | null {
    const asked = this.#asked.get(id)
    if (asked === undefined) return null
    this.#asked.set(id, asked + 1)
    return Math.min(1, asked / ASKED_BEFORE_DONE)
  }
}
