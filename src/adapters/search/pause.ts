// Taking turns within one thread.

/** Lets other work of the thread go first. */
export async function pause(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve)
  })
}
