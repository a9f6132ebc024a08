// How fast work on many rows is, and what it takes of the processor.

/** What work on many rows came to. */
export interface Pace {
  /** Rows per second. */
  readonly rate: number
  /** Processor time of this process per row, threads included, in microseconds. */
  readonly cpuUs: number
}

export async function pace(count: number, work: () => Promise<unknown> | void): Promise<Pace> {
  const started = performance.now()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return {
    rate: (count * 1_000) / (performance.now() - started),
    cpuUs: (user + system) / count,
  }
}

/** Rows per second of work that takes milliseconds. */
export async function rate(count: number, work: () => Promise<unknown> | void): Promise<number> {
  return (await pace(count, work)).rate
}
