import fc from 'fast-check'
import { expect, test } from 'vitest'

import type { JsonObject } from '../../../src/language/json/json.ts'
import { call, CLIENT, codeOf, setUp, type SetUp } from './keeper-set-up.ts'
import { sized } from '../../fixtures/sizes.ts'

// A small model of what the vendor and the host know, beside the real keeper. Each command says what a call may answer
// in the state of the model; after every command the promises of the refresh protocol are checked.

type Phase =
  | 'fine'
  /** An answer was lost; `rotated`: the vendor had spent the refresh token. */
  | 'unknown'
  | 'ended'

interface Model {
  phase: Phase
  rotated: boolean
  /** The host cannot save; `unsaved`: something waits for it. */
  vaultAway: boolean
  unsaved: boolean
}

interface Real extends SetUp {
  vault: { away: boolean; stored: JsonObject }
}

type Command = fc.AsyncCommand<Model, Real>

async function makeCall(real: Real): Promise<string> {
  const result = call(real)
  const code = codeOf(result)
  await real.clock.advance(0)
  if ((await code) !== 'ok') return code
  return (await result) === 'ok' ? 'ok' : 'credentials_refused'
}

/** What may be heard in a phase. */
const HEARD: Readonly<Record<Phase, ReadonlySet<string>>> = {
  fine: new Set([
    'ok',
    'credentials_not_saved',
    'refresh_failed',
    'refresh_unknown',
    'credentials_refused',
    'reauthorization_required',
  ]),
  unknown: new Set(['ok', 'refresh_unknown', 'credentials_not_saved', 'reauthorization_required']),
  ended: new Set(['reauthorization_required']),
}

/** Holds after every command, whatever happened. */
function checkPromises(model: Model, real: Real): void {
  const { counters } = real.provider
  // One refresh in flight; a replay only as the one recovery of an answer that was lost after the vendor had rotated.
  expect(counters.mostInFlight).toBeLessThanOrEqual(1)
  expect(counters.replays).toBeLessThanOrEqual(1)
  if (!model.rotated) expect(counters.replays).toBe(0)
  // After a lost answer nothing is presented for half a minute at least.
  const { presented } = real.provider
  for (const [index, { refreshToken, at, lost }] of presented.entries()) {
    const next = presented.slice(index + 1).find((later) => later.refreshToken === refreshToken)
    if (lost && next !== undefined) expect(next.at - at).toBeGreaterThanOrEqual(30_000)
  }
  // What the host holds is what the keeper uses, unless the host could not save it.
  if (!model.unsaved) expect(real.vault.stored).toEqual(real.saved.at(-1)?.next ?? real.given)
}

/** What an answer tells of the state. Credentials that the host could not save were received all the same. */
function learn(model: Model, code: string): void {
  if (code === 'credentials_not_saved') model.unsaved = true
  else if (code === 'ok' && !model.vaultAway) model.unsaved = false
  if (code === 'refresh_unknown') model.phase = 'unknown'
  if (code === 'reauthorization_required') model.phase = 'ended'
  if (code === 'ok' || code === 'credentials_not_saved') model.phase = 'fine'
}

class Call implements Command {
  check(): boolean {
    return true
  }
  async run(model: Model, real: Real): Promise<void> {
    const requests = real.provider.counters.requests
    const code = await makeCall(real)
    expect([...HEARD[model.phase]]).toContain(code)
    if (model.phase === 'ended') expect(real.provider.counters.requests).toBe(requests)
    if (code === 'credentials_not_saved') expect(model.vaultAway).toBe(true)
    learn(model, code)
    checkPromises(model, real)
  }
  toString(): string {
    return 'call'
  }
}

