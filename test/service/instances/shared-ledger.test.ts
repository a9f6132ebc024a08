// A rate that processes keep together while its row lies on a node that is away.
import { expect, test } from 'vitest'
import { RateGate } from '../../../src/engine/exchange/rate-gate.ts'
import { ConnectorError } from '../../../src/errors.ts'
import { createSharedLedger } from '../../../src/service/instances/shared-ledger.ts'
import type { RateStore } from '../../../src/service/store/rates.ts'
import { createTestClock } from '../../fixtures/test-clock.ts'

const RATE = { count: 3, periodMs: 60_000 }
const DEADLINE = 1_000

/** A store of one row; `reason`: why it does not answer, null: it does. */
function oneRow() {
  const clock = createTestClock()
  const state = { reason: null as string | null, reads: 0, version: 0 }
  let use: Awaited<ReturnType<RateStore['read']>>['use'] = null
  const rates: RateStore = {
    async read() {
      state.reads++
      if (state.reason !== null)
        throw new ConnectorError('store_unavailable', 'away', {
          details: { reason: state.reason },
        })
      return { use, version: state.version, nowMs: clock.now() }
    },
    async write(_place, _version, next) {
      use = next
      state.version++
      return true
    },
    block: async () => {},
    blocked: async () => [],
    purgeExpired: async () => 0,
  }
  const ledger = createSharedLedger({ rates, clock, aside: () => {} }, 'vendor', RATE)
  return { clock, state, gate: new RateGate(RATE, ledger, clock, true) }
}

test('while the node of a rate is away a process counts alone, and with the others once it is back', async () => {
  const { clock, state, gate } = oneRow()
  const take = () => gate.take(clock.monotonic() + DEADLINE, undefined)
  await take()
  expect(state.version).toBe(1)
  // Its stock is over, and the node is away.
  clock.advance(10_000)
  state.reason = 'node_away'
  state.reads = 0
  for (let n = 0; n < RATE.count; n++) await take()
  // The rate holds in this process, and the node is not asked for each call.
  await expect(take()).rejects.toMatchObject({ code: 'upstream_rate_limited' })
  expect(state.reads).toBe(1)
  clock.advance(10_000)
  state.reason = null
  await take()
  expect(state.version).toBe(2)
})

test('while the whole store is away no call leaves', async () => {
  const { clock, state, gate } = oneRow()
  state.reason = 'away'
  await expect(gate.take(clock.monotonic() + DEADLINE, undefined)).rejects.toMatchObject({
    code: 'store_unavailable',
    details: { reason: 'away' },
  })
})
