// Long results in a terminal are shown by a pager; everything else is written as it is.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DocsLinks } from '../../src/cli/docs-links.ts'
import { runCommand } from '../../src/cli/run-command.ts'
import { createTerminal } from '../../src/cli/terminal.ts'
import { bareEnvironment } from '../fixtures/bare-environment.ts'
import { eventually } from '../faults/resources.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'
import { folderOf } from './run-tenon.ts'

interface Seen {
  readonly code: number
  readonly out: string
  /** What the pager got; null: there was none. */
  readonly paged: string | null
}

async function run(
  args: readonly string[],
  {
    isTerminal = true,
    rows = 10,
    env = {},
  }: {
    readonly isTerminal?: boolean
    readonly rows?: number
    readonly env?: Readonly<Record<string, string>>
  } = {},
): Promise<Seen> {
  const folder = folderOf({})
  const file = join(folder, 'paged')
  const out = Object.assign(new PassThrough(), { isTTY: isTerminal, columns: 80, rows })
  const said = text(out)
  const all = { ...bareEnvironment, TERM: 'xterm', PAGER: `cat - > '${file}'`, ...env }
  const code = await runCommand(
    args,
    {
      terminal: createTerminal(out, new PassThrough(), all),
      env: all,
      folder,
      signal: new AbortController().signal,
      docs: new DocsLinks(all),
    },
    { serves: false, docs: 'reference/cli' },
  )
  out.end()
  return { code, out: await said, paged: existsSync(file) ? readFileSync(file, 'utf8') : null }
}

const LONG = ['try', 'gong', 'users.list', '--sandbox', '--limit', '15']

test('a table that is longer than the screen goes to the pager', async () => {
  const { code, out, paged } = await run(LONG)
  expect([code, out, paged]).toEqual([0, '', expect.stringMatching(/^title +id .*\n─/)])
})

test.for([
  { name: 'with --no-pager behind', args: [...LONG, '--no-pager'] },
  { name: 'with --no-pager in front', args: ['--no-pager', ...LONG] },
  { name: 'in a pipe', args: LONG, isTerminal: false },
  { name: 'what fits the screen', args: LONG, rows: 40 },
  { name: 'with TENON_PAGER=cat', args: LONG, env: { TENON_PAGER: 'cat' } },
  { name: 'with an empty PAGER', args: LONG, env: { PAGER: '' } },
  { name: 'in a dumb terminal', args: LONG, env: { TERM: 'dumb' } },
  { name: 'a pager that is not there', args: LONG, env: { PAGER: 'tenon-none-such-pager 2>&-' } },
])('$name it is written at once', async ({ args, ...how }) => {
  const { code, out, paged } = await run(args, how)
  expect([code, out, paged]).toEqual([0, expect.stringMatching(/^title +id .*\n─/), null])
})

test('lines for programs are never paged', async () => {
  const { out, paged } = await run([...LONG, '--json'])
  expect([out.trim().split('\n').length, paged]).toEqual([15, null])
})

describe('lists of a service', () => {
  let world: RunningService
  let gong: string
  beforeAll(async () => {
    world = await runService({ jobs: true })
    gong = await world.connect('gong')
    const at = `/v1/integrations/connectors/${gong}`
    await eventually(async () => {
      const { body } = await world.call('GET', `${at}/sync?entity=users`)
      return (body as { data: readonly { state: string }[] }).data[0]?.state === 'ready'
    })
    for (const name of ['one', 'two', 'three']) await world.call('PATCH', at, { name })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const LISTS = [
    { name: 'events', args: () => ['events'], head: /^time .*\n─/ },
    { name: 'changes', args: () => ['changes', gong, 'users'], head: /^change +id .*\n─/ },
    { name: 'logs', args: () => ['logs'], head: /^time .*\n─/ },
  ]

  test.for(LISTS)(
    '$name goes to the pager whole, and past it in a pipe',
    async ({ args, head }) => {
      const env = { TENON_URL: world.url, TENON_TOKEN: world.token }
      const long = await run(args(), { rows: 3, env })
      expect([long.code, long.out, long.paged]).toEqual([0, '', expect.stringMatching(head)])
      const piped = await run(args(), { rows: 3, env, isTerminal: false })
      expect([piped.code, piped.out, piped.paged]).toEqual([0, expect.stringMatching(head), null])
      const lines = await run([...args(), '--json'], { rows: 3, env })
      expect([lines.code, lines.paged]).toEqual([0, null])
    },
  )
})
