import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CredentialKeeper } from '../../../src/engine/credentials/refreshing-keeper.ts'
import type { JsonObject } from '../../../src/language/json/json.ts'
import type { Fault } from '../../faults/oauth-provider.ts'
import {
  type Away,
  connectAt,
  createWorld,
  hostStorage,
  openServiceStore,
  Process,
  type ServiceStore,
  type Storage,
  type StormWorld,
} from './keeper-homes.ts'
import { codeOf, tokenOf } from './keeper-set-up.ts'

// The same storms over both homes of the one keeper: several processes with many callers each, answers of every kind,
// homes that fail before or after their work, processes killed between any two steps. An oracle judges them: it knows
// every token the authorization server gave, and what of it was stored.

const FAULTS: Readonly<Record<string, Fault>> = {
  lost: { kind: 'lost' },
  unreadable: { kind: 'odd', change: () => '<html>' },
  ignored: { kind: 'ignored' },
  unwell: { kind: 'refusal', status: 503, body: {} },
  busy: { kind: 'refusal', status: 429, body: {} },
  refused: { kind: 'refusal', status: 400, body: { error: 'invalid_request' } },
  slow: { kind: 'slow', ms: 5 },
}

interface Storm {
  readonly waitMs: number
  readonly endsAccess: boolean
  readonly callers: number
  readonly fault: string | null
  readonly away: Away | null
  /** The process that is killed, and after how many steps. */
  readonly death: readonly [process: number, steps: number] | null
}

const PROCESSES = 3
const MAX_MS = 100_000
const TURNS = 3
const PAUSE_MS = 30

const away = (calls: Away['calls'], maxFrom: number): fc.Arbitrary<Away> =>
  fc.record({
    calls: fc.constant(calls),
    fails: fc.constantFrom<Away['fails'][]>('before', 'after'),
    from: fc.nat(maxFrom),
  })

const storms = fc.array(
  fc.record<Storm>({
    waitMs: fc.constantFrom(0, 1_100, 31_000, 61_000, 3_400_000, 3_700_000),
    endsAccess: fc.boolean(),
    callers: fc.integer({ min: 1, max: 8 }),
    fault: fc.option(fc.constantFrom(...Object.keys(FAULTS))),
    away: fc.option(
      fc.oneof(
        // A commit comes after a dozen calls of all processes, and after one that writes.
        away('all', 16),
        away('writes', 2),
      ),
    ),
    death: fc.option(fc.tuple(fc.nat(PROCESSES - 1), fc.nat(40))),
  }),
  { minLength: 1, maxLength: 6 },
)

/** What has happened, by which an outcome is excused. */
interface Happened {
  readonly faults: Set<string>
  readonly aways: number
  readonly deaths: number
  readonly endings: number
}

/** When a code is a right answer; codes that are not here never are. */
const EXCUSED: Readonly<Record<string, (happened: Happened, storm: Storm) => boolean>> = {
  ok: () => true,
  died: ({ deaths }) => deaths > 0,
  refresh_failed: ({ faults }) => faults.size > 0,
  refresh_unknown: ({ faults, aways, deaths }) => faults.size + aways + deaths > 0,
  // Of a refresh ahead of need the callers of the next storm may hear.
  credentials_not_saved: ({ aways }) => aways > 0,
  store_unavailable: ({ aways }) => aways > 0,
  deadline_exceeded: (_happened, { away }) => away !== null,
  // Refused as soon as they were received, again and again.
  credentials_refused: ({ endings }) => endings > 1,
  // What else excuses it is judged by the tokens that were lost.
  reauthorization_required: ({ faults, aways, deaths }) => faults.size + aways + deaths > 0,
}

class Course {
  readonly #world = createWorld()
  readonly #storage: Storage
  readonly #alive: (ReturnType<Storage['start']> & { readonly process: Process })[] = []
  readonly #happened = { faults: new Set<string>(), aways: 0, deaths: 0, endings: 0 }
  #started = 0
  #replaysBefore = 0
  /** Tokens that were stored before all were ended. */
  #ended: ReadonlySet<string> = new Set()

  private constructor(storage: Storage, world: StormWorld) {
    this.#storage = storage
    this.#world = world
    for (let index = 0; index < PROCESSES; index++) this.#start(index)
  }