/** Several calls at once hear the same. */
class Crowd implements Command {
  check(): boolean {
    return true
  }
  async run(model: Model, real: Real): Promise<void> {
    const codes = Promise.all(
      Array.from({ length: 20 }, () => codeOf(real.keeper.current(real.soon()))),
    )
    await real.clock.advance(0)
    expect(new Set(await codes).size).toBe(1)
    const [code = ''] = await codes
    learn(model, code)
    checkPromises(model, real)
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
  async run(model: Model, real: Real): Promise<void> {
    await real.clock.advance(this.#ms)
    checkPromises(model, real)
  }
  toString(): string {
    return `wait ${this.#ms}`
  }
}

class EndAccess implements Command {
  check(): boolean {
    return true
  }
  run(_model: Model, real: Real): Promise<void> {
    real.provider.endAccess()
    return Promise.resolve()
  }
  toString(): string {
    return 'the access token ends'
  }
}

type FaultName = 'lost' | 'ignored' | 'unwell' | 'html' | 'client'

class NextRefresh implements Command {
  readonly #fault: FaultName
  constructor(fault: FaultName) {
    this.#fault = fault
  }
  // One lost rotation per run: the next one can be told from it only by asking the vendor.
  check({ rotated }: Readonly<Model>): boolean {
    return !(rotated && (this.#fault === 'lost' || this.#fault === 'html'))
  }
  run(model: Model, real: Real): Promise<void> {
    if (this.#fault === 'lost' || this.#fault === 'html') model.rotated = true
    real.provider.fail(
      {
        lost: { kind: 'lost' } as const,
        ignored: { kind: 'ignored' } as const,
        unwell: { kind: 'refusal', status: 503, body: '' } as const,
        html: { kind: 'odd', change: () => '<html>' } as const,
        client: { kind: 'refusal', status: 401, body: { error: 'invalid_request' } } as const,
      }[this.#fault],
    )
    return Promise.resolve()
  }
  toString(): string {
    return `next refresh: ${this.#fault}`
  }
}

class Vault implements Command {
  readonly #away: boolean
  constructor(away: boolean) {
    this.#away = away
  }
  check({ vaultAway }: Readonly<Model>): boolean {
    return vaultAway !== this.#away
  }
  run(model: Model, real: Real): Promise<void> {
    model.vaultAway = this.#away
    real.vault.away = this.#away
    return Promise.resolve()
  }
  toString(): string {
    return this.#away ? 'the vault goes away' : 'the vault comes back'
  }
}

class Revoke implements Command {
  check(): boolean {
    return true
  }
  run(_model: Model, real: Real): Promise<void> {
    for (const each of [real.vault.stored, real.given])
      real.provider.revoke(each['refresh_token'] as string)
    return Promise.resolve()
  }
  toString(): string {
    return 'the vendor revokes'
  }
}

const commands = fc.commands(
  [
    fc.constant(new Call()),
    fc.constant(new Call()),
    fc.constant(new Crowd()),
    fc.constant(new EndAccess()),
    fc.constantFrom(1000, 31_000, 300_000, 3_300_000, 3_700_000).map((ms) => new Wait(ms)),
    fc
      .constantFrom<FaultName>('lost', 'ignored', 'unwell', 'html', 'client')
      .map((fault) => new NextRefresh(fault)),
    fc.boolean().map((away) => new Vault(away)),
    fc.constant(new Revoke()),
  ],
  { maxCommands: 40, size: 'max' },
)

test('R5 any sequence of calls, faults and waits keeps the promises of the refresh protocol', async () => {
  await fc.assert(
    fc.asyncProperty(commands, async (sequence) => {
      const vault = { away: false, stored: {} as JsonObject }
      const world = setUp({
        onCredentials: (next, change) => {
          if (vault.away) throw new Error('the vault is away')
          vault.stored = next
          world.saved.push({ next, ...change })
        },
      })
      vault.stored = world.given
      const real: Real = Object.assign(world, { vault })
      const model: Model = { phase: 'fine', rotated: false, vaultAway: false, unsaved: false }
      await fc.asyncModelRun(() => ({ model, real }), sequence)
      // At the end everything that is not lost for good heals by itself.
      vault.away = false
      for (let turn = 0; turn < 30 && model.phase !== 'ended'; turn++) {
        const code = await makeCall(real)
        if (code === 'ok') return
        if (code === 'reauthorization_required') model.phase = 'ended'
        await real.clock.advance(3_700_000)
      }
      expect(model.phase).toBe('ended')
    }),
    { numRuns: sized(50, 500) },
  )
})

test('R5 a token that was received is never lost while its process lives, whatever the vault does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), async (saves) => {
      const vault: JsonObject[] = []
      let next = 0
      const world = setUp({
        credentials: ({ refresh_token }) => ({ refresh_token, ...CLIENT }),
        onCredentials: (credentials) => {
          if (saves[next++ % saves.length] === false) throw new Error('the vault is away')
          vault.push(credentials)
        },
      })
      for (let turn = 0; turn < 20; turn++) {
        const code = await codeOf(world.keeper.current(world.soon()))
        expect(['ok', 'credentials_not_saved']).toContain(code)
        await world.clock.advance(3_599_000)
      }
      expect(world.provider.counters.replays).toBe(0)
      // Each set that calls saw had been saved before.
      if (vault.length > 0) {
        const lent = await world.keeper.peek()
        expect(vault).toContainEqual(lent.credentials)
      }
    }),
    { numRuns: sized(20, 200) },
  )
})
