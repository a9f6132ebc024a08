// The audit log.
import type { Owner } from './owner.ts'

/** What happened: names, never values. */
export interface AuditEntry {
  readonly organizationId: string
  /** null: above an instance. */
  readonly instanceId: string | null
  readonly requestId: string | null
  /** The application, `person:` and the login of one of the console, `cli`, `host` or `service`. */
  readonly actor: string
  readonly action: string
  readonly target: string
  readonly outcome: string
  /** Names of the members that changed. */
  readonly members: readonly string[]
  /** IP address of who asked; null: nobody did, or an end user, whose address is not kept. */
  readonly address: string | null
  /** The token or session it was asked with: the first digits of its hash; of a connect link with `OF_LINK` before them. null: without one. */
  readonly token: string | null
}

export interface AuditEvent extends AuditEntry {
  /** The instance's id, or `org:<organizationId>`. */
  readonly chain: string
  /** 1, 2, 3 … within the chain. */
  readonly seq: number
  readonly at: number
  /** SHA-256 over this event and the hash before it, hex. */
  readonly hash: string
}

export interface AuditFilter {
  /** The events of one instance; left out: those above instances. */
  readonly instanceId?: string
  readonly limit: number
  /** Only events before this one. */
  readonly beforeSeq?: number
}

/** Which events of an organisation, of its instances and above them. What is left out may be anything. */
export interface AuditSearch {
  readonly actor?: string
  /** One action, or all that begin with this word: `instance` is `instance.create`, `instance.delete` and so on. */
  readonly action?: string
  /** None of these actions. */
  readonly without?: readonly string[]
  readonly outcome?: string
  readonly target?: string
  readonly requestId?: string
  readonly address?: string
  readonly token?: string
  /** This one alone. */
  readonly chain?: string
  readonly seq?: number
  /**
   * Only what ended with `done`, or only the rest. `without`: actions whose outcomes say something else, and count as done
   * but for those in `wrong`.
   */
  readonly status?: {
    readonly is: 'done' | 'failed'
    readonly without: readonly string[]
    readonly wrong: readonly string[]
  }
  readonly instanceId?: string
  /** What is about an end user: events with one of these targets, or of one of these instances. */
  readonly about?: { readonly targets: readonly string[]; readonly instanceIds: readonly string[] }
  /** Not before, and before. */
  readonly fromMs?: number
  readonly toMs?: number
  readonly limit: number
  /** Only events behind this one, in the order of the listing. */
  readonly after?: Pick<AuditEvent, 'at' | 'chain' | 'seq'>
}

/** The first event that is not as it was written. */
export interface BrokenAudit {
  readonly chain: string
  readonly seq: number
  /** `changed`: its content or order; `missing`: the event itself. */
  readonly problem: 'changed' | 'missing'
}

export interface AuditStore {
  append(entry: AuditEntry): Promise<void>
  /**
   * Notes that an operation is about to be sent, so that its event is not lost with its process. `id` is any text of the
   * caller's that is used once; the outcome of the entry is not kept. Gives the id to close it by, which is another one
   * where a node of the database is away.
   */
  open(id: string, entry: AuditEntry): Promise<string>
  /**
   * Appends the event of an operation that was opened. False: its event is there already, and nothing was appended. May
   * be repeated when its answer was lost.
   */
  close(id: string, entry: AuditEntry): Promise<boolean>
  /**
   * Appends events with the outcome `uncertain` for operations that were opened at least so many milliseconds ago and not
   * closed: their processes have ended. How many there were.
   */
  closeAbandoned(ageMs: number): Promise<number>
  /** The newest first. Users and types of an owner narrow to instances that exist. */
  list(owner: Owner, filter: AuditFilter): Promise<readonly AuditEvent[]>
  /** Of all chains of an organisation, the newest first; `isWhole` false: a node of the database is away. */
  search(
    organizationId: string,
    wanted: AuditSearch,
  ): Promise<{ readonly events: readonly AuditEvent[]; readonly isWhole: boolean }>
  /** Refused access in an organisation since a time, the newest first. Quick, however long the log is. */
  refusals(
    organizationId: string,
    wanted: Required<Pick<AuditSearch, 'fromMs' | 'limit'>>,
  ): Promise<{ readonly events: readonly AuditEvent[]; readonly isWhole: boolean }>
  /** Follows all chains; null: every event is there and as it was written. */
  verify(): Promise<BrokenAudit | null>
  /** Removes events before a time; the last hash of the removed part is kept, so that the rest still verifies. */
  purgeBefore(beforeMs: number): Promise<number>
}