  static async begin(
    open: (world: StormWorld, first: JsonObject) => Promise<Storage>,
  ): Promise<Course> {
    const world = createWorld()
    const { access_token: _none, ...first } = connectAt(world)
    return new Course(await open(world, first), world)
  }

  async weather(storm: Storm): Promise<void> {
    const { clock, provider } = this.#world
    clock.forward(storm.waitMs)
    if (storm.endsAccess) {
      this.#happened.endings++
      this.#ended = new Set(this.#world.stored.access)
      provider.endAccess()
    }
    if (storm.fault !== null) {
      this.#happened.faults.add(storm.fault)
      provider.fail(FAULTS[storm.fault] as Fault)
    }
    if (storm.away !== null) this.#happened.aways++
    if (storm.death !== null) this.#alive[storm.death[0]]?.process.killIn(storm.death[1])
    this.#world.homeCalls = 0
    this.#world.away = storm.away
    const heard = await this.#callAll(storm.callers, storm.away === null ? 600_000 : 3_000)
    this.#world.away = null
    this.#judge(heard, storm)
    this.#bury()
    // What is still under way comes to its end, and what could not be stored is stored.
    const later = await this.#callAll(1, 600_000)
    await this.#settle()
    this.#judge(later, storm)
    this.#bury()
    this.#judgeTokens()
    expect(provider.counters.mostInFlight).toBeLessThanOrEqual(1)
    if (later.includes('reauthorization_required')) await this.#connectAgain()
  }

  /** Everything that is not lost for good heals by itself. */
  async end(): Promise<void> {
    const { clock, provider } = this.#world
    this.#spare()
    // Faults that no refresh has met.
    const ignored = { method: 'POST', url: '/token', headers: {}, body: '' }
    for (let request = 0; request < 8; request++) await provider.answer(ignored)
    let heard: readonly string[] = []
    for (let turn = 0; turn < 30; turn++) {
      clock.forward(3_700_000)
      heard = await this.#callAll(1, 600_000)
      await this.#settle()
      const isOver = heard.every((code) => code === 'ok' || code === 'reauthorization_required')
      if (isOver) break
    }
    this.#judgeTokens()
    const isOk = !this.#hasEnded()
    expect(new Set(heard)).toEqual(new Set([isOk ? 'ok' : 'reauthorization_required']))
    const { access_token } = await this.#storage.kept()
    expect(typeof access_token === 'string' && provider.isLive(access_token)).toBe(isOk)
    const isTold = await this.#storage.isToldAsEnded()
    if (isTold !== null) expect(isTold).toBe(!isOk)
    await Promise.all(this.#alive.map(({ keeper }) => keeper.close()))
  }

  #start(index: number): void {
    const process = new Process(`process-${++this.#started}-${Math.random()}`, this.#world)
    this.#alive[index] = { process, ...this.#storage.start(process) }
  }

  /** Another process takes the place of one that was killed. */
  #bury(): void {
    for (const [index, { process }] of this.#alive.entries())
      if (process.isDead) {
        this.#happened.deaths++
        this.#start(index)
      }
  }

  /** Refreshes ahead of need come to their end, too. */
  async #settle(): Promise<void> {
    await Promise.all(
      this.#alive.map(({ process, settle }) => Promise.race([process.died, settle()])),
    )
  }

