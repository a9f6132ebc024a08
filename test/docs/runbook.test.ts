// Every command that the runbook names exists, with its flags.
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.ts'
import { createDocsLinks } from '../../src/cli/docs-links.ts'
import { createTerminal } from '../../src/cli/terminal.ts'

const text = readFileSync('docs/runbook.md', 'utf8')
const lines = [
  ...[...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].flatMap(([, block = '']) =>
    block.trim().split('\n'),
  ),
  ...[...text.matchAll(/`(tenon [^`]+)`/g)].map(([, line = '']) => line),
].map((line) => line.trim())

test('there are many', () => expect(lines.length).toBeGreaterThan(25))

test.for([...new Set(lines)])('%s', async (line) => {
  const [program, name = '', ...words] = line.match(/"[^"]*"|\S+/g) ?? []
  expect(program).toBe('tenon')
  const entry = COMMANDS.find((command) => command.name === name)
  expect(entry?.name).toBe(name)
  let command = new Command(name)
  const module = await entry?.load()
  const terminal = createTerminal(process.stdout, process.stderr, {})
  const docs = createDocsLinks({})
  const context = { terminal, env: {}, folder: '.', signal: new AbortController().signal, docs }
  module?.configure(command, context, () => {})
  const [first] = words
  const sub = command.commands.find((each) => each.name() === first)
  expect(command.commands.length > 0).toBe(sub !== undefined)
  if (sub !== undefined) {
    command = sub
    words.shift()
  }
  const { operands, unknown } = command.parseOptions(words)
  expect(unknown).toEqual([])
  // In a sentence a command may stand without what it takes.
  const wanted = command.registeredArguments.filter(({ required }) => required).length
  expect(operands.length === wanted || words.length === 0).toBe(true)
})
