// Every mistake in calling a command is told in one form, with what was probably meant.
import { expect, test } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.ts'
import { meantBy } from '../../src/cli/usual-names.ts'
import { tenonHere } from './run-here.ts'

const commands = COMMANDS.map(({ name }) => name)

test.for([
  {
    args: ['exec'],
    says: 'there is no command "exec", did you mean "tenon try" (run one operation',
  },
  { args: ['run', '--json'], says: 'there is no command "run", did you mean "tenon try"' },
  { args: ['serv'], says: 'did you mean "tenon serve"' },
  { args: ['zzzzzz'], says: 'there is no command "zzzzzz"\n' },
  { args: ['instances', 'ls'], says: 'tenon instances has no command "ls", did you mean "list"?' },
  {
    args: ['instances', 'zzzzzz'],
    says: 'tenon instances has no command "zzzzzz"; it has list, show, check, delete',
  },
  { args: ['try', '--hlp'], says: "unknown option '--hlp', did you mean --help?" },
  { args: ['search'], says: "missing required argument 'instance'" },
  { args: ['logs', '--kind', 'none'], says: "argument 'none' is invalid" },
  { args: ['try', 'jira', 'issues'], says: '"issues" is no operation' },
  {
    args: ['try', 'jira', 'issues.get', '--params', '{bad'],
    says: '--params is not JSON: character 2 does not belong there. Names and texts have double',
  },
  {
    args: ['try', 'jira', 'issues.get', '--params', 'x'],
    says: '--params is not JSON. Names and texts have double',
  },
])('$args', async ({ args, says }) => {
  const { code, err } = await tenonHere(args)
  const [head = '', help, docs, ...more] = err.split('\n')
  expect([code, help, docs?.slice(0, 8), more]).toEqual([
    2,
    '  --help shows what it takes',
    '  docs: ',
    [''],
  ])
  expect(`${head}\n`).toContain(`error  usage  `)
  expect(`${head}\n`).toContain(says)
})

test.for([
  ['ls', 'instances'],
  ['call', 'try'],
  ['start', 'serve'],
  ['validate', 'lint'],
  ['serach', 'search'],
  ['constructor', null],
  ['', null],
] as const)('%s: %s', ([name, want]) => expect(meantBy(name, commands)).toBe(want))

test('a command that is called without the subcommand that it needs shows its help', async () => {
  const { code, err } = await tenonHere(['instances'])
  expect([code, err.slice(0, 22)]).toEqual([2, 'Usage: tenon instances'])
})