  /** Each caller calls at several moments, the first ones all at once. */
  async #callAll(callers: number, patienceMs: number): Promise<readonly string[]> {
    const calls = this.#alive.flatMap(({ process, keeper }) => {
      const died = process.died.then(() => 'died')
      return Array.from({ length: callers }, async () => {
        const heard: string[] = []
        for (let turn = 0; turn < (callers === 1 ? 1 : TURNS); turn++) {
          heard.push(await Promise.race([died, codeOf(this.#call(keeper, patienceMs))]))
          // Waits for time: callers make calls at moments of chance.
          await this.#world.clock.sleep(PAUSE_MS * this.#world.clock.random())
        }
        return heard
      })
    })
    return (await Promise.all(calls)).flat()
  }

  /**
   * What a call does: use the credentials, and after a 401 renew them. The next call renews again where ages are not known,
   * and where the token was taken over from another process that had received it before all tokens were ended.
   */
  async #call(keeper: CredentialKeeper, patienceMs: number): Promise<void> {
    const { clock, provider, stored } = this.#world
    const deadline = clock.monotonic() + patienceMs
    let lent = keeper.ready() ?? (await keeper.current(deadline))
    const isLive = (): boolean => provider.isLive(tokenOf(lent))
    if (!isLive()) lent = await keeper.renew(lent, deadline)
    const mayBeOld = !this.#storage.sharesState || this.#ended.has(tokenOf(lent))
    if (!isLive() && mayBeOld) lent = await keeper.renew(lent, deadline)
    // Nobody sees a token before it is stored, and each caller gets one that works.
    expect(stored.access).toContain(tokenOf(lent))
    if (!this.#hasEnded()) expect(provider.isLive(tokenOf(lent))).toBe(true)
  }

  #judge(heard: readonly string[], storm: Storm): void {
    const deaths = this.#alive.filter(({ process }) => process.isDead).length
    const happened = { ...this.#happened, deaths: this.#happened.deaths + deaths }
    for (const code of heard) {
      expect(Object.keys(EXCUSED)).toContain(code)
      expect([code, EXCUSED[code]?.(happened, storm)]).toEqual([code, true])
    }
    if (heard.includes('reauthorization_required')) expect(this.#hasEnded()).toBe(true)
  }

  #judgeTokens(): void {
    const { counters, presented } = this.#world.provider
    const lostOnTheWay = presented.filter(({ lost }) => lost).length
    expect(this.#lost()).toBeLessThanOrEqual(lostOnTheWay + this.#happened.deaths)
    const { aways, deaths } = this.#happened
    // After a lost answer nothing is presented for half a minute, by nobody who was told of it. What a process left that
    // died before it could tell has the time of the database, which runs slower than the clock of a storm.
    if (this.#storage.sharesState && aways + deaths === 0)
      for (const [index, { refreshToken, at, lost }] of presented.entries()) {
        const next = presented.slice(index + 1).find((later) => later.refreshToken === refreshToken)
        if (lost && next !== undefined) expect(next.at - at).toBeGreaterThanOrEqual(29_000)
      }
    const unsaved = this.#storage.tellsOfUnsaved ? aways : 0
    expect(counters.replays).toBeLessThanOrEqual(this.#lost() + unsaved)
  }

  /** Refresh tokens that were issued for a refresh token and never stored. */
  #lost(): number {
    return this.#world.provider.counters.refreshes - this.#world.stored.refresh.size
  }

  /** Whether a spent token was presented, so that the authorization server has ended the connection. */
  #hasEnded(): boolean {
    return this.#world.provider.counters.replays > this.#replaysBefore
  }

  #spare(): void {
    for (const { process } of this.#alive) process.killIn(null)
  }

  async #connectAgain(): Promise<void> {
    this.#spare()
    this.#replaysBefore = this.#world.provider.counters.replays
    await this.#storage.replace(connectAt(this.#world))
    expect(new Set(await this.#callAll(1, 600_000))).toEqual(new Set(['ok']))
    await this.#settle()
  }
}

describe('storms', () => {
  let service: ServiceStore
  beforeAll(async () => {
    service = await openServiceStore()
  })
  afterAll(async () => {
    await service.close()
  })

  test.for<{
    home: string
    runs: number
    open: (world: StormWorld, first: JsonObject) => Promise<Storage>
  }>([
    {
      home: 'the host of direct mode',
      runs: 60,
      open: async (world, first) => hostStorage(world, first),
    },
    {
      home: 'rows of the service',
      runs: 12,
      open: (world, first) => service.instance(world, first),
    },
  ])(
    'R5 no single-use token is used twice, none is lost untold, every caller gets fresh credentials or the right error: $home',
    async ({ open, runs }) => {
      const course = fc.asyncProperty(storms, async (weather) => {
        const course = await Course.begin(open)
        for (const storm of weather) await course.weather(storm)
        await course.end()
      })
      const details = await fc.check(course, {
        numRuns: Number(process.env['TENON_TEST_RUNS'] ?? runs),
        // On a busy machine fewer courses are run, and a failure is told before it is as small as can be.
        interruptAfterTimeLimit: MAX_MS,
      })
      const [report, error] = [fc.defaultReportMessage(details), details.errorInstance]
      expect({ report, error }).toEqual({ report: undefined, error: null })
    },
  )
})
