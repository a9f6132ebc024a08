// A line of the documentation that calls the command line, held against the commands there are.
import { Command } from 'commander'
import { expect } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.ts'
import { DocsLinks } from '../../src/cli/docs-links.ts'
import { createTerminal } from '../../src/cli/terminal.ts'

/** The words of each call of tenon in a line, in the spellings of the documents: `npx`, `npm run`, behind a pipe. */
export function callsIn(line: string): readonly (readonly string[])[] {
  // SQL may name a database after the program.
  if (/^ *psql /.test(line)) return []
  const said = line.replace(/(^| )#.*$/, '').replaceAll(/npm run (?:-s )?tenon --/g, 'tenon')
  return [...said.matchAll(/(?<![\w/.-])tenon ((?:[^|;)(]|\$\()*)/g)].map(([, words = '']) =>
    [...words.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word),
  )
}

/** Expects that the command is there, takes these flags, and, but for one that a sentence names, as many arguments. */
export async function expectCall(words: readonly string[], inSentence = false): Promise<void> {
  const [name = '', ...rest] = words
  // `npm run -s tenon -- …`: any of them.
  if (inSentence && name === '…') return
  const entry = COMMANDS.find((command) => command.name === name)
  expect(entry?.name).toBe(name)
  let command = new Command(name)
  const module = await entry?.load()
  const terminal = createTerminal(process.stdout, process.stderr, {})
  const docs = new DocsLinks({})
  const context = { terminal, env: {}, folder: '.', signal: new AbortController().signal, docs }
  module?.configure(command, context, () => {})
  const sub = command.commands.find((each) => each.name() === rest[0])
  if (sub !== undefined) {
    command = sub
    rest.shift()
  } else if (command.commands.length > 0) {
    // A family of commands may be named by its name alone.
    expect(rest.filter((word) => word !== '…' && word !== '…`')).toEqual([])
    return
  }
  // In a sentence a flag may stand without its value.
  const last = command.options.find(({ long }) => long === rest.at(-1))
  if (last?.required === true) rest.push('…')
  const { operands, unknown } = command.parseOptions(rest)
  expect(unknown).toEqual([])
  if (inSentence) return
  const wanted = command.registeredArguments.filter(({ required }) => required).length
  expect(operands.length).toBeGreaterThanOrEqual(wanted)
}
