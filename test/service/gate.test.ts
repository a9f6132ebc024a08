// Whose turn is next: places, queue, fairness between organisations, deadlines.
import { expect, test } from 'vitest'
import { Gate } from '../../src/service/gate.ts'
import { createSystemClock } from '../../src/engine/adapters/system-clock.ts'
import { turnsOfTheLoop } from '../faults/resources.ts'
import { setImmediate } from 'node:timers/promises'

const clock = createSystemClock()
const never = new AbortController().signal

test('places are given at once while there are some', async () => {
  const gate = new Gate(clock, { running: 2, waiting: 2 })
  const first = await gate.enter('a', 1000, never)
  await gate.enter('a', 1000, never)
  expect([gate.running, gate.waiting]).toEqual([2, 0])
  first()
  first()
  expect(gate.running).toBe(1)
})

test('a full queue refuses at once, with a time to come back', async () => {
  const gate = new Gate(clock, { running: 1, waiting: 1 })
  const leave = await gate.enter('a', 1000, never)
  const waiting = gate.enter('a', 1000, never)
  await expect(gate.enter('b', 1000, never)).rejects.toMatchObject({
    code: 'overloaded',
    retryAfterMs: expect.any(Number),
  })
  leave()
  ;(await waiting)()
  expect([gate.running, gate.waiting]).toEqual([0, 0])
})

test('whoever waits too long is told that nothing was sent', async () => {
  const gate = new Gate(clock, { running: 1, waiting: 2 })
  await gate.enter('a', 1000, never)
  await expect(gate.enter('b', 20, never)).rejects.toMatchObject({ code: 'deadline_exceeded' })
  expect(gate.waiting).toBe(0)
})

test('whoever leaves the queue takes no place with him', async () => {
  const gate = new Gate(clock, { running: 1, waiting: 2 })
  const leave = await gate.enter('a', 1000, never)
  const gone = new AbortController()
  const waiting = gate.enter('b', 1000, gone.signal)
  gone.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  leave()
  expect([gate.running, gate.waiting]).toEqual([0, 0])
})

test('T9 while others wait, a loud organisation gets every second place at most', async () => {
  const gate = new Gate(clock, { running: 4, waiting: 100 })
  const order: string[] = []
  const leaves: (() => void)[] = []
  const ask = async (organization: string): Promise<void> => {
    const leave = await gate.enter(organization, 5000, never)
    order.push(organization)
    leaves.push(leave)
  }
  const asked = [
    ...Array.from({ length: 30 }, () => ask('loud')),
    ...Array.from({ length: 5 }, () => ask('quiet')),
  ]
  await turnsOfTheLoop()
  expect(order).toEqual(['loud', 'loud', 'loud', 'loud'])
  for (let index = 0; index < 10; index++) {
    leaves.shift()?.()
    await setImmediate()
  }
  const after = order.slice(4)
  expect(after.filter((each) => each === 'quiet')).toHaveLength(5)
  for (let index = 0; index < 35; index++) {
    leaves.shift()?.()
    await setImmediate()
  }
  await Promise.all(asked)
  // The quiet ones were all served within the first nine turns, though thirty of the loud came before them.
  expect(after.indexOf('quiet')).toBeLessThan(3)
})
