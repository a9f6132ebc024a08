// The table of the audit log's actions: the compiler refuses what is not in it, and this what nothing writes any more.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ACTIONS } from '../../src/language/manifest/actions.ts'
import {
  AUDIT_ACTIONS,
  actionWords,
  actorWords,
  deedWords,
  isByLink,
  refusalOf,
} from '../../src/display/audit-actions.ts'

const FAMILIES = ['application', 'execute', 'manifest']

test('every action of the table is written somewhere, and is said in other words than any other', () => {
  const files = ['src/service', 'src/cli', 'src/hosting'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(`${folder}/${name}`, 'utf8')),
  )
  const text = files.join('\n') + Object.keys(ACTIONS).map((name) => `'${name}'`)
  const actions = Object.values(AUDIT_ACTIONS).flatMap((group) => Object.keys(group))
  const unwritten = actions.filter((action) => {
    const [family = '', verb = ''] = action.split('.')
    const isMade = FAMILIES.includes(family) && text.includes(`\`${family}.\${`)
    return !text.includes(`'${action}'`) && !(isMade && text.includes(`'${verb}'`))
  })
  expect(unwritten).toEqual([])
  const words = actions.map(actionWords)
  expect(new Set(words).size).toBe(actions.length)
  expect(actionWords('of.another_version')).toBe(null)
})

test.each([
  ['webhook.create', 'done', 'Made a webhook'],
  ['webhook.create', 'params_invalid', 'Tried to make a webhook'],
  ['instance.delete', 'done', 'Deleted an account'],
  ['instance.state', 'auth_error', 'Changed the state of an account'],
  ['execute.update', 'uncertain', 'Tried to change a record'],
  ['instance.check', 'done', 'Checked the credentials of an account'],
  ['instance.check', 'credentials_refused', 'Tried to check the credentials of an account'],
  ['sync.start', 'done', 'Started to synchronize an account'],
  ['keys.rotate', 'done', 'Wrapped data keys under another master key'],
  ['access.refuse', 'scope_denied, 3 times', 'Had no access'],
  ['of.another_version', 'done', null],
])('%s that ended with %s reads as %s', (action, outcome, words) => {
  expect(deedWords(action, outcome)).toBe(words)
})

test.each([
  ['person:ada@example.com', 'Ada', 'Ada'],
  ['person:ada@example.com', null, 'ada@example.com'],
  ['service', null, 'The service'],
  ['01a2', null, '01a2'],
])('the actor %s with the name %s is %s', (actor, name, words) => {
  expect(actorWords(actor, name)).toBe(words)
})

test.each([
  [['first at 2026-11-01T08:00:00.000Z'], { times: 2, lastAt: null, reasons: [] }],
  [
    [
      'first at 2026-11-01T08:00:00.000Z',
      'last at 2026-11-01T08:00:31.000Z',
      'token for user:ab',
      'last at the door',
    ],
    { times: 2, lastAt: '2026-11-01T08:00:31.000Z', isOfUser: true, reasons: ['last at the door'] },
  ],
])('a refusal of %j says when, how often and why', (members, want) => {
  const event = { action: 'access.refuse', outcome: 'scope_denied, 2 times', members }
  expect(refusalOf(event)).toMatchObject({ firstAt: '2026-11-01T08:00:00.000Z', ...want })
})

test.for([
  { token: 'connect:0123456789ab', want: true },
  { token: '0123456789ab', want: false },
  { token: null, want: false },
])(
  'an event with the token $token is of an end user at the connect page: $want',
  ({ token, want }) => expect(isByLink({ token })).toBe(want),
)
