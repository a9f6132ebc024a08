// What a command is: one file each, loaded when it is called, whose arguments and options are a table.
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { DocsLinks } from './docs-links.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { type Environment, print, type Result, type Terminal } from './terminal.ts'
import { type LineRoom, wrapCommand, wrapParagraphs } from './wrap.ts'

/** What a command gets of its process. */
export interface CommandContext {
  readonly terminal: Terminal
  readonly env: Environment
  /** The folder that relative names mean. */
  readonly folder: string
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal
  readonly docs: DocsLinks
}

/** Declares arguments and options, and sets the action, which hands its exit code to `done`; failures are thrown. */
export type Configure = (
  command: Command,
  context: CommandContext,
  done: (code: ExitCode) => void,
) => void

/** A file of this folder that is a command. */
export interface CommandModule {
  /**
   * Serves until it is told to stop: SIGINT and SIGTERM abort the context's signal, however long the end takes; a second
   * one ends the process at once.
   */
  readonly serves?: true
  /** Where more is said, as `DocsLinks.to` takes it; default: its part of the reference. A test sees to it that it is there. */
  readonly docs?: string
  /** What options cannot say, for the end of the help text. */
  readonly notes?: string
  /** As they are typed, at least one for each subcommand; what stands behind `#` says what it is for. */
  readonly examples: readonly string[]
  readonly configure: Configure
}

export interface CommandEntry {
  readonly name: string
  readonly summary: string
  /** What it is about, as the help text puts commands together. */
  readonly group: string
  readonly load: () => Promise<CommandModule>
}

/** Arguments as commander spells them (`<type>`, `[files...]`), each with its help text. */
export type Arguments = Readonly<Record<string, string>>

/** Options as commander spells them (`--out <folder>`), each with its help text, or with more. */
export type Options = Readonly<Record<string, string | OptionEntry>>

interface OptionEntry {
  readonly text: string
  readonly default?: unknown
  readonly choices?: readonly string[]
  /** Throws commander's InvalidArgumentError. */
  readonly parse?: (text: string, before: never) => unknown
  readonly isRequired?: true
}

type Camel<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : S
type ArgumentName<A> = A extends `<${infer N}...>` | `[${infer N}...]`
  ? Camel<N>
  : A extends `<${infer N}>` | `[${infer N}]`
    ? Camel<N>
    : never
type FlagName<F> = F extends `--${infer N} ${string}` | `--no-${infer N}`
  ? Camel<N>
  : F extends `--${infer N}`
    ? Camel<N>
    : never
type FlagValue<F, E> = E extends { readonly parse: (...given: never) => infer V }
  ? V
  : E extends { readonly choices: readonly (infer C)[] }
    ? C
    : F extends `${string}...>`
      ? readonly string[]
      : F extends `${string}>`
        ? string
        : boolean
type IsSure<F, E> = F extends `--no-${string}`
  ? true
  : E extends { readonly default: unknown } | { readonly isRequired: true }
    ? true
    : false

/** The flags of a table of options. One without a default may be absent, unless it is required. */
export type FlagsOf<O> = {
  readonly [F in keyof O as IsSure<F, O[F]> extends true ? FlagName<F> : never]: FlagValue<F, O[F]>
} & {
  readonly [F in keyof O as IsSure<F, O[F]> extends true ? never : FlagName<F>]?: FlagValue<
    F,
    Exclude<O[F], undefined>
  >
}

type ArgumentsOf<A> = {
  readonly [N in keyof A as ArgumentName<N>]: N extends `${string}...${string}`
    ? readonly string[]
    : N extends `[${string}`
      ? string | undefined
      : string
}

/** What `run` gets: arguments and flags by their names. */
export type Given<A, O> = ArgumentsOf<A> & FlagsOf<O>

export interface Shape<A, O> {
  readonly arguments?: A | undefined
  readonly options?: O
}

