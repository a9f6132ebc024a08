// `tenon serve --processes`: one process that keeps several others, which share its port. It answers nothing itself.
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createSystemClock } from '../engine/adapters/system-clock.ts'
import type { Clock } from '../engine/exchange/clock.ts'
import type { LogLevel } from '../service/settings.ts'
import type { ServiceLog } from '../service/log.ts'
import { within } from '../service/within.ts'
import { createServiceLog } from './service-log.ts'
import type { Answers, Asked, FromProcess, Question, SiblingAnswer, ToProcess } from './siblings.ts'

export interface ProcessesOptions {
  readonly count: number
  readonly logLevel: LogLevel
  /** Aborted when all of them should end. */
  readonly signal: AbortSignal
}

/** A process that ends at once, again and again, is started again after 1, 2, 4 … 60 seconds. */
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 60_000
/** One that lived longer is started again as if it were the first time. */
const STABLE_MS = 60_000
/** What a process may take to say what it is asked. */
const ANSWER_MS = 2_000

/** One of the processes that there should be, whichever it is at the moment. */
interface Place {
  readonly process: number
  /** Null: it has ended, and is started again. */
  worker: Worker | null
  isListening: boolean
  pauseMs: number
}

/**
 * Keeps so many processes of this command until it is told to stop; the exit code. SIGHUP replaces them one by one: each
 * ends when another one has taken its place, and with what it has under way. The first one starts alone, so that what is
 * made once is made once; where it does not get as far as listening, its exit code is the result.
 */
export async function keepProcesses({
  count,
  logLevel,
  signal,
}: ProcessesOptions): Promise<number> {
  // Its environment is theirs, secrets included.
  process.report.excludeEnv = true
  // All of them accept from one queue of the kernel. Handed out by this process, a connection on its way to one that is
  // killed would hang for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const places = Array.from({ length: count }, (_, at): Place => ({
    process: at + 1,
    worker: null,
    isListening: false,
    pauseMs: FIRST_PAUSE_MS,
  }))
  const log = createServiceLog(logLevel)
  const processes = new Processes({ log, clock: createSystemClock(), signal, places })
  const replace = (): void => processes.replaceAll()
  try {
    const [first, ...others] = places
    const code = first === undefined ? null : await processes.begin(first)
    if (code !== null) return code
    if (!signal.aborted) await Promise.all(others.map((place) => processes.begin(place)))
    process.on('SIGHUP', replace)
    if (!signal.aborted) await once(signal, 'abort')
    return await processes.stop()
  } finally {
    process.off('SIGHUP', replace)
    log.close()
  }
}

interface ProcessesPorts {
  readonly log: ServiceLog
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly places: readonly Place[]
}

class Processes {
  readonly #ports: ProcessesPorts
  readonly #asked = new Map<number, (value: Asked[Question]) => void>()
  #lastId = 0
  #replacing: Promise<void> = Promise.resolve()

  constructor(ports: ProcessesPorts) {
    this.#ports = ports
  }

  /** Starts the process of a place; null: it listens, or is started again; else it ended before, with this exit code. */
  async begin(place: Place): Promise<number | null> {
    const worker = cluster.fork()
    place.worker = worker
    const code = await this.#listens(worker)
    if (code !== null && place.process === 1) return code
    this.#settle(place, worker, code)
    return null
  }

  /** Replaces all, one after the other; asked for once more meanwhile, once more behind. */
  replaceAll(): void {
    this.#ports.log.info({}, 'the processes of the service are replaced')
    this.#replacing = this.#replaceBehind(this.#replacing)
  }

  async #replaceBehind(earlier: Promise<void>): Promise<void> {
    await earlier
    for (const place of this.#ports.places) if (!(await this.#replace(place))) return
  }

