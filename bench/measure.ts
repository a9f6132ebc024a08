// Measures several ways of doing the same thing in one run, taking turns, so that a noisy machine is noisy to all.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** One way of doing it. */
export interface Side {
  readonly name: string
  readonly call: () => Promise<unknown>
}

export interface Load {
  /** Calls under way at once. */
  readonly callers: number
  /** Calls per side and round. */
  readonly calls: number
  readonly rounds: number
  /** Calls per side before the first round: compilers need thousands. */
  readonly warmUp: number
}

/** Per call, in microseconds. CPU is that of the whole process, collector and threads included. */
export interface Sample {
  readonly cpuUs: number
  readonly wallUs: number
}

// Young garbage is collected between the turns, so that nobody pays for that of the side before. Not all of it: a full
// collection also throws away compiled code.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void

/** One sample per round and side. The order of the sides changes from round to round. */
export async function measureSides(
  sides: readonly Side[],
  load: Load,
): Promise<ReadonlyMap<string, readonly Sample[]>> {
  const samples = new Map<string, Sample[]>(sides.map(({ name }) => [name, []]))
  for (const side of sides) await runCalls(side, load.callers, load.warmUp)
  for (let round = 0; round < load.rounds; round++) {
    for (let turn = 0; turn < sides.length; turn++) {
      const side = sides[(round + turn) % sides.length]
      if (side === undefined) continue
      collect({ type: 'minor' })
      samples.get(side.name)?.push(await runCalls(side, load.callers, load.calls))
    }
  }
  return samples
}

async function runCalls({ call }: Side, callers: number, calls: number): Promise<Sample> {
  let left = calls
  const caller = async (): Promise<void> => {
    while (left-- > 0) await call()
  }
  const startedAt = performance.now()
  const cpuBefore = process.cpuUsage()
  await Promise.all(Array.from({ length: callers }, caller))
  const cpu = process.cpuUsage(cpuBefore)
  return {
    cpuUs: (cpu.user + cpu.system) / calls,
    wallUs: ((performance.now() - startedAt) * 1000) / calls,
  }
}
