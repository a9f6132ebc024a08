// End users of host apps, and all that belongs to one of them.
import type { AuditEntry } from './audit.ts'

export interface EndUser {
  readonly organizationId: string
  readonly externalUserId: string
}

/** A row of a user as an export shows it: without hashes and what is sealed. */
export interface UserRow {
  /** The table. */
  readonly type: string
  readonly data: object
}

/** Where a listing of the rows of a user goes on. */
export interface UserPlace {
  readonly table: number
  readonly after: string | number
}

export interface UserStore {
  /** Rows of a user next to their instances, a part at a time; `next` null: these were the last. */
  page(
    user: EndUser,
    place: UserPlace | null,
    limit: number,
  ): Promise<{ readonly rows: readonly UserRow[]; readonly next: UserPlace | null }>
  /**
   * Removes every row of a user next to their instances, which are deleted before: tokens, links, consents, events with
   * their deliveries. In events of the audit log that earlier versions wrote, `name` stands for the user from now on. How
   * many rows. Safe to repeat.
   */
  erase(user: EndUser, name: string, audit: AuditEntry): Promise<number>
}