  /** Ends all; the exit code of the first that had a failure. */
  async stop(): Promise<number> {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
    const codes = await Promise.all(
      workers.map(async (worker) => {
        const ended = once(worker, 'exit')
        tell(worker, { tenon: 'stop' })
        const [code] = (await ended) as [number | null]
        return code ?? 1
      }),
    )
    return codes.find((code) => code !== 0) ?? 0
  }

  async #replace(place: Place): Promise<boolean> {
    const { log, signal } = this.#ports
    const before = place.worker
    // One that has ended is being started again, from the same files.
    if (signal.aborted || before === null) return !signal.aborted
    const worker = cluster.fork()
    const code = await this.#listens(worker)
    if (code !== null) {
      log.error(
        { process: place.process, exit_code: code },
        'the process that should replace another one did not start; the others stay as they are',
      )
      return false
    }
    this.#settle(place, worker, null)
    tell(before, { tenon: 'leave' })
    return true
  }

  /** From now on this process has the place, and is followed by another one when it ends. */
  #settle(place: Place, worker: Worker, code: number | null): void {
    const { clock, log } = this.#ports
    const since = clock.monotonic()
    place.worker = worker
    place.isListening = code === null
    const ended = (exitCode: number | null, signalName: string | null): void => {
      if (place.worker !== worker) return
      place.isListening = false
      place.worker = null
      if (clock.monotonic() - since > STABLE_MS) place.pauseMs = FIRST_PAUSE_MS
      void this.#startAgain(place, { exit_code: exitCode, signal: signalName })
    }
    if (code !== null) return ended(code, null)
    worker.once('exit', ended)
    log.info(
      { process: place.process, pid: worker.process.pid },
      'a process of the service takes requests',
    )
  }

  async #startAgain(place: Place, how: object): Promise<void> {
    const { clock, log, signal } = this.#ports
    if (signal.aborted) return
    const { process, pauseMs } = place
    log.error(
      { process, ...how, again_in_ms: pauseMs },
      'a process of the service ended; another one is started',
    )
    place.pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)
    await clock.sleep(pauseMs, signal).catch(() => {})
    if (signal.aborted) return
    const worker = cluster.fork()
    place.worker = worker
    const code = await this.#listens(worker)
    if (signal.aborted) return
    this.#settle(place, worker, code)
  }

  /** Null as soon as it takes requests; else its exit code. */
  async #listens(worker: Worker): Promise<number | null> {
    const { promise, resolve } = Promise.withResolvers<number | null>()
    worker.once('exit', (code: number | null) => resolve(code ?? 1))
    worker.on('message', (message: FromProcess) => {
      if (message.tenon === 'listening') resolve(null)
      else if (message.tenon === 'told') this.#asked.get(message.id)?.(message.value)
      else if (message.tenon === 'ask') void this.#answer(worker, message.id, message.question)
    })
    return await promise
  }

  /** Asks all that take requests, on behalf of one. */
  async #answer(worker: Worker, id: number, question: Question): Promise<void> {
    const asked = this.#ports.places.filter(({ isListening }) => isListening)
    const answers: Answers<Question> = {
      wanted: this.#ports.places.length,
      answers: await Promise.all(asked.map((place) => this.#ask(place, question))),
    }
    tell(worker, { tenon: 'answers', id, answers })
  }

  async #ask({ process, worker }: Place, question: Question): Promise<SiblingAnswer<Question>> {
    const id = ++this.#lastId
    const { promise, resolve } = Promise.withResolvers<Asked[Question]>()
    this.#asked.set(id, resolve)
    let value: Asked[Question] | null = null
    if (worker !== null) tell(worker, { tenon: 'tell', id, question })
    await within(
      this.#ports.clock,
      ANSWER_MS,
      promise.then((said) => void (value = said)),
    )
    this.#asked.delete(id)
    return { process, value }
  }
}

function tell(worker: Worker, message: ToProcess): void {
  // One that has ended meanwhile needs to hear nothing.
  if (worker.isConnected()) worker.send(message, undefined, () => {})
}
