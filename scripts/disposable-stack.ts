// What Node 22 lacks of Explicit Resource Management and the sources use: the build puts it in the place of the global.
// Source: ECMA-262, AsyncDisposableStack Objects.

interface AsyncStack extends AsyncDisposable {
  use<T extends AsyncDisposable | Disposable | null | undefined>(value: T): T
  defer(onDispose: () => unknown): void
  adopt<T>(value: T, onDispose: (value: T) => unknown): T
  disposeAsync(): Promise<void>
  move(): AsyncStack
}

class OwnStack implements AsyncStack {
  #closers: (() => unknown)[] = []
  #isDisposed = false

  get disposed(): boolean {
    return this.#isDisposed
  }

  use<T extends AsyncDisposable | Disposable | null | undefined>(value: T): T {
    if (value === null || value === undefined) return value
    const dispose =
      Symbol.asyncDispose in value ? value[Symbol.asyncDispose] : value[Symbol.dispose]
    this.defer(() => dispose.call(value))
    return value
  }

  adopt<T>(value: T, onDispose: (value: T) => unknown): T {
    this.defer(() => onDispose(value))
    return value
  }

  defer(onDispose: () => unknown): void {
    if (this.#isDisposed) throw new ReferenceError('the stack was disposed of')
    this.#closers.push(onDispose)
  }

  move(): OwnStack {
    if (this.#isDisposed) throw new ReferenceError('the stack was disposed of')
    const moved = new OwnStack()
    moved.#closers = this.#closers
    this.#closers = []
    this.#isDisposed = true
    return moved
  }

  /** In the opposite order, all of them; of several errors each suppresses the one before it. */
  async disposeAsync(): Promise<void> {
    if (this.#isDisposed) return
    this.#isDisposed = true
    let failed: { readonly error: unknown } | null = null
    for (const close of this.#closers.toReversed()) {
      try {
        await close()
      } catch (error) {
        failed = { error: failed === null ? error : suppressed(error, failed.error) }
      }
    }
    if (failed !== null) throw failed.error
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disposeAsync()
  }
}

function suppressed(error: unknown, before: unknown): Error {
  return Object.assign(new Error('an error was suppressed by this one', { cause: error }), {
    name: 'SuppressedError',
    error,
    suppressed: before,
  })
}

const { AsyncDisposableStack: native } = globalThis as {
  readonly AsyncDisposableStack?: new () => AsyncStack
}

/** The one of the runtime, where it has one. */
const Stack: new () => AsyncStack = native ?? OwnStack

export { OwnStack, Stack as AsyncDisposableStack }
