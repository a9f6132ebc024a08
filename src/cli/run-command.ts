// One command: found, its file loaded, its failures turned into messages and exit codes.
import { Command, CommanderError } from 'commander'
import { isConnectorError } from '../errors.ts'
import { type CommandContext, declareCommand, docsOf } from './command.ts'
import { COMMANDS } from './commands.ts'
import { describeError, errorHead } from './describe-error.ts'
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
import { meantBy } from './usual-names.ts'
import { wrapLine, wrapText } from './wrap.ts'

/** What is known of the command once its file is loaded. */
export interface Called {
  serves: boolean
  docs: string
  /** Its subcommands. */
  commands?: readonly string[]
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
    const told = error instanceof CommanderError ? usageOf(error, args, called.commands) : error
    if (asksForJson(args))
      writeLines(context.terminal.out, [
        { error: asJson(told ?? new UsageError('name a command')) },
      ])
    // Help that stands for a missing word has been written already.
    if (told === null) return EXIT.usage
    report(context, told, called.docs)
    return exitCodeOf(told)
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
      // They are reported as all others are.
      outputError: () => {},
      getOutHelpWidth: () => out.columns,
      getOutHasColors: () => out.isColoured,
      getErrHasColors: () => err.isColoured,
    })
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
    known.commands = command.commands.map((each) => each.name())
    for (const each of [command, ...command.commands])
      each
        .addHelpText('after', EXIT_HELP)
        .addHelpText('after', `\nDocs: ${context.docs.to(known.docs)}`)
  }
  return program
}

/** What is wrong with how a command was called; null: it was called without a word that it needs, and its help says which. */
function usageOf(
  { code, message }: CommanderError,
  args: readonly string[],
  subcommands: readonly string[] = [],
): UsageError | null {
  if (code === 'commander.help') return null
  const text = message.replace(/^error: /, '')
  if (code !== 'commander.unknownCommand')
    return new UsageError(
      text.replace(/\n\((Did.*)\)$/u, (_, hint: string) => `, ${hint.replace('Did', 'did')}`),
    )
  const [, name = ''] = /'(.*)'/.exec(text) ?? []
  const owner = args.find((argument) => !argument.startsWith('-') && argument !== 'help') ?? ''
  if (owner !== name && subcommands.length > 0) {
    const meant = meantBy(name, subcommands)
    const hint =
      meant === null ? `; it has ${subcommands.join(', ')}` : `, did you mean "${meant}"?`
    return new UsageError(`tenon ${owner} has no command "${name}"${hint}`)
  }
  const meant = meantBy(
    name,
    COMMANDS.map((each) => each.name),
  )
  const summary = COMMANDS.find((each) => each.name === meant)?.summary
  const hint = meant === null ? '' : `, did you mean "tenon ${meant}" (${summary})?`
  return new UsageError(`there is no command "${name}"${hint}`)
}

function report({ terminal: { err }, docs }: CommandContext, error: unknown, place: string): void {
  if (isConnectorError(error)) {
    err.write(wrapText(describeError(error, err, docs), err))
    return
  }
  if (error instanceof UsageError || error instanceof FailedError) {
    const isUsage = error instanceof UsageError
    const head = errorHead(err, isUsage ? 'usage' : 'failed', error.message)
    err.write(`${wrapLine(head, err, 2)}\n`)
    if (isUsage) err.write('  --help shows what it takes\n')
    err.write(err.paint('dim', `  docs: ${docs.to(place)}\n`))
    return
  }
  // A defect of ours: the stack is what helps to mend it.
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  err.write(`${text}\n`)
}
