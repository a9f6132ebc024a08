// The clock of a database, reckoned in this process. Statements carry the time as a parameter, because Citus takes no
// function of time where it would have to be computed on several nodes.

/** A parameter that becomes the time of the database, in whole milliseconds since 1970, when its statement is sent. */
export class DatabaseTime {
  readonly plusMs: number

  /** `plusMs`: so many milliseconds later, or earlier. */
  constructor(plusMs: number = 0) {
    this.plusMs = plusMs
  }
}

export interface ClockConnection {
  query(text: string): Promise<{ readonly rows: readonly unknown[] }>
}

export interface DatabaseClock {
  /**
   * The parameters of a statement with the times filled in, all of them for one moment; at once where there are none.
   * Asks the connection for its time when it was not asked for a minute, and throws what that throws.
   */
  fill(
    connection: ClockConnection,
    values: readonly unknown[],
  ): readonly unknown[] | Promise<readonly unknown[]>
}

/** Where the time is read in this process. */
export interface LocalTime {
  /** A time that is never set, in milliseconds: what passed since is measured by it. */
  monotonic(): number
  /** The time of day. It only tells that the process slept, or that the clock was set. */
  wall(): number
}

const STATEMENT = 'select extract(epoch from clock_timestamp()) * 1000.0 as now'
const MEASURED_FOR_MS = 60_000
/** When both clocks of this process moved apart by so much, one of them is wrong about what passed. */
const MAX_APART_MS = 250
/** A longer round trip is repeated, because the time may be off by half of it. */
const QUICK_MS = 10
const MAX_ROUND_TRIPS = 3
/** The time of the database never steps back by less; by more it was set. */
const MAX_STEP_BACK_MS = 1_000

/** Clocks by database: all connections of a process to one database agree on its time. */
const clocks = new Map<string, DatabaseClock>()

export function databaseClock(url: string): DatabaseClock {
  const found = clocks.get(url)
  if (found !== undefined) return found
  const made = createDatabaseClock({ monotonic: () => performance.now(), wall: Date.now })
  clocks.set(url, made)
  return made
}

export function createDatabaseClock(local: LocalTime): DatabaseClock {
  const measuredAt = new WeakMap<ClockConnection, { readonly at: number; readonly apart: number }>()
  /** What is added to the monotonic time. */
  let offset: number | null = null
  let last = 0

  function isMeasured(connection: ClockConnection): boolean {
    const measured = measuredAt.get(connection)
    if (measured === undefined) return false
    const at = local.monotonic()
    return (
      at - measured.at < MEASURED_FOR_MS &&
      Math.abs(local.wall() - at - measured.apart) < MAX_APART_MS
    )
  }

  /** The database read its clock between both ends of the round trip: the offset moves only where it contradicts that. */
  async function measure(connection: ClockConnection): Promise<void> {
    for (let trip = 1; trip <= MAX_ROUND_TRIPS; trip++) {
      const sentAt = local.monotonic()
      const { rows } = await connection.query(STATEMENT)
      const receivedAt = local.monotonic()
      // The statement gives one row with this column.
      const now = Number((rows[0] as { readonly now: unknown }).now)
      offset ??= now - (sentAt + receivedAt) / 2
      offset = Math.min(Math.max(offset, now - receivedAt), now - sentAt)
      measuredAt.set(connection, { at: receivedAt, apart: local.wall() - receivedAt })
      if (receivedAt - sentAt < QUICK_MS) return
    }
  }

  async function filled(
    connection: ClockConnection,
    values: readonly unknown[],
  ): Promise<readonly unknown[]> {
    if (!isMeasured(connection)) await measure(connection)
    const reckoned = local.monotonic() + (offset ?? 0)
    last = reckoned < last - MAX_STEP_BACK_MS ? reckoned : Math.max(reckoned, last)
    const now = Math.floor(last)
    return values.map((value) => (value instanceof DatabaseTime ? now + value.plusMs : value))
  }

  return {
    fill: (connection, values) =>
      values.some((value) => value instanceof DatabaseTime) ? filled(connection, values) : values,
  }
}
