// Doing something again whenever a manifest changes, until interrupted.
import { watch } from 'node:fs'
import { dirname } from 'node:path'
import type { CommandContext } from './command.ts'
import { findManifests } from './manifest-files.ts'

/** Editors write a file in several steps. */
const SETTLE_MS = 100

/** Resolves when the user interrupts. What fails is told and waited for: the next change may mend it. */
export async function watchManifests(
  context: CommandContext,
  names: readonly string[],
  run: () => Promise<unknown>,
): Promise<void> {
  const folders = new Set(findManifests(context.folder, names).map(({ path }) => dirname(path)))
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const runAgain = async (): Promise<void> => {
    try {
      await run()
    } catch (error) {
      context.terminal.err.write(`${error instanceof Error ? error.message : String(error)}\n`)
    }
  }
  const again = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      running = running.then(runAgain, runAgain)
    }, SETTLE_MS)
  }
  const watchers = [...folders].map((folder) =>
    watch(folder, (_event, file) => {
      if (file === null || /\.ya?ml$/.test(file)) again()
    }),
  )
  context.terminal.err.write('Watching; Ctrl+C stops.\n')
  await new Promise<void>((stopped) => {
    if (context.signal.aborted) stopped()
    context.signal.addEventListener('abort', () => stopped(), { once: true })
  })
  clearTimeout(timer)
  for (const watcher of watchers) watcher.close()
  await running
}
