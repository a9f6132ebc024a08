import { describe, expect, test } from 'vitest'
import {
  type Ill,
  illInTwoWays,
  illOfVendor,
  illTogether,
  isMostOf,
} from '../../src/display/ill-together.ts'

/** "contoso jira upstream_failed" */
function ill(text: string): Ill {
  const [user = '', type = '', code = ''] = text.split(' ')
  return { user, type, code }
}

describe('accounts of which something is wrong', () => {
  test.for([
    { name: 'none', all: [], want: [] },
    { name: 'one', all: ['contoso jira a'], want: ['one 1'] },
    {
      name: 'many of one connector with one code, of several users',
      all: ['contoso jira a', 'fabrikam jira a', 'tallow jira a'],
      want: ['vendor jira 3'],
    },
    {
      name: 'as many of one user are a matter of that user',
      all: ['contoso jira a', 'contoso jira a', 'contoso jira a'],
      want: ['user contoso 3'],
    },
    {
      name: 'one user with several connectors and codes',
      all: ['contoso jira a', 'fabrikam gong b', 'contoso gong b'],
      want: ['user contoso 2', 'one 1'],
    },
    {
      name: 'what many have in common is no matter of one user as well',
      all: ['contoso jira a', 'fabrikam jira a', 'tallow jira a', 'contoso gong b'],
      want: ['vendor jira 3', 'one 1'],
    },
    {
      name: 'other codes are other causes',
      all: ['contoso jira a', 'fabrikam jira a', 'tallow jira b'],
      want: ['one 1', 'one 1', 'one 1'],
    },
    {
      name: 'the largest first',
      all: ['a gong x', 'b gong x', 'c gong x', 'a jira y', 'b jira y', 'c jira y', 'd jira y'],
      want: ['vendor jira 4', 'vendor gong 3'],
    },
  ])('$name', ({ all, want }) => {
    const told = illTogether(all, ill).map((each) =>
      each.kind === 'vendor'
        ? `vendor ${each.type} ${each.those.length}`
        : each.kind === 'user'
          ? `user ${each.user} ${each.those.length}`
          : `one ${each.those.length}`,
    )
    expect(told).toEqual(want)
  })

  test.for([
    { ill: 12, total: 14, want: true },
    { ill: 5, total: 10, want: true },
    { ill: 4, total: 10, want: false },
    { ill: 2, total: 2, want: false },
  ])('$ill of $total are most of them: $want', ({ ill: count, total, want }) =>
    expect(isMostOf(count, total)).toBe(want),
  )
})

describe('whether it looks like the third party', () => {
  const all = {
    code: 'upstream_failed',
    accounts: 4,
    users: 3,
    isWhole: true,
    failing: 5,
    total: 5,
  }
  test.for([
    { name: 'most of several users', of: {}, want: 4 },
    { name: 'of one user', of: { users: 1 }, want: null },
    { name: 'few of all', of: { total: 10 }, want: null },
    { name: 'refused as the manifest asks', of: { code: 'upstream_not_found' }, want: null },
    { name: 'limited', of: { code: 'upstream_rate_limited' }, want: null },
    { name: 'refused credentials', of: { code: 'credentials_refused' }, want: null },
    { name: 'an unknown code', of: { code: 'no_such_code' }, want: null },
    {
      name: 'more than were looked at',
      of: { isWhole: false, accounts: 200, failing: 800, total: 1000 },
      want: 800,
    },
  ])('$name: $want', ({ of, want }) => expect(illOfVendor({ ...all, ...of })).toBe(want))
})

describe('accounts of which some fail and others are refused', () => {
  test.for([
    { name: 'only one of both', failing: ['contoso jira'], refused: ['tallow gong'], want: [] },
    {
      name: 'of one user, whatever the connectors',
      failing: ['contoso jira', 'contoso gong'],
      refused: ['contoso jira', 'tallow github'],
      want: ['user contoso 2+1'],
    },
    {
      name: 'of one connector, where it is no matter of one user',
      failing: ['contoso jira'],
      refused: ['tallow jira', 'fabrikam jira'],
      want: ['vendor jira 1+2'],
    },
    {
      name: 'two accounts of a connector are no matter of it',
      failing: ['contoso jira'],
      refused: ['tallow jira'],
      want: [],
    },
    {
      name: 'users first, of most accounts first',
      failing: ['contoso jira', 'tallow jira'],
      refused: ['contoso gong', 'tallow jira', 'tallow gong'],
      want: ['user tallow 1+2', 'user contoso 1+1', 'vendor jira 2+1'],
    },
  ])('$name', ({ failing, refused, want }) => {
    expect(
      illInTwoWays(failing, refused, ill).map(
        ({ kind, name, ...of }) => `${kind} ${name} ${of.failing.length}+${of.refused.length}`,
      ),
    ).toEqual(want)
  })
})
