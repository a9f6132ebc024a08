// Wrapped data keys.

/** Who a data key belongs to: the id of an instance, or `org:<organizationId>` for what lies above one. */
export type DataKeyOwner = string

export interface DataKeyPlace {
  readonly ownerId: DataKeyOwner
  readonly version: number
}

export interface DataKeyInput {
  /** 1 at first; a key that is used up gets a successor, and stays for what it sealed. */
  readonly version: number
  /** The master key that wrapped it. */
  readonly keyId: string
  readonly wrapped: Uint8Array
}

export interface DataKeyRow extends DataKeyInput {
  readonly uses: number
}

export interface DataKeyStore {
  /** All versions, the newest first, with how long ago each was made. */
  versions(ownerId: DataKeyOwner): Promise<readonly (DataKeyRow & { readonly ageMs: number })[]>
  /** The newest version, or the one asked for. */
  get(ownerId: DataKeyOwner, version?: number): Promise<DataKeyRow | null>
  /** False: this version exists already, made by somebody else; read it. */
  put(ownerId: DataKeyOwner, key: DataKeyInput): Promise<boolean>
  /** Stores the successor of a version. False: that version is gone, or has a successor. */
  succeed(ownerId: DataKeyOwner, next: DataKeyInput): Promise<boolean>
  /** The newest versions that were made before a time, ordered by owner, after the owner given. */
  madeBefore(
    beforeMs: number,
    limit: number,
    after?: DataKeyOwner,
  ): Promise<readonly DataKeyPlace[]>
  /** Owners with more than one version whose newest is at least so old, and that newest, in the same order. */
  superseded(ageMs: number, limit: number, after?: DataKeyOwner): Promise<readonly DataKeyPlace[]>
  /** Adds to the count of uses; the new count, 0 when there is no such key. */
  addUses(ownerId: DataKeyOwner, version: number, count: number): Promise<number>
  /** Replaces the wrapping of one version if `fromKeyId` still wraps it. */
  rewrap(ownerId: DataKeyOwner, fromKeyId: string, next: DataKeyInput): Promise<boolean>
  /** Keys that a master key wraps, ordered by owner and version, after the place given. */
  onKey(
    keyId: string,
    limit: number,
    after?: DataKeyPlace,
  ): Promise<readonly (DataKeyRow & { readonly ownerId: DataKeyOwner })[]>
  /** Removes the versions before one; how many. */
  removeOlder(ownerId: DataKeyOwner, version: number): Promise<number>
  /** How many keys each master key wraps. */
  countByKey(): Promise<Readonly<Record<string, number>>>
}
