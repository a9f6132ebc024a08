// What is used of the rates of third parties, by all processes.

/** One rate of an instance, or of all instances of a connector: `connector:<type>`. */
export interface RatePlace {
  readonly ownerId: string
  readonly periodMs: number
}

/** What was used, by slices of the period, up to the newest slice. */
export interface RateUse {
  readonly slice: number
  readonly used: readonly number[]
}

export interface RateRow {
  /** null: nothing. */
  readonly use: RateUse | null
  /** 0: there is no row yet. */
  readonly version: number
  /** By the store's clock. */
  readonly nowMs: number
}

/** How many requests processes may send, and who is to be left in peace. What a count means is not the store's business. */
export interface RateStore {
  read(place: RatePlace): Promise<RateRow>
  /** Replaces what was read. False: somebody else did meanwhile. It is forgotten after `keepMs`. */
  write(place: RatePlace, version: number, use: RateUse, keepMs: number): Promise<boolean>
  /** Nobody sends for so long, 24 hours at most; a longer silence stays. */
  block(ownerId: string, ms: number): Promise<void>
  /** Who is to be left in peace, and how long still. */
  blocked(): Promise<readonly { readonly ownerId: string; readonly ms: number }[]>
  purgeExpired(): Promise<number>
}
