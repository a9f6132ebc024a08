// What descriptions of entities say of the packaged connectors: the field that names a record, and what values name records.
import { expect, test } from 'vitest'
import { loadPackaged } from '../../../src/client/packaged.ts'
import { ownAt } from '../../../src/language/json/members.ts'
import { own } from '../../../src/language/json/own.ts'
import { describeEntities } from '../../../src/language/manifest/describe.ts'

test.for([
  { type: 'gong', entity: 'users', why: 'a member', want: 'id' },
  { type: 'gong', entity: 'calls_extensive', why: 'a search field of another place', want: 'id' },
  { type: 'facebook-marketing', entity: 'ad_accounts', why: 'not the id', want: 'account_id' },
  { type: 'slack', entity: 'messages', why: 'two members do together', want: null },
  { type: 'gong', entity: 'workspaces', why: 'it has no copy', want: null },
])('$want names a record of $type $entity: $why', async ({ type, entity, want }) => {
  const [described] = describeEntities(await loadPackaged(type), entity)
  expect(described?.keyField).toBe(want)
})

test.for([
  { type: 'gong', entity: 'calls', member: 'primaryUserId', want: 'users' },
  { type: 'gong', entity: 'users', member: 'managerId', want: 'users' },
  { type: 'slack', entity: 'messages', member: 'user', want: 'users' },
  { type: 'stripe', entity: 'charges', member: 'customer', want: 'customers' },
  { type: 'gong', entity: 'calls', member: 'workspaceId', want: undefined },
])('$member of $type $entity names one of $want', async ({ type, entity, member, want }) => {
  const [described] = describeEntities(await loadPackaged(type), entity)
  const property = ownAt(described?.record, ['properties', member])
  expect(property).toBeDefined()
  expect(own(property, 'refers_to')).toBe(want)
})
