// The port of the keeper: the place where one set of credentials is kept between refreshes. A host's object or function
// with its callback is one home (direct-home.ts), rows that many processes share are another one (the service's).
import type { JsonObject } from '../../language/json/json.ts'
import type { Material } from './material.ts'
import type { MethodKit } from './method-kit.ts'
import type { RefreshReason, RefreshRules, RefreshState } from './refresh-state.ts'

/** One generation of credentials with all that is known of it. */
export interface Held {
  readonly kit: MethodKit
  readonly material: Material
  readonly state: RefreshState
}

/**
 * Why a home is read. `look`: a call needs credentials, and those that are known will do or can be renewed. `ask`: what
 * is known does not help. `leased`: before a refresh, while no other process can refresh.
 */
export type Reading = 'look' | 'ask' | 'leased'

/** What a home holds. */
export interface Found {
  /** Credentials that are not the known ones; null: the known ones are still kept. */
  readonly newer: Held | null
  /** The state with what the home knows of refreshes, by any process. */
  told(state: RefreshState, rules: RefreshRules): RefreshState
  /** Whether a refresh was announced whose outcome is not there: a process is at it, or has ended. */
  readonly isUnsettled: boolean
}

/** What made credentials change. `connected`: only settings did, found by asking the third party once. */
export type ChangeReason = RefreshReason | 'connected'

/** The next generation, which no call has seen yet. */
export interface NextGeneration {
  readonly held: Held
  readonly material: Material
  /** The state from when it is stored. */
  readonly after: RefreshState
  readonly reason: ChangeReason
}

/**
 * What became of a commit. `moved`: others have replaced the credentials meanwhile, nothing was stored. `unsettled`:
 * only settings changed, and storing them would take the doubt about a refresh away; they hold in this process.
 */
export type Committed = 'stored' | 'moved' | 'unsettled'

/** `Lease`: the right to refresh, as the home knows it. */
export interface CredentialHome<Lease> {
  /** What is known without reading; null: it has to be read first. */
  readonly given: Held | null
  /** The settings as they are known before anything was read. */
  readonly early: JsonObject
  /** Whether a call that was refused may find newer credentials here although nothing can be renewed. */
  readonly mayHoldNewer: boolean
  /** Throws what the home throws while it is away, and for credentials that cannot be right. */
  read(known: Held | null, reading: Reading): Promise<Found>
  /**
   * Runs `run` while no other process refreshes these credentials, and gives true. False: `run` was not called, because
   * `held` is not what is kept any more, or another process is at it and `isNeeded` is false, so that no call waits.
   */
  lease(
    held: Held,
    need: { readonly isNeeded: boolean; readonly isClosing: () => boolean },
    run: (lease: Lease) => Promise<void>,
  ): Promise<boolean>
  /** Notes that a refresh is about to be sent. False: the credentials or the lease are others by now. */
  intend(state: RefreshState, lease: Lease): Promise<boolean>
  /** Stores the next generation; it is used only after that. Throws where that failed and is to be tried again. */
  commit(next: NextGeneration, lease: Lease): Promise<Committed>
  /**
   * Notes what a refresh that gave no tokens came to, `message` telling it to people where it is a failure. With a
   * lease, only while it is still ours: who took it over tells what it finds out. False: others have replaced the
   * credentials meanwhile, so that it says nothing about those that are kept.
   */
  tell(state: RefreshState, message: string | null, lease: Lease | null): Promise<boolean>
}
