// The command line: finds the command, loads its file, turns failures into messages and exit codes.
import { constants } from 'node:os'

import { Command, CommanderError } from 'commander'

import { isConnectorError } from '../errors.ts'
import type { CommandContext } from './command.ts'
import { COMMANDS } from './commands.ts'
import { declareCommand, docsText } from './declare-command.ts'
import { describeError } from './describe-error.ts'
import { createDocsLinks, type DocsPlace } from './docs-links.ts'
import {
  EXIT,
  EXIT_HELP,
  type ExitCode,
  exitCodeOf,
  FailedError,
  UsageError,
} from './exit-codes.ts'
import { packageVersion } from './package-version.ts'
import { createTerminal } from './terminal.ts'

/**
 * Runs the command line with these arguments and gives its exit code; nothing is thrown.
 * Results go to stdout, all else to stderr. An interrupted command has two seconds to tidy up.
 */
export async function main(args: readonly string[]): Promise<ExitCode> {
  forgetPrototypeSetter()
  const interruption = new AbortController()
  const { stdout, stderr, env } = process
  const context: CommandContext = {
    terminal: createTerminal(stdout, stderr, env),
    env,
    folder: process.cwd(),
    signal: interruption.signal,
    docs: createDocsLinks(env),
  }
  leaveQuietlyWhenNobodyReads()
  const called: Called = { serves: false, docs: { page: 'reference/cli' } }
  process.on('SIGINT', () => interrupt(interruption, called))
  process.on('SIGTERM', () => interrupt(interruption, called))
  const code = await run(args, context, called)
  // Everything is closed; an exporter that still tries to reach its collector holds nobody up.
  if (called.serves) setTimeout(() => process.exit(), LINGER_MS).unref()
  return interruption.signal.aborted && !called.serves ? EXIT.interrupted : code
}

/** What is known of the command once its file is loaded. */
interface Called {
  serves: boolean
  docs: DocsPlace
}

async function run(
  args: readonly string[],
  context: CommandContext,
  called: Called,
): Promise<ExitCode> {
  let code: ExitCode = EXIT.done
  try {
    const program = await createProgram(args, context, called, (given) => {
      code = given
    })
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    // Commander has written its message already; its own codes know no difference between failures.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
    report(context, error, called.docs)
    return exitCodeOf(error)
  }
}

/** Declares all commands, and the one that is called with all it has. */
async function createProgram(
  args: readonly string[],
  context: CommandContext,
  known: Called,
  done: (code: ExitCode) => void,
): Promise<Command> {
  const { out, err } = context.terminal
  const program = new Command('tenon')
    .description('One manifest per connector, one engine for all.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', EXIT_HELP)
    .addHelpText('after', `\nDocs: ${context.docs.to({ page: 'reference/cli' })}`)
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: (text) => err.write(text),
      getOutHasColors: () => out.isColoured,
      getErrHasColors: () => err.isColoured,
    })
    .showHelpAfterError(
      `  --help shows what it takes; docs: ${context.docs.to({ page: 'reference/cli' })}`,
    )
    .exitOverride()
  const called = args.find((argument) => !argument.startsWith('-') && argument !== 'help')
  for (const entry of COMMANDS) {
    const { name, summary, load } = entry
    const command = program.command(name).description(summary)
    command.helpOption('-h, --help', 'print this help').copyInheritedSettings(program)
    if (name !== called) continue
    const module = await load()
    known.serves = module.serves === true
    known.docs = entry.docs
    declareCommand(command, module, context, done)
    for (const each of [command, ...command.commands])
      each.addHelpText('after', EXIT_HELP).addHelpText('after', docsText(entry, context))
  }
  return program
}

function report(
  { terminal: { err }, docs }: CommandContext,
  error: unknown,
  place: DocsPlace,
): void {
  if (isConnectorError(error)) {
    err.write(describeError(error, err, docs))
    return
  }
  if (error instanceof UsageError || error instanceof FailedError) {
    err.write(`${err.paint('red', 'error:')} ${error.message}\n`)
    err.write(err.paint('dim', `  docs: ${docs.to(place)}\n`))
    return
  }
  // A defect of ours: the stack is what helps to mend it.
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  err.write(`${text}\n`)
}

/** `__proto__` in hostile data must be a name like any other (docs/security.md, row P3). */
function forgetPrototypeSetter(): void {
  Reflect.deleteProperty(Object.prototype, '__proto__')
}

/** `tenon … | head` ends the reader first. */
function leaveQuietlyWhenNobodyReads(): void {
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
