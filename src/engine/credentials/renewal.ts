// How a method gets access that its credentials alone do not give: by tokens (token-renewal.ts), or by a login (login.ts).
// When to do so, and what a failure means, is decided in refresh-state.ts; keeping the result is the keeper's work.
import type { ConnectorError } from '../../errors.ts'
import type { Json } from '../../language/json/json.ts'
import type { Material } from './material.ts'
import type { RefreshRules } from './refresh-state.ts'
import type { RefusedValue } from './stored-values.ts'
import type { TokenOutcome } from './token-answer.ts'

/** What came of one presentation. */
export interface Presented {
  readonly outcome: TokenOutcome
  /** The next material when the outcome is `tokens`, else as it was. */
  readonly material: Material
  readonly refused: readonly RefusedValue[]
  /** What the third party said, where there is more to say than the outcome. */
  readonly error: ConnectorError | null
}

export interface Renewal {
  /** How long one presentation may take, in milliseconds. */
  readonly maxMs: number
  /** A person gave the consent and can give it again; otherwise the credentials themselves must be replaced. */
  readonly byConsent: boolean
  /** Whether a presentation may spend what other processes present, too. */
  readonly spends: boolean
  /** What calls carry of this material that only a renewal gives; undefined: there is none yet. */
  accessIn(material: Material): Json | undefined
  /** The material with a text in place of each value that only a renewal gives and that is not there yet. */
  withPlaceholders(material: Material): Material
  rulesFor(material: Material): RefreshRules
  /** Names of the credentials without which this material cannot be renewed, for messages; empty where it can. */
  missingIn(material: Material): readonly string[]
  usesOperatorsClient(material: Material): boolean
  /**
   * Presents what there is, once, without retry. Resolves for everything a third party can do; throws only where
   * nothing could be sent for a reason of ours (`config_invalid`, `credentials_invalid`).
   */
  present(material: Material): Promise<Presented>
}

/** Stands in a preview for what is not known before a renewal. */
export const UNKNOWN_YET = '***'
