// A command with all that its help text says.
import type { Command } from 'commander'
import type { CommandContext, CommandEntry, CommandModule } from './command.ts'
import type { ExitCode } from './exit-codes.ts'

/** Declares arguments, options and subcommands, notes and examples; a subcommand's help has the examples of its own. */
export function declareCommand(
  command: Command,
  module: CommandModule,
  context: CommandContext,
  done: (code: ExitCode) => void,
): void {
  module.configure(command, context, done)
  const { notes, examples } = module
  if (notes !== undefined) command.addHelpText('after', `\n${notes}`)
  command.addHelpText('after', exampleText(examples))
  for (const sub of command.commands) {
    const own = examples.filter((example) => callsOf(example, command.name(), sub.name()))
    if (own.length > 0) sub.addHelpText('after', exampleText(own))
  }
}

/** The last line of every help text: where more is said. */
export function docsText({ docs }: CommandEntry, { docs: links }: CommandContext): string {
  return `\nDocs: ${links.to(docs)}`
}

function exampleText(examples: readonly string[]): string {
  const title = examples.length === 1 ? 'Example' : 'Examples'
  return `\n${title}:\n${examples.map((example) => `  ${example}`).join('\n')}`
}

function callsOf(example: string, name: string, sub: string): boolean {
  return example.includes(`tenon ${name} ${sub} `) || example.endsWith(`tenon ${name} ${sub}`)
}
