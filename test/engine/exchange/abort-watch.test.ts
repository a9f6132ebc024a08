import { expect, test } from 'vitest'
import { endWatch, watchAbort } from '../../../src/engine/exchange/abort-watch.ts'

function watcher(told: string[], name: string): { onAbort: () => void } {
  return { onAbort: () => told.push(name) }
}

test('those who watch are told once, in order; those who have stopped are not', () => {
  const abort = new AbortController()
  const told: string[] = []
  const [first, second, third] = ['first', 'second', 'third'].map((name) => watcher(told, name))
  if (first === undefined || second === undefined || third === undefined) throw new Error()
  for (const each of [first, second, third]) watchAbort(abort.signal, each)
  endWatch(abort.signal, second)
  endWatch(abort.signal, second)
  abort.abort()
  abort.abort()
  expect(told).toEqual(['first', 'third'])
})

test('a watcher may end the watch of others and its own while it is told', () => {
  const abort = new AbortController()
  const told: string[] = []
  const other = watcher(told, 'other')
  const first = {
    onAbort() {
      told.push('first')
      endWatch(abort.signal, first)
      endWatch(abort.signal, other)
    },
  }
  watchAbort(abort.signal, first)
  watchAbort(abort.signal, other)
  abort.abort()
  expect(told).toEqual(['first'])
})

test('a signal gets one listener, however often it is watched', () => {
  const { signal } = new AbortController()
  let added = 0
  const add = signal.addEventListener.bind(signal)
  signal.addEventListener = (...rest: Parameters<typeof add>) => {
    added++
    add(...rest)
  }
  for (let call = 0; call < 5; call++) {
    const each = { onAbort: () => {} }
    watchAbort(signal, each)
    endWatch(signal, each)
  }
  expect(added).toBe(1)
})
