import { describe, expect, test } from 'vitest'
import { createTurns, type SlicedWork } from '../../src/service/turns.ts'
import { createTestClock } from '../fixtures/test-clock.ts'

describe('T9 work that is done in slices', () => {
  /** Every slice is over at its first look; each notes its name. */
  function world() {
    const order: string[] = []
    const turns = createTurns(createTestClock(), () => () => true)
    const work =
      (name: string, slices: number): SlicedWork =>
      (isOver) => {
        order.push(name)
        return --slices === 0 || !isOver()
      }
    return { order, turns, work }
  }

  test('keys take turns, and each does one thing after the other', async () => {
    const { order, turns, work } = world()
    await Promise.all([
      turns.run('loud', work('a', 3)),
      turns.run('loud', work('b', 2)),
      turns.run('quiet', work('c', 1)),
      turns.run('third', work('d', 2)),
    ])
    expect(order).toEqual(['a', 'c', 'd', 'a', 'd', 'a', 'b', 'b'])
  })

  test('between two slices the event loop goes round', async () => {
    const { order, turns, work } = world()
    const done = turns.run('loud', work('slice', 3))
    await Promise.all([
      done,
      (async () => {
        while (order.length < 7) {
          order.push('loop')
          await new Promise((resolve) => setImmediate(resolve))
        }
      })(),
    ])
    expect(order).toEqual(['loop', 'slice', 'loop', 'slice', 'loop', 'slice', 'loop'])
  })

  test('what throws ends alone', async () => {
    const { order, turns, work } = world()
    const wrong = turns.run('loud', () => {
      throw new TypeError('wrong')
    })
    await Promise.all([expect(wrong).rejects.toThrow('wrong'), turns.run('loud', work('next', 1))])
    expect(order).toEqual(['next'])
    await turns.run('loud', work('later', 1))
    expect(order).toEqual(['next', 'later'])
  })
})
