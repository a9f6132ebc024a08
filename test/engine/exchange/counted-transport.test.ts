import { expect, test } from 'vitest'
import { Budget } from '../../../src/engine/exchange/budget.ts'
import { countedTransport } from '../../../src/engine/exchange/counted-transport.ts'
import type { Transport } from '../../../src/engine/exchange/transport.ts'
import type { UpstreamRequest } from '../../../src/engine/request/upstream-request.ts'
import { createTestClock } from '../../fixtures/test-clock.ts'

test('requests for tokens are counted and never held up: the calls behind them wait the longer', async () => {
  const clock = createTestClock()
  const rates = [{ count: 2, periodMs: 1000 }]
  const budget = new Budget({ rates, concurrency: null, per: 'instance' }, clock)
  const sent: number[] = []
  const silent: Transport = {
    send: async () => {
      sent.push(clock.monotonic())
      return {
        status: 200,
        url: 'https://api.acme.example/token',
        headers: {},
        body: Buffer.alloc(0),
      }
    },
    stream: async () => {
      throw new Error('nothing is streamed here')
    },
    close: async () => {},
  }
  const counted = countedTransport(silent, budget)
  // What is sent does not matter here.
  for (let i = 0; i < 3; i++) await counted.send({} as UpstreamRequest, {})
  expect(sent).toEqual([0, 0, 0])
  expect(budget.left()).toMatchObject([{ remaining: 0 }])
  ;(await budget.enter(10_000, undefined))()
  expect(clock.monotonic()).toBe(1050)
})
