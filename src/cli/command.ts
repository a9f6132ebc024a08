// What a command is: one file each, loaded when it is called.
import type { Command } from 'commander'

import type { DocsLinks, DocsPlace } from './docs-links.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

/** What a command gets of its process. */
export interface CommandContext {
  readonly terminal: Terminal
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder that relative names mean. */
  readonly folder: string
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal
  readonly docs: DocsLinks
}

/**
 * A file of this folder that is a command. `configure` declares arguments and options and sets the action, which
 * hands its exit code to `done`; failures are thrown.
 */
export interface CommandModule {
  /**
   * Serves until it is told to stop: SIGINT and SIGTERM abort the context's signal, however long the end takes; a second
   * one ends the process at once.
   */
  readonly serves?: true
  /** What options cannot say, for the end of the help text. */
  readonly notes?: string
  /** As they are typed, at least one for each subcommand; what stands behind `#` says what it is for. */
  readonly examples: readonly string[]
  configure(command: Command, context: CommandContext, done: (code: ExitCode) => void): void
}

export interface CommandEntry {
  readonly name: string
  readonly summary: string
  /** Where more is said. */
  readonly docs: DocsPlace
  readonly load: () => Promise<CommandModule>
}
