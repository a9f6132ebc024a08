// Modules that stand apart: loaded by `import()`, so that a host's bundler puts them into files that few calls read. Who
// needs one in the middle of its work asks for it and is refused once; `whenLoaded` waits for it, and asks again.

const modules = new Map<string, unknown>()
let atOnce: Readonly<Record<string, () => unknown>> = {}

class NotLoaded extends Error {
  readonly load: () => Promise<void>

  constructor(name: string, load: () => Promise<void>) {
    super(`${name} is not loaded yet`)
    this.load = load
  }
}

/** A module that stands apart: what `load` gives, or its default. Throws for `whenLoaded` where it is not there yet. */
export function apart(name: string, load: () => Promise<unknown>): unknown {
  const found = modules.get(name) ?? atOnce[name]?.()
  if (found === undefined)
    throw new NotLoaded(name, async () => {
      const module = (await load()) as { readonly default?: unknown }
      // The default of a module of CommonJS is what its `require` gives.
      modules.set(name, module.default ?? module)
    })
  modules.set(name, found)
  return found
}

/** Has these be loaded by the call that asks for one, without waiting. */
export function provideAtOnce(providers: Readonly<Record<string, () => unknown>>): void {
  atOnce = providers
}

/** Whether an error only says that `whenLoaded` has something to wait for. */
export function isNotLoaded(error: unknown): boolean {
  return error instanceof NotLoaded
}

/** What `run` gives, which is called again for each module that it asks for and that is not there: it does nothing else. */
export async function whenLoaded<T>(run: () => T): Promise<Awaited<T>> {
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof NotLoaded)) throw error
      await error.load()
    }
  }
}

/**
 * The same, at once where nothing has to be waited for; of what `run` only promises nothing is called again. Paths that every
 * call takes await such an answer only where it is a promise: what is awaited comes a turn later, for which other code has
 * taken the place of theirs in the processor's caches (bench/README.md, "The direct client").
 */
export function onceLoaded<T>(run: () => T): T | Promise<Awaited<T>> {
  try {
    return run()
  } catch (error) {
    if (!isNotLoaded(error)) throw error
    return whenLoaded(run)
  }
}