/** A command or a subcommand. A result is printed as `--json` says; without one `run` has printed what there is. */
export function leaf<const A extends Arguments, const O extends Options>(
  shape: Shape<A, O> & {
    readonly run: (
      given: Given<A, O>,
      context: CommandContext,
    ) => ExitCode | Result | Promise<ExitCode | Result>
  },
): Configure {
  return (command, context, done) => {
    for (const [name, text] of Object.entries(shape.arguments ?? {})) command.argument(name, text)
    for (const [flags, entry] of Object.entries(shape.options ?? {}))
      command.addOption(optionOf(flags, entry))
    command.action(async (...values: readonly unknown[]) => {
      const named = command.registeredArguments.map((each, index) => [
        each.name().replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
        values[index],
      ])
      const flags: { readonly json?: boolean } = command.opts()
      // Commander has read them by the two tables.
      const given = { ...flags, ...Object.fromEntries(named) } as Given<A, O>
      const result = await shape.run(given, context)
      if (typeof result === 'number') return done(result)
      await print(context.terminal, flags.json, result)
      done(result.code ?? EXIT.done)
    })
  }
}

/**
 * Declares a command or a subcommand that works on a `T`. Its own options come first, and may say more about one that
 * all commands of the kind have.
 */
export type LeafOver<T> = <const A extends Arguments, const O extends Options>(
  shape: Shape<A, O> & {
    readonly run: (
      opened: T,
      given: Given<A, O> & { readonly json?: boolean },
      context: CommandContext,
    ) => Promise<Result>
  },
) => Configure

/** A kind of command: the options that all of them have, and what `open` hands to them and closes after them. */
export function leafOver<T>(
  options: Options,
  open: (
    flags: never,
    context: CommandContext,
    run: (opened: T) => Promise<Result>,
  ) => Promise<Result>,
): LeafOver<T> {
  return (shape) =>
    leaf({
      arguments: shape.arguments,
      options: { ...shape.options, ...options, ...shape.options },
      run: (given, context) =>
        open(given as never, context, (opened) => shape.run(opened, given as never, context)),
    })
}

function optionOf(flags: string, entry: string | OptionEntry): Option {
  if (typeof entry === 'string') return new Option(flags, entry)
  const { text, choices, parse, isRequired = false } = entry
  const option = new Option(flags, text).makeOptionMandatory(isRequired)
  if (choices !== undefined) option.choices(choices)
  if (parse !== undefined) option.argParser(parse as (value: string, before: unknown) => unknown)
  return 'default' in entry ? option.default(entry.default) : option
}

/** A command that has subcommands: by name, the summary and what it is. */
export function family(
  members: Readonly<Record<string, readonly [summary: string, configure: Configure]>>,
): Configure {
  return (command, context, done) => {
    for (const [name, [summary, configure]] of Object.entries(members))
      configure(
        command.command(name).description(summary).copyInheritedSettings(command),
        context,
        done,
      )
  }
}

/**
 * Declares a command with all that its help text says: arguments, options and subcommands, notes and examples, of which
 * each subcommand has its own.
 */
export function declareCommand(
  command: Command,
  module: CommandModule,
  context: CommandContext,
  done: (code: ExitCode) => void,
): void {
  module.configure(command, context, done)
  const { notes, examples } = module
  const { out } = context.terminal
  if (notes !== undefined) command.addHelpText('after', `\n${wrapParagraphs(notes, out)}`)
  command.addHelpText('after', exampleText(examples, out))
  for (const sub of command.commands) {
    const call = `tenon ${command.name()} ${sub.name()}`
    const own = examples.filter((each) => each.includes(`${call} `) || each.endsWith(call))
    if (own.length > 0) sub.addHelpText('after', exampleText(own, out))
  }
}

/** Where more is said about a command. */
export function docsOf({ name }: CommandEntry, { docs }: CommandModule): string {
  return docs ?? `reference/cli#tenon-${name}`
}

function exampleText(examples: readonly string[], out: LineRoom): string {
  const title = examples.length === 1 ? 'Example' : 'Examples'
  return `\n${title}:\n${examples.map((example) => wrapCommand(`  ${example}`, out)).join('\n')}`
}

/** Reads a number for an option; commander names the option in its message. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number from 1 on.')
  return Number(text)
}

/** A flag as it is typed, by its name: `--auth-method` for `authMethod`. */
export function spelled(flag: string): string {
  return `--${flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** The option of a command that has one result. */
export const JSON_OPTION = { '--json': 'print one JSON document' } as const

/** The option of a command that lists, which prints each of its rows as a line: `jsonLines('event')`. */
export function jsonLines<const T extends string>(
  of: T,
): { readonly '--json': `print one line of JSON per ${T}` } {
  return { '--json': `print one line of JSON per ${of}` }
}

/** Takes an option as often as it is given. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}
