import { expect, test } from 'vitest'
import { toldApart } from '../../src/display/alike-accounts.ts'

const JIRA = {
  connector_type: 'jira',
  external_user_id: 'user-42',
  name: 'Jira Cloud',
  config: { subdomain: 'tallow' },
  created_at: '2026-05-03T10:00:00Z',
}
const CONNECTED = { kind: 'connected', at: '2026-05-03T10:00:00Z' }

test.for([
  { name: 'of other names', others: { name: 'Jira of ACME' }, want: [] },
  { name: 'of other users', others: { external_user_id: 'user-1' }, want: [] },
  {
    name: 'with another setting',
    others: { config: { subdomain: 'acme' } },
    want: [
      { kind: 'settings', words: 'subdomain tallow' },
      { kind: 'settings', words: 'subdomain acme' },
    ],
  },
  {
    name: 'of which one has a server of its own',
    others: { server_url: 'http://127.0.0.1:4000' },
    want: [CONNECTED, { kind: 'settings', words: 'server http://127.0.0.1:4000' }],
  },
  {
    name: 'that differ in nothing else',
    others: { created_at: '2026-05-03T11:00:00Z' },
    want: [CONNECTED, { kind: 'connected', at: '2026-05-03T11:00:00Z' }],
  },
])('two accounts $name', ({ others, want }) => {
  const told = toldApart([
    { ...JIRA, id: 'a' },
    { ...JIRA, id: 'b', ...others },
  ])
  expect([...told.values()]).toEqual(want)
})
