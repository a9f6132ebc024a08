// One difference between two versions of a manifest.

/** `breaking`: a caller may fail. `additive`: callers can do more. `cosmetic`: texts, and how it is done inside. */
export type ChangeClass = 'breaking' | 'additive' | 'cosmetic'

export interface Change {
  readonly class: ChangeClass
  /** `issues.get params.expand`, `config.region`. */
  readonly path: string
  /** In a few words: `removed`, `newly required`, `no longer "eu"`. */
  readonly change: string
}
