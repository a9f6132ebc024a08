// One command: found, its file loaded, its failures turned into messages and exit codes.
import { Command, CommanderError } from 'commander'
import { isConnectorError } from '../errors.ts'
import { type CommandContext, declareCommand, docsOf } from './command.ts'
import { COMMANDS } from './commands.ts'
import { describeError } from './describe-error.ts'
import {
  EXIT,
  EXIT_HELP,
  type ExitCode,
  exitCodeOf,
  FailedError,
  UsageError,
} from './exit-codes.ts'
import { packageFacts } from '../late-modules.ts'
import { withoutPager, writeLines } from './terminal.ts'

/** What is known of the command once its file is loaded. */
export interface Called {
  serves: boolean
  docs: string
}

/**
 * Runs one command with these arguments and gives its exit code. What fails is told on the error channel, with `--json`
 * also as `{ "error": { "code", "message", … } }` on the other one; nothing is thrown, and nothing of the process is asked
 * or changed but what the context holds. `called` is told of the command as soon as it is known.
 */
export async function runCommand(
  given: readonly string[],
  outer: CommandContext,
  called: Called,
): Promise<ExitCode> {
  let code: ExitCode = EXIT.done
  const { args, context } = pagerOf(given, outer)
  try {
    const program = await createProgram(args, context, called, (told) => {
      code = told
    })
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done
    if (asksForJson(args)) writeLines(context.terminal.out, [{ error: asJson(error) }])
    // Commander has written its message already; its own codes know no difference between failures.
    if (error instanceof CommanderError) return EXIT.usage
    report(context, error, called.docs)
    return exitCodeOf(error)
  }
}

/** `--no-pager` means the same before and behind every command. */
function pagerOf(
  args: readonly string[],
  context: CommandContext,
): { readonly args: readonly string[]; readonly context: CommandContext } {
  const end = args.indexOf('--')
  const others = args.filter((each, index) => each !== NO_PAGER || (end !== -1 && index > end))
  return others.length === args.length
    ? { args, context }
    : { args: others, context: { ...context, terminal: withoutPager(context.terminal) } }
}

const NO_PAGER = '--no-pager'

/** What a name leaves for what it does, before both are no longer next to each other. */
const MIN_HELP_COLUMN = 20

/** For people who are new here. A test runs what ends. */
const TO_BEGIN = `
To begin, without an account:
  tenon describe gong
  tenon try gong users.list --limit 5 --sandbox
  tenon serve --sandbox`

/** Also where the command could not be read: then it is unknown which values belong to which of its options. */
function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end === -1 ? args : args.slice(0, end)).includes('--json')
}

function asJson(error: unknown): Readonly<Record<string, unknown>> {
  if (isConnectorError(error)) return error.toJSON()
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof CommanderError)
    return { code: 'usage', message: message.replace(/^error: /, '') }
  if (error instanceof UsageError) return { code: 'usage', message }
  return { code: error instanceof FailedError ? 'failed' : 'internal_error', message }
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
    .version(packageFacts().version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .option(
      NO_PAGER,
      'write long results at once; else TENON_PAGER, PAGER or less shows them in a terminal',
    )
    .commandsGroup('Shell:')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', TO_BEGIN)
    .addHelpText('after', EXIT_HELP)
    .addHelpText('after', `\nDocs: ${context.docs.to('reference/cli')}`)
    .configureHelp({ minWidthToWrap: MIN_HELP_COLUMN })
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: (text) => err.write(text),
      getOutHelpWidth: () => (out.isTerminal ? out.columns : undefined),
      getOutHasColors: () => out.isColoured,
      getErrHasColors: () => err.isColoured,
    })
    .showHelpAfterError(`  --help shows what it takes; docs: ${context.docs.to('reference/cli')}`)
    .exitOverride()
  const called = args.find((argument) => !argument.startsWith('-') && argument !== 'help')
  for (const entry of COMMANDS) {
    const { name, summary, group, load } = entry
    const command = program.command(name).description(summary).helpGroup(`${group}:`)
    command.helpOption('-h, --help', 'print this help').copyInheritedSettings(program)
    if (name !== called) continue
    const module = await load()
    known.serves = module.serves === true
    known.docs = docsOf(entry, module)
    declareCommand(command, module, context, done)
    for (const each of [command, ...command.commands])
      each
        .addHelpText('after', EXIT_HELP)
        .addHelpText('after', `\nDocs: ${context.docs.to(known.docs)}`)
  }
  return program
}

function report({ terminal: { err }, docs }: CommandContext, error: unknown, place: string): void {
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
