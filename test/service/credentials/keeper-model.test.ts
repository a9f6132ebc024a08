import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createHostedKeeper,
  type HostedKeeper,
} from '../../../src/service/credentials/hosted-keeper.ts'
import { sealCredentials } from '../../../src/service/credentials/sealed-credentials.ts'
import { exampleManifest, oauthMethod } from '../../engine/credentials/example-manifest.ts'
import type { Fault } from '../../faults/oauth-provider.ts'
import { tamper } from '../../contracts/store/subject.ts'
import {
  auditOf,
  CLIENT,
  codeOf,
  type KeeperWorld,
  openKeeperWorld,
  ORGANIZATION,
  OWNER,
  tokenOf,
} from './keeper-set-up.ts'
import { sized } from '../../fixtures/sizes.ts'

// Three processes over one instance, and whatever may happen to them in any order. After every command the promises of
// the refresh protocol hold.

let world: KeeperWorld
beforeAll(async () => {
  world = await openKeeperWorld()
})
afterAll(async () => {
  await world.close()
})

interface Model {
  /** Answers with new tokens that nobody read, by faults and by deaths. */
  losses: number
  /** Whether anything happened after which an outcome may be unknown. */
  doubts: number
}

interface Real {
  readonly id: string
  readonly keepers: readonly HostedKeeper[]
  /** Counters of the provider at the start. */
  readonly replays: number
  readonly presented: number
}

type Command = fc.AsyncCommand<Model, Real>

const soon = (): number => world.clock.monotonic() + 60_000

async function callWith(keeper: HostedKeeper): Promise<string> {
  const code = await codeOf(
    (async () => {
      const lent = keeper.ready() ?? (await keeper.current(soon()))
      if (!world.provider.isLive(tokenOf(lent))) await keeper.renew(lent, soon())
    })(),
  )
  // Waits for time: what goes on beside the call gets a turn.
  await world.clock.sleep(1)
  return code
}

const HEARD = new Set([
  'ok',
  'refresh_failed',
  'refresh_unknown',
  // Ended more than twice within a minute.
  'credentials_refused refused_when_fresh',
  'reauthorization_required refresh_lost',
])

async function checkPromises(model: Model, real: Real, codes: readonly string[]): Promise<void> {
  const { counters } = world.provider
  expect(counters.mostInFlight).toBeLessThanOrEqual(1)
  expect(counters.replays - real.replays).toBeLessThanOrEqual(model.losses)
  for (const code of codes) expect(HEARD).toContain(code)
  const presented = world.provider.presented.slice(real.presented)
  for (const [index, { refreshToken, at, lost }] of presented.entries()) {
    const next = presented.slice(index + 1).find((later) => later.refreshToken === refreshToken)
    if (lost && next !== undefined) expect(next.at - at).toBeGreaterThanOrEqual(29_000)
  }
  const row = await world.store.instances.get(OWNER, real.id)
  if (model.doubts === 0) expect(row?.state).toMatch(/^(active|pending)$/)
  // A connection is given up only after an answer was lost.
  if (model.losses === 0) expect(row?.state).not.toBe('auth_error')
  if (codes.includes('reauthorization_required refresh_lost')) expect(row?.state).toBe('auth_error')
  // Of several calls a later one may have recovered it, or learned that it is lost.
  const isDecided = codes.some((code) => /^(ok|reauthorization_required refresh_lost)$/.test(code))
  if (codes.includes('refresh_unknown') && !isDecided) expect(row?.state).toBe('refresh_unknown')
}

