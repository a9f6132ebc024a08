// Reading ahead of writing: all that has come, in order, and what goes wrong last.
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'

import { batched } from '../../../src/copy/sync/batched.ts'

const limits = { sizeOf: () => 1, room: 3 }

async function* numbers(end: number, fails = false): AsyncGenerator<number> {
  for (let number = 1; number <= end; number++) {
    await Promise.resolve()
    yield number
  }
  if (fails) throw new TypeError('no more')
}

test('a slow writer is given all that has come meanwhile, up to the room there is', async () => {
  const batches: (readonly number[])[] = []
  for await (const batch of batched(numbers(8), limits)) {
    batches.push(batch)
    await setImmediate()
  }
  expect(batches).toEqual([[1], [2, 3, 4], [5, 6, 7], [8]])
})

test('a quick writer is given one at a time', async () => {
  async function* slow(): AsyncGenerator<number> {
    for await (const number of numbers(3)) {
      await setImmediate()
      yield number
    }
  }
  const batches: (readonly number[])[] = []
  for await (const batch of batched(slow(), limits)) batches.push(batch)
  expect(batches).toEqual([[1], [2], [3]])
})

test('what was read before a failure is given first', async () => {
  const batches: (readonly number[])[] = []
  const walk = async (): Promise<void> => {
    for await (const batch of batched(numbers(2, true), limits)) {
      batches.push(batch)
      await setImmediate()
    }
  }
  await expect(walk()).rejects.toThrow('no more')
  expect(batches).toEqual([[1], [2]])
})

test('an empty source has no batches', async () => {
  for await (const batch of batched(numbers(0), limits)) expect(batch).toBe('never')
})

test('who leaves ends the reading', async () => {
  let read = 0
  async function* endless(): AsyncGenerator<number> {
    for (;;) {
      await setImmediate()
      yield ++read
    }
  }
  for await (const _ of batched(endless(), limits)) break
  for (let turn = 0; turn < 20; turn++) await setImmediate()
  expect(read).toBeLessThan(4)
})
