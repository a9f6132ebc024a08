// Which requests of a turn its entry in the logs has.
import { expect, test } from 'vitest'
import { ConnectorError } from '../../../src/errors.ts'
import type { UpstreamRequest } from '../../../src/engine/request/upstream-request.ts'
import { TurnSteps } from '../../../src/service/sync/turn-steps.ts'
import { createTestClock } from '../../fixtures/test-clock.ts'

const clock = createTestClock()

/** Makes a call that takes 10 ms; it fails where the third party answers an error. */
function send(steps: TurnSteps, page: number, status = 200): Promise<void> {
  // What is used of it.
  const request = { method: 'GET', url: `https://acme.example/notes?page=${page}` }
  return steps.watch((observer) => {
    observer.request?.(request as UpstreamRequest, page, '/notes')
    clock.advance(10)
    observer.response?.(status, page, 10, request as UpstreamRequest)
    return status < 400
      ? Promise.resolve()
      : Promise.reject(new ConnectorError('upstream_failed', 'sorry'))
  })
}

const step = (page: number, status = 200) => ({
  method: 'GET',
  host: 'acme.example',
  path: '/notes',
  attempt: page,
  began_ms: (page - 1) * 10,
  took_ms: 10,
  status,
  code: status < 400 ? null : 'upstream_failed',
})

test('a turn that sent nothing has no requests', async () => {
  const steps = new TurnSteps(clock)
  const left = new ConnectorError('upstream_suspended', 'left alone')
  await expect(steps.watch(() => Promise.reject(left))).rejects.toBe(left)
  expect([steps.shown, steps.lastStatus]).toEqual([{}, null])
})

test('every request of a short turn is kept, in order', async () => {
  const steps = new TurnSteps(clock)
  await send(steps, 1)
  await expect(send(steps, 2, 500)).rejects.toMatchObject({ code: 'upstream_failed' })
  expect([steps.shown, steps.lastStatus]).toEqual([{ steps: [step(1), step(2, 500)] }, 500])
})

test('of a long turn the first, the last and those that failed are kept, and all are counted', async () => {
  const steps = new TurnSteps(clock)
  for (let page = 1; page <= 1000; page++) {
    const sent = send(steps, page, page === 500 ? 503 : 200)
    if (page === 500) await expect(sent).rejects.toMatchObject({ code: 'upstream_failed' })
    else await sent
  }
  const ends = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => step(from + at))
  expect(steps.shown).toEqual({
    steps: [...ends(1, 8), step(500, 503), ...ends(993, 1000)],
    steps_left_out: 983,
  })
})