class Call implements Command {
  readonly #which: number
  constructor(which: number) {
    this.#which = which
  }
  check(): boolean {
    return true
  }
  async run(model: Model, real: Real): Promise<void> {
    const keeper = real.keepers[this.#which]
    const codes = keeper === undefined ? [] : [await callWith(keeper)]
    await checkPromises(model, real, codes)
  }
  toString(): string {
    return `call by ${this.#which}`
  }
}

class Crowd implements Command {
  check(): boolean {
    return true
  }
  async run(model: Model, real: Real): Promise<void> {
    const all = [...real.keepers, ...real.keepers]
    await checkPromises(model, real, await Promise.all(all.map(callWith)))
  }
  toString(): string {
    return 'crowd'
  }
}

class Wait implements Command {
  readonly #ms: number
  constructor(ms: number) {
    this.#ms = ms
  }
  check(): boolean {
    return true
  }
  async run(): Promise<void> {
    world.clock.forward(this.#ms)
  }
  toString(): string {
    return `wait ${this.#ms}`
  }
}

class EndAccess implements Command {
  check(): boolean {
    return true
  }
  async run(): Promise<void> {
    world.provider.endAccess()
  }
  toString(): string {
    return 'the access token ends'
  }
}

const FAULTS: Readonly<
  Record<string, { readonly fault: Fault; readonly losses: number; readonly doubts: number }>
> = {
  lost: { fault: { kind: 'lost' }, losses: 1, doubts: 1 },
  ignored: { fault: { kind: 'ignored' }, losses: 0, doubts: 1 },
  unreadable: { fault: { kind: 'odd', change: () => '<html>' }, losses: 1, doubts: 1 },
  unwell: { fault: { kind: 'refusal', status: 503, body: {} }, losses: 0, doubts: 0 },
  busy: { fault: { kind: 'refusal', status: 429, body: {} }, losses: 0, doubts: 0 },
}

class NextRefresh implements Command {
  readonly #name: string
  constructor(name: string) {
    this.#name = name
  }
  check(): boolean {
    return true
  }
  async run(model: Model): Promise<void> {
    const { fault, losses, doubts } = FAULTS[this.#name] ?? {}
    if (fault === undefined) return
    world.provider.fail(fault)
    model.losses += losses ?? 0
    model.doubts += doubts ?? 0
  }
  toString(): string {
    return `the next refresh is ${this.#name}`
  }
}

/** A further process needs a token, and is killed before its request leaves or before it reads the answer. */
class Death implements Command {
  readonly #isSent: boolean
  constructor(isSent: boolean) {
    this.#isSent = isSent
  }
  check(): boolean {
    return true
  }
  async run(model: Model, real: Real): Promise<void> {
    const { store, transport } = world
    const reached = Promise.withResolvers<void>()
    const keeper = createHostedKeeper({
      manifest: exampleManifest({ methods: [oauthMethod()] }),
      instance: { id: real.id, organizationId: ORGANIZATION, authMethod: 'oauth', config: {} },
      client: null,
      serverUrl: world.url,
      store: { ...store, leases: { ...store.leases, extend: async () => false } },
      vault: world.vault,
      transport: {
        ...transport,
        send: async (request) => {
          if (this.#isSent) {
            await transport.send(request).catch(() => {})
            model.losses += 1
          }
          model.doubts += 1
          reached.resolve()
          return await new Promise<never>(() => {})
        },
      },
      clock: world.clock,
      processId: 'mortal',
      log: { info: () => {}, warn: () => {}, error: () => {} },
    })
    await Promise.race([reached.promise, callWith(keeper)])
    await tamper(store, `update lease set held_until = 0 where owner_id = 'mortal'`)
    // As long as the lease would have lasted.
    world.clock.forward(45_000)
  }
  toString(): string {
    return this.#isSent ? 'death after sending' : 'death before sending'
  }
}

class Replacement implements Command {
  check(): boolean {
    return true
  }
  async run(_model: Model, { id }: Real): Promise<void> {
    const tokens = world.provider.connect()
    const plain = { credentials: { ...tokens, ...CLIENT }, session: {}, expiresAt: null }
    await world.store.credentials.replace(
      OWNER,
      id,
      {
        seal: (generation) => sealCredentials(world.vault, { id, generation }, plain),
        oauthSecretHash: null,
      },
      auditOf(id),
    )
    expect((await world.store.instances.get(OWNER, id))?.state).toBe('pending')
  }
  toString(): string {
    return 'replacement by hand'
  }
}

const MAX_COMMANDS = 14

test('R5 any course of events keeps the promises', async () => {
  const commands = fc.commands(
    [
      fc.nat({ max: 2 }).map((which) => new Call(which)),
      fc.constant(new Crowd()),
      fc.constantFrom(1_100, 31_000, 61_000, 3_400_000).map((ms) => new Wait(ms)),
      fc.constant(new EndAccess()),
      fc.constantFrom(...Object.keys(FAULTS)).map((name) => new NextRefresh(name)),
      fc.boolean().map((isSent) => new Death(isSent)),
      fc.constant(new Replacement()),
    ],
    { maxCommands: MAX_COMMANDS },
  )
  const details = await fc.check(
    fc.asyncProperty(commands, async (course) => {
      // Faults that the course before left over.
      for (let request = 0; request < MAX_COMMANDS; request++)
        await world.provider.answer({ method: 'POST', url: '/token', headers: {}, body: '' })
      await fc.asyncModelRun(async () => {
        const { id } = await world.connected({ expired: true })
        const keepers = Array.from({ length: 3 }, () => world.keeper(id))
        const { replays } = world.provider.counters
        const real = { id, keepers, replays, presented: world.provider.presented.length }
        return { model: { losses: 0, doubts: 0 }, real }
      }, course)
    }),
    { numRuns: sized(15, 200) },
  )
  expect(fc.defaultReportMessage(details)).toBeUndefined()
})
