// The command line as a process: its streams, its signals, its end.
import { constants } from 'node:os'
import type { CommandContext } from './command.ts'
import { keepManifests } from '../language/manifest/kept-manifests.ts'
import { DocsLinks } from './docs-links.ts'
import { engineIdentity } from './engine-identity.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { type Called, runCommand } from './run-command.ts'
import { createTerminal } from './terminal.ts'

/**
 * Runs the command line with these arguments and gives its exit code; nothing is thrown. `keptManifests`: a folder of this
 * user alone; null: manifests are not kept.
 * Results go to stdout, all else to stderr. An interrupted command has two seconds to tidy up.
 */
export async function main(
  args: readonly string[],
  keptManifests: string | null = null,
): Promise<ExitCode> {
  forgetPrototypeSetter()
  if (keptManifests !== null) keepManifests({ folder: keptManifests, engine: engineIdentity })
  const interruption = new AbortController()
  const { stdout, stderr, env } = process
  const context: CommandContext = {
    terminal: createTerminal(stdout, stderr, env),
    env,
    folder: process.cwd(),
    signal: interruption.signal,
    docs: new DocsLinks(env),
  }
  leaveQuietlyWhenNobodyReads()
  const called: Called = { serves: false, docs: 'reference/cli' }
  process.on('SIGINT', () => interrupt(interruption, called))
  process.on('SIGTERM', () => interrupt(interruption, called))
  const code = await runCommand(args, context, called)
  // Everything is closed; an exporter that still tries to reach its collector holds nobody up.
  if (called.serves) setTimeout(() => process.exit(), LINGER_MS).unref()
  return interruption.signal.aborted && !called.serves ? EXIT.interrupted : code
}

/** `__proto__` in hostile data must be a name like any other (docs/security.md, row P3). */
function forgetPrototypeSetter(): void {
  Reflect.deleteProperty(Object.prototype, '__proto__')
}

/** `tenon … | head` ends the reader first. */
function leaveQuietlyWhenNobodyReads(): void {
  // What cannot be said here can be said nowhere.
  process.stderr.on('error', () => {})
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(EXIT.done)
  })
}

const TIDY_UP_MS = 2000
const LINGER_MS = 500

function interrupt(interruption: AbortController, { serves }: Called): void {
  const exit = (): never => process.exit(serves ? EXIT.failed : 128 + constants.signals.SIGINT)
  if (interruption.signal.aborted) exit()
  interruption.abort()
  if (!serves) setTimeout(exit, TIDY_UP_MS).unref()
}
