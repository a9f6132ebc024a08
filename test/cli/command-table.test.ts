// What holds for every command: examples that fit its flags, JSON, a page of the documentation, completion.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import {
  type CommandContext,
  type CommandEntry,
  type CommandModule,
  declareCommand,
  docsOf,
} from '../../src/cli/command.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { DocsLinks } from '../../src/cli/docs-links.ts'
import { createTerminal } from '../../src/cli/terminal.ts'
import { ERRORS } from '../../src/errors.ts'
import { tenonHere } from './run-here.ts'
import { tenon } from './run-tenon.ts'

interface Declared {
  readonly entry: CommandEntry
  readonly module: CommandModule
  readonly command: Command
  /** Its subcommands, or itself. */
  readonly leaves: readonly Command[]
}

const context: CommandContext = {
  terminal: createTerminal(process.stdout, process.stderr, { NO_COLOR: '1' }),
  env: {},
  folder: '.',
  signal: new AbortController().signal,
  docs: new DocsLinks({}),
}

const declared: readonly Declared[] = await Promise.all(
  COMMANDS.map(async (entry) => {
    const module = await entry.load()
    const command = new Command(entry.name).description(entry.summary)
    declareCommand(command, module, context, () => {})
    return {
      entry,
      module,
      command,
      leaves: command.commands.length === 0 ? [command] : command.commands,
    }
  }),
)

