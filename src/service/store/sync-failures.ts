// Which copies fail, as far as lists over many instances have to know it. What a copy itself knows of its failures is in
// the copies, a place for each instance.

/** One entity of an instance. Times are milliseconds since 1970. */
export interface SyncFailureRow {
  readonly instanceId: string
  readonly entity: string
  /** What it fails with at present, and since when. */
  readonly since: number
  readonly code: string
  /** Of one that was held back with HELD_BACK before what it was held back for. */
  readonly detail: string
  /** In a row. */
  readonly failures: number
  readonly failedAt: number
}

export interface FailingCopy {
  readonly instanceId: string
  readonly entity: string
  /** Of its instance. */
  readonly connectorVersion: string
}

export interface SyncFailureStore {
  /** Stores or replaces what is known of an entity; nothing happens where the instance is gone. */
  put(row: SyncFailureRow): Promise<void>
  /** The entity does not fail any more, if it did. */
  remove(instanceId: string, entity: string): Promise<void>
  /** Those of these instances, the oldest first. Instances on nodes of the database that are away have none. */
  of(instanceIds: readonly string[]): Promise<readonly SyncFailureRow[]>
  /** Copies that fail of all instances of a connector, of every organisation. Those on nodes that are away are left out. */
  ofConnector(connectorType: string): Promise<readonly FailingCopy[]>
}
