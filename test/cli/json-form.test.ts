// What `--json` prints: of a list a line for each of its rows, of all else one document, and never an array.
import { Command } from 'commander'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CommandContext, declareCommand } from '../../src/cli/command.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { DocsLinks } from '../../src/cli/docs-links.ts'
import { createTerminal } from '../../src/cli/terminal.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'
import { webhookReceiver } from '../fixtures/webhook-receiver.ts'
import { tenonHere } from './run-here.ts'
import { folderOf } from './run-tenon.ts'

let world: RunningService
let folder: string
let gong: string
let webhook: string

beforeAll(async () => {
  world = await runService({ jobs: true, publishOrganization: 'default' })
  folder = folderOf({ 'secret.txt': 'secret-1\n' })
  gong = await world.connect('gong')
  await tenonHere(['sync', 'run', gong, '--wait'], { env: env() })
  await using receiver = await webhookReceiver()
  const made = await tenonHere(['webhooks', 'create', receiver.url, '--json'], { env: env() })
  webhook = (JSON.parse(made.out) as { readonly id: string }).id
  const client = ['oauth-clients', 'put', 'gong', 'client-1', '--secret', '@secret.txt']
  await tenonHere(client, { folder, env: env() })
})
afterAll(() => world[Symbol.asyncDispose]())

const env = (): Readonly<Record<string, string>> => ({
  TENON_URL: world.url,
  TENON_TOKEN: world.token,
  TENON_DATA: world.folder,
})

/** What is given to commands that list; `rows` 0: there may be none. */
const LISTS: Readonly<
  Record<string, { readonly given?: () => readonly string[]; readonly rows?: 0 }>
> = {
  'apps list': {},
  'audit list': {},
  changes: { given: () => [gong, 'users'] },
  doctor: {},
  events: {},
  init: { given: () => ['acme'] },
  'instances list': {},
  'keys list': {},
  logs: {},
  'manifests versions': { rows: 0 },
  'oauth-clients list': {},
  search: { given: () => [gong, 'users', '--limit', '3'] },
  'sync run': { given: () => [gong] },
  'sync status': { given: () => [gong] },
  test: { given: () => ['gong'] },
  'webhooks deliveries': { given: () => [webhook], rows: 0 },
  'webhooks list': {},
}

/** It lists until it is interrupted. */
const ENDLESS = 'sandbox'

/** Some of those that print a document. */
const DOCUMENTS: readonly (readonly [name: string, given: () => readonly string[]])[] = [
  ['audit verify', () => []],
  ['compile', () => ['manifests/acme.yaml', '--out', 'compiled']],
  ['describe', () => ['gong']],
  ['describe', () => ['gong', 'users']],
  ['docs', () => ['gong']],
  ['instances show', () => [gong]],
  ['keys generate', () => []],
  ['lint', () => ['manifests/acme.yaml']],
  ['logs', () => ['--figures']],
  ['mcp', () => ['gong', '--list']],
  ['try', () => ['gong', 'users.list', '--sandbox']],
  ['types', () => ['manifests/acme.yaml', '--out', 'types']],
  ['webhooks show', () => [webhook]],
]

async function printed(name: string, given: readonly string[]): Promise<readonly unknown[]> {
  const { out } = await tenonHere([...name.split(' '), ...given, '--json'], { folder, env: env() })
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)
}

const OBJECT = expect.not.objectContaining({ length: expect.anything() }) as object

test.for(Object.entries(LISTS))(
  'tenon %s prints a line for each row',
  async ([name, { given, rows }]) => {
    const lines = await printed(name, given?.() ?? [])
    if (rows !== 0) expect(lines.length).toBeGreaterThan(0)
    expect(lines.map((line) => [typeof line, Array.isArray(line)])).toEqual(
      lines.map(() => ['object', false]),
    )
    expect(lines).not.toContainEqual({ error: expect.anything() as unknown })
  },
)

test.for(DOCUMENTS)('tenon %s prints one document', async ([name, given]) => {
  const { out } = await tenonHere([...name.split(' '), ...given(), '--json'], {
    folder,
    env: env(),
  })
  const value = JSON.parse(out) as object
  expect(value).toEqual(OBJECT)
  expect(value).not.toHaveProperty('error')
})

test('every command that lists is looked at', async () => {
  const context: CommandContext = {
    terminal: createTerminal(process.stdout, process.stderr, { NO_COLOR: '1' }),
    env: {},
    folder: '.',
    signal: new AbortController().signal,
    docs: new DocsLinks({}),
  }
  const listing: string[] = []
  for (const { name, load } of COMMANDS) {
    const command = new Command(name)
    declareCommand(command, await load(), context, () => {})
    for (const leaf of command.commands.length === 0 ? [command] : command.commands)
      if (
        leaf.options.some((option) => option.description.startsWith('print one line of JSON per '))
      )
        listing.push(leaf === command ? name : `${name} ${leaf.name()}`)
  }
  expect(listing.toSorted()).toEqual([...Object.keys(LISTS), ENDLESS].toSorted())
})
