// Finds sockets, timers and servers that a test forgot.

/** What is waited for is there within moments; a machine with much other work needs a hundred times that. */
const WAIT_MS = 60_000

/** What keeps the process alive, counted by kind. */
function countResources(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return counts
}

/**
 * Written as the first line of a test (`await using _ = watchResources()`): when the test ends, and everything it
 * opened has been disposed, nothing more may be open than before. Closing takes a moment, so it looks for a while.
 */
export function watchResources(): AsyncDisposable {
  const before = countResources()
  return {
    async [Symbol.asyncDispose]() {
      const end = performance.now() + WAIT_MS
      for (;;) {
        const left = leftovers(before, countResources())
        if (left.length === 0) return
        if (performance.now() > end) throw new Error(`left open: ${left.join(', ')}`)
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

function leftovers(before: Map<string, number>, after: Map<string, number>): string[] {
  return [...after]
    .filter(([kind, count]) => kind !== 'Immediate' && count > (before.get(kind) ?? 0))
    .map(([kind, count]) => `${count - (before.get(kind) ?? 0)} ${kind}`)
}

/**
 * Lets everything run that is ready in this process: bytes that were written are read at the other end, also where the
 * loop was held up so long that timers come before sockets.
 */
export async function turnsOfTheLoop(): Promise<void> {
  // Waits for time: timers and sockets take turns.
  await new Promise((resolve) => setTimeout(resolve, 20))
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Resolves as soon as the condition holds; throws after `ms`, by default what a very busy machine needs. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  ms = WAIT_MS,
): Promise<void> {
  const end = performance.now() + ms
  // What is not there at once is looked for less and less often: a look may be a request, and others need the processor.
  for (let pauseMs = 2; !(await condition()); pauseMs = Math.min(25, pauseMs * 1.5)) {
    if (performance.now() > end) throw new Error(`not within ${ms} ms: ${condition.toString()}`)
    // Waits for time: the pause between two looks at a condition, here for all tests.
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