/** The words of an example behind the name of the program; what is set before it and said behind `#` is not its own. */
function wordsOf(example: string): readonly string[] {
  const [line = ''] = example.split(/ +# | \| /)
  const words: readonly string[] = line.match(/'[^']*'|"[^"]*"|[^\s()]+/g) ?? []
  return words.slice(words.indexOf('tenon') + 1)
}

/** The one that an example calls, and what it hands to it. */
function calledBy(
  { command }: Declared,
  example: string,
): { readonly called: Command; readonly given: readonly string[] } {
  const [name, ...given] = wordsOf(example)
  expect(name).toBe(command.name())
  const sub = command.commands.find((each) => each.name() === given[0])
  return sub === undefined ? { called: command, given } : { called: sub, given: given.slice(1) }
}

test.for(declared)('the examples of tenon $entry.name fit it', (each) => {
  const covered = each.module.examples.map((example) => {
    const { called, given } = calledBy(each, example)
    const { operands, unknown } = called.parseOptions([...given])
    const required = called.registeredArguments.filter((argument) => argument.required).length
    const isEndless = called.registeredArguments.some((argument) => argument.variadic)
    expect([example, unknown]).toEqual([example, []])
    expect(operands.length).toBeGreaterThanOrEqual(required)
    if (!isEndless) expect(operands.length).toBeLessThanOrEqual(called.registeredArguments.length)
    return called
  })
  expect(new Set(covered)).toEqual(new Set(each.leaves))
})

/** Those that have no result to print as JSON, and why. */
const WITHOUT_JSON: Readonly<Record<string, string>> = {
  worker: 'prints nothing but its log, which is lines of JSON',
  completion: 'prints a program for a shell',
}

test('every command prints JSON', () => {
  const without = declared.flatMap(({ entry, leaves }) =>
    leaves
      .filter((leaf) => !leaf.options.some(({ long }) => long === '--json'))
      .map(() => entry.name),
  )
  expect(without).toEqual(Object.keys(WITHOUT_JSON))
})

/** Those that do both, or either only with another option. */
const BOTH: Readonly<Record<string, RegExp>> = {
  logs: /^print one line of JSON per entry; of one entry, and of figures, one JSON document$/,
  serve: /^print one line of JSON: /,
  try: /^print one JSON document; one line of JSON per record with --all or --limit$/,
  mcp: /^with --list: print one JSON document/,
  'users export': /^with --out: print one JSON document$/,
  'audit export': /^with --out: print one JSON document$/,
}

test('JSON has the same form everywhere: a line for each row of a list, else a document', () => {
  for (const { entry, leaves } of declared)
    for (const leaf of leaves) {
      const option = leaf.options.find(({ long }) => long === '--json')
      if (option === undefined) continue
      const name = leaf.name() === entry.name ? entry.name : `${entry.name} ${leaf.name()}`
      const form = /^print (?:one line of JSON per [a-z ]+|one JSON document(?:[:;] .*)?)$/
      expect([name, option.description]).toEqual([name, expect.stringMatching(BOTH[name] ?? form)])
    }
})

test('JSON is written in one place', () => {
  const writing = readdirSync('src/cli').filter((file) =>
    /\.write\(\s*`?\$?\{?JSON\.stringify/.test(readFileSync(`src/cli/${file}`, 'utf8')),
  )
  expect(writing).toEqual(['terminal.ts'])
})

test('the help of all puts every command into a group, and begins with what works without an account', async () => {
  const { out } = await tenonHere(['--help'])
  expect(out).not.toContain('\nCommands:\n')
  for (const { entry } of declared) expect(out).toMatch(new RegExp(`^  ${entry.name} {2,}\\S`, 'm'))
  const [, begin = ''] = /^To begin.*:\n((?: {2}tenon .*\n)+)/m.exec(out) ?? []
  const lines = begin.trim().split('\n')
  expect(lines.at(-1)).toBe('  tenon serve --sandbox')
  for (const line of lines.slice(0, -1))
    expect(await tenonHere(line.trim().split(' ').slice(1))).toMatchObject({ code: 0 })
})

test('every option and argument says what it is for', () => {
  for (const { leaves } of declared)
    for (const leaf of leaves)
      for (const { description } of [...leaf.options, ...leaf.registeredArguments])
        expect([leaf.name(), description]).toEqual([leaf.name(), expect.stringMatching(/./)])
})

test.concurrent.for([['lint'], ['keys', 'rotate'], ['webhooks', 'create'], ['help', 'sync']])(
  'the help of %j has examples, exit codes, and ends with a link',
  async (words, { expect }) => {
    const asks = words[0] === 'help' ? words : [...words, '--help']
    const { code, out } = await tenon(asks, {
      env: { TENON_DOCS_URL: 'https://docs.acme.example/' },
    })
    expect(code).toBe(0)
    expect(out).toMatch(/^Examples?:\n {2}.*tenon /m)
    expect(out).toMatch(/^ {2}130 {2}interrupted$/m)
    expect(out.trim().split('\n').at(-1)).toMatch(/^Docs: https:\/\/docs\.acme\.example\/\S+$/)
  },
)

/** The anchors that the site makes of the headings of a page. */
function anchorsOf(page: string): ReadonlySet<string> {
  const text = readFileSync(`docs/${page}.md`, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '')
  const headings = [...text.matchAll(/^#+ +(.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)])
}

test('every place that a command points to is in the documentation', () => {
  const places: readonly string[] = [
    ...declared.map(({ entry, module }) => docsOf(entry, module)),
    'reference/cli',
    ...Object.keys(ERRORS).map((code) => `reference/errors#${code}` as const),
  ]
  for (const place of places) {
    const [page = '', anchor] = place.split('#')
    expect([page, existsSync(`docs/${page}.md`)]).toEqual([page, true])
    if (anchor !== undefined)
      expect([page, anchor, anchorsOf(page).has(anchor)]).toEqual([page, anchor, true])
  }
})

test('links lead to where the documentation is served, else to the files of the package', () => {
  const place = 'operation#backups'
  const served = new DocsLinks({ TENON_DOCS_URL: 'https://docs.acme.example/tenon/' })
  expect(served.to(place)).toBe('https://docs.acme.example/tenon/operation#backups')
  expect(served.toError('params_invalid')).toBe(
    'https://docs.acme.example/tenon/reference/errors#params_invalid',
  )
  const local = new DocsLinks({})
  expect(existsSync(local.to(place))).toBe(true)
  const [file = '', anchor] = local.toError('params_invalid').split('#')
  expect([existsSync(file), anchor]).toEqual([true, 'params_invalid'])
})

test('what a service says is explained by the service, what it does not say is not', () => {
  const links = new DocsLinks({ TENON_DOCS_URL: 'https://docs.acme.example' })
  links.talksTo('https://tenon.acme.example/')
  expect(links.toError('instance_unknown')).toBe(
    'https://tenon.acme.example/docs/errors#instance_unknown',
  )
  expect(links.toError('service_unreachable')).toBe(
    'https://docs.acme.example/reference/errors#service_unreachable',
  )
})

test('an error and wrong use end with a link as well', async () => {
  const env = { TENON_DOCS_URL: 'https://docs.acme.example', TENON_TOKEN: 'x' }
  const away = await tenon(['instances', 'list', '--url', 'http://127.0.0.1:1'], { env })
  expect(away).toMatchObject({
    code: 4,
    err: expect.stringMatching(
      / {2}docs: https:\/\/docs\.acme\.example\/reference\/errors#service_unreachable\n$/,
    ),
  })
  const wrong = await tenon(['instances', 'list', '--url', 'nowhere'], { env })
  expect(wrong).toMatchObject({
    code: 2,
    err: expect.stringMatching(/ {2}docs: https:\/\/docs\.acme\.example\/operation#\S+\n$/),
  })
})
