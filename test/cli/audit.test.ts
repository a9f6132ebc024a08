// `tenon audit list` with the flags that search all chains of an organisation, over a store on its own.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningService, runService } from '../fixtures/running-service.ts'
import { tenonHere } from './run-here.ts'
import type { Run } from './run-tenon.ts'

let world: RunningService
const ids: Record<string, string> = {}
beforeAll(async () => {
  world = await runService()
  for (const user of ['ada', 'bob'])
    ids[user] = await world.connect('gong', { external_user_id: user })
  await world.call('PATCH', `/v1/integrations/connectors/${ids['ada']}`, { name: 'renamed' })
  await world.call('DELETE', `/v1/integrations/connectors/${ids['bob']}`)
})
afterAll(() => world[Symbol.asyncDispose]())

async function list(...args: readonly string[]): Promise<Run> {
  return await tenonHere(['audit', 'list', '--data', world.folder, ...args])
}

interface Event {
  readonly at: string
  readonly action: string
  readonly actor: string
  readonly target: string
}

async function found(...args: readonly string[]): Promise<readonly Event[]> {
  const { code, out, err } = await list('--json', ...args)
  expect([code, err]).toEqual([0, ''])
  const lines = out.trim()
  return lines === '' ? [] : lines.split('\n').map((line) => JSON.parse(line) as Event)
}

const actionsOf = (events: readonly Event[]): readonly string[] =>
  events.map(({ action }) => action)

test('without them there is what stands above instances; --all has those of instances as well', async () => {
  expect(actionsOf(await found())).not.toContain('instance.delete')
  expect(actionsOf(await found('--all'))).toEqual(
    expect.arrayContaining(['instance.create', 'instance.update', 'instance.delete']),
  )
})

test.for([
  { args: ['--action', 'instance.delete'], want: ['instance.delete'] },
  { args: ['--action', 'instance.create'], want: ['instance.create', 'instance.create'] },
  { args: ['--action', 'nothing'], want: [] },
  { args: ['--actor', 'nobody'], want: [] },
  { args: ['--outcome', 'nothing-of-the-kind'], want: [] },
  { args: ['--all', '--from', '2100-01-01T00:00:00Z'], want: [] },
  { args: ['--all', '--to', '2000-01-01T00:00:00Z'], want: [] },
])('$args', async ({ args, want }) => expect(actionsOf(await found(...args))).toEqual(want))

test('an action is also found by its first word, an end user by their accounts', async () => {
  const all = await found('--action', 'instance')
  expect(all.every(({ action }) => action.startsWith('instance.'))).toBe(true)
  const about = await found('--user', 'ada', '--action', 'instance')
  expect(actionsOf(about)).toEqual(['instance.update', 'instance.state', 'instance.create'])
  const { actor = '' } = about[0] ?? {}
  expect((await found('--actor', actor, '--action', 'instance.update')).length).toBe(1)
})

test('the newest are first, --limit is kept, and both ends of the time count', async () => {
  const all = await found('--all', '--limit', '100')
  expect(all.map(({ at }) => at)).toEqual(
    all
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  )
  const [newest] = all
  expect(await found('--all', '--limit', '1')).toEqual([newest])
  const same = await found('--all', '--from', newest?.at ?? '')
  expect(same.every(({ at }) => at >= (newest?.at ?? ''))).toBe(true)
  expect(await found('--all', '--to', newest?.at ?? '')).not.toContainEqual(newest)
})

test('an export has the events with their names, as lines of JSON and as a table in a new file', async () => {
  const { code, out, err } = await tenonHere([
    'audit',
    'export',
    '--data',
    world.folder,
    '--action',
    'instance.create',
  ])
  expect([code, err]).toEqual([0, 'exported 2 events\n'])
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(lines).toMatchObject([
    { action: 'instance.create', actor_name: 'first application', connector_name: null },
    { action: 'instance.create', target: ids['ada'], target_name: 'renamed' },
  ])
  const file = `${world.folder}/audit.csv`
  const table = await tenonHere([
    'audit',
    'export',
    '--data',
    world.folder,
    '--failed',
    '--form',
    'csv',
    '--out',
    file,
  ])
  expect([table.code, table.out]).toEqual([0, ''])
  const head = Object.keys(lines[0] ?? {}).join(',')
  expect(readFileSync(file, 'utf8').split('\r\n')[0]).toBe(head)
})

test('a time that is none is said with an example', async () => {
  const { code, err } = await list('--from', 'yesterday')
  expect([code, err]).toEqual([2, expect.stringContaining('--from yesterday is no time such as')])
})
