import { expect, test } from 'vitest'
import { columnName, readRow, storedValue } from '../../../../src/service/store/sql/row.ts'

const ROWS = [
  {
    name: 'members have other names, and null stays null',
    row: { clientId: 'a', externalUserId: null, createdAt: 5 },
    columns: { client_id: 'a', external_user_id: null, created_at: 5 },
  },
  {
    name: 'lists and objects are JSON text',
    row: { redirectUrls: ['a', 'b'], stateReason: { code: 'why', since: 5 }, grantedScopes: null },
    columns: {
      redirect_urls: '["a","b"]',
      state_reason: '{"code":"why","since":5}',
      granted_scopes: null,
    },
  },
  {
    name: 'a text that looks like JSON stays a text',
    row: { name: '{"a":1}', description: '[]' },
    columns: { name: '{"a":1}', description: '[]' },
  },
  {
    name: 'truth values are numbers, and other numbers stay numbers',
    row: { enabled: false, attempts: 1 },
    columns: { enabled: 0, attempts: 1 },
  },
  {
    name: 'bytes stay bytes',
    row: { verifierSealed: Uint8Array.of(1, 2) },
    columns: { verifier_sealed: Uint8Array.of(1, 2) },
  },
]

test.for(ROWS)('$name', ({ row, columns }) => {
  const stored = Object.entries<unknown>(row).map(([member, value]) => [
    columnName(member),
    storedValue(value),
  ])
  expect(Object.fromEntries(stored)).toEqual(columns)
  expect(readRow(columns)).toEqual(row)
})

test('a name from a file that is restored does not end its quotes', () => {
  expect(columnName('name") --')).toBe('name"") --')
})

test('the digits of a config stay as they were written', () => {
  const { config } = readRow({ config: '{"a":12345678901234567890}' })
  expect(JSON.stringify(config)).toBe('{"a":12345678901234567890}')
  expect(storedValue(config)).toBe('{"a":12345678901234567890}')
})
