// The stack that the build brings for Node 22, compared with the one of the runtime.
import { describe, expect, test } from 'vitest'
import { AsyncDisposableStack as Given, OwnStack } from '../../scripts/disposable-stack.ts'

test('the one of the runtime is taken where it has one', () => {
  expect(Given === AsyncDisposableStack || Given === OwnStack).toBe(true)
})

describe.for([
  ['the runtime', AsyncDisposableStack],
  ['the package', OwnStack],
] as const)('the stack of %s', ([, Stack]) => {
  test('disposes in the opposite order, once', async () => {
    const told: string[] = []
    const stack = new Stack()
    stack.defer(() => void told.push('deferred'))
    const used = stack.use({ [Symbol.asyncDispose]: async () => void told.push('used') })
    stack.use({ [Symbol.dispose]: () => void told.push('sync') })
    stack.use(null)
    const adopted = stack.adopt('a value', (value: string) => void told.push(value))
    const before = stack.disposed
    await stack.disposeAsync()
    await stack[Symbol.asyncDispose]()
    expect([adopted, typeof used, before, stack.disposed]).toEqual([
      'a value',
      'object',
      false,
      true,
    ])
    expect(told).toEqual(['a value', 'sync', 'used', 'deferred'])
  })

  test('gives to another one what it has', async () => {
    const told: string[] = []
    const stack = new Stack()
    stack.defer(() => void told.push('closed'))
    const moved = stack.move()
    await stack.disposeAsync()
    expect([told, stack.disposed, moved.disposed]).toEqual([[], true, false])
    await moved.disposeAsync()
    expect(told).toEqual(['closed'])
    expect(() => stack.defer(() => {})).toThrow(ReferenceError)
    expect(() => stack.move()).toThrow(ReferenceError)
  })

  test('goes on after an error, and tells all of them', async () => {
    const told: string[] = []
    const stack = new Stack()
    const first = new Error('first')
    const second = new Error('second')
    stack.defer(() => void told.push('closed'))
    stack.defer(() => Promise.reject(second))
    stack.defer(() => {
      throw first
    })
    const failure = stack.disposeAsync()
    await expect(failure).rejects.toMatchObject({
      name: 'SuppressedError',
      error: second,
      suppressed: first,
    })
    expect(told).toEqual(['closed'])
  })

  test('of one error tells that one', async () => {
    const only = new Error('only')
    const stack = new Stack()
    stack.defer(() => Promise.reject(only))
    await expect(stack.disposeAsync()).rejects.toBe(only)
  })
})
