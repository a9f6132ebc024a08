// With --json an error is JSON on standard output, whichever command it is and wherever it fails.
import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.ts'
import { declareCommand } from '../../src/cli/command.ts'
import { DocsLinks } from '../../src/cli/docs-links.ts'
import { createTerminal } from '../../src/cli/terminal.ts'
import { tenonHere } from './run-here.ts'
import { folderOf, tenon } from './run-tenon.ts'

interface Leaf {
  /** `sync run` */
  readonly name: string
  readonly words: readonly string[]
  readonly command: Command
}

const leaves: readonly Leaf[] = (
  await Promise.all(
    COMMANDS.map(async ({ name, summary, load }) => {
      const command = new Command(name).description(summary)
      declareCommand(
        command,
        await load(),
        {
          terminal: createTerminal(process.stdout, process.stderr, { NO_COLOR: '1' }),
          env: {},
          folder: '.',
          signal: new AbortController().signal,
          docs: new DocsLinks({}),
        },
        () => {},
      )
      const subs = command.commands.map((sub) => ({
        name: `${name} ${sub.name()}`,
        words: [name, sub.name()],
        command: sub,
      }))
      return subs.length === 0 ? [{ name, words: [name], command }] : subs
    }),
  )
)
  .flat()
  .filter(({ command }) => command.options.some(({ long }) => long === '--json'))

/** Those that need other words than a name that nothing has, in an empty folder with settings that are wrong. */
const FAILS: Readonly<Record<string, readonly string[]>> = {
  init: ['acme', '--from-openapi', 'none.json'],
  lint: ['none.yaml'],
  sandbox: ['none'],
  'keys generate': ['too', 'much'],
  mcp: ['none', '--list'],
}

/** What is asked for is the list of faults itself. */
const LISTS_FAULTS: ReadonlySet<string> = new Set(['doctor'])

/** The options that a command cannot do without. */
function needed({ options }: Command): readonly string[] {
  return options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [long ?? '', 'none'])
}

describe.for(leaves)('tenon $name --json', ({ name, words, command }) => {
  test('says what it cannot do', async () => {
    const given = FAILS[name] ?? [
      ...command.registeredArguments.filter(({ required }) => required).map(() => 'none'),
      ...needed(command),
    ]
    const { code, out } = await tenonHere([...words, ...given, '--json'], {
      folder: folderOf({}),
      env: { TENON_PORT: 'http' },
    })
    expect(code).not.toBe(0)
    if (LISTS_FAULTS.has(name)) return
    const said = JSON.parse(out) as unknown
    expect(said).toEqual({
      error: expect.objectContaining({
        code: expect.any(String),
        message: expect.stringMatching(/./),
      }),
    })
  })

  test('says that it was called in a wrong way', async () => {
    const { code, out, err } = await tenonHere(
      [...words, ...needed(command), '--json', '--none-such'],
      {
        folder: folderOf({}),
      },
    )
    expect(code).toBe(2)
    expect(JSON.parse(out)).toEqual({
      error: { code: 'usage', message: expect.stringContaining('--none-such') },
    })
    // People read the other channel.
    expect(err).toContain('--none-such')
  })
})

test.for([
  { name: 'an unknown command', args: ['nonesuch', '--json'], code: 'usage' },
  { name: 'an unknown subcommand', args: ['instances', 'nonesuch', '--json'], code: 'usage' },
  {
    name: 'an error with a code',
    args: ['instances', 'show', '0199f3b2-6f0e-7c31-9a57-2f4f5d1f9a10', '--json'],
    env: { TENON_URL: 'http://127.0.0.1:9', TENON_TOKEN: 'tenon_at_none' },
    code: 'service_unreachable',
  },
  { name: 'a backup that is not there', args: ['restore', 'none.backup', '--json'], code: null },
  {
    name: 'a faulty manifest',
    args: ['types', '--out', 'types', '--json'],
    code: 'manifest_invalid',
  },
  {
    name: 'a faulty manifest to compile',
    args: ['compile', '--out', 'c', '--json'],
    code: 'manifest_invalid',
  },
])('$name is one JSON document', async ({ args, env = {}, code }) => {
  const folder = folderOf({ 'manifests/acme.yaml': 'manifest: 1\n' })
  const { code: exit, out } = await tenonHere(args, { folder, env })
  expect(exit).not.toBe(0)
  const { error } = JSON.parse(out) as { readonly error: { readonly code: string } }
  expect(error.code).toEqual(code ?? expect.any(String))
})

test('without --json nothing of an error is on standard output', async () => {
  const folder = folderOf({})
  for (const args of [
    ['restore', 'none'],
    ['lint', 'none.yaml'],
    ['try', 'none', 'a.b'],
  ])
    expect(await tenonHere(args, { folder })).toMatchObject({ out: '' })
})

test('a process says it the same way', async () => {
  const { code, out } = await tenon(['restore', 'none', '--json'], { folder: folderOf({}) })
  expect(code).not.toBe(0)
  expect(JSON.parse(out)).toMatchObject({ error: { code: expect.any(String) } })
})
