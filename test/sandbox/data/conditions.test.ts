import { expect, test } from 'vitest'
import { parseQuery, QuerySyntaxError } from '../../../src/sandbox/data/conditions.ts'

test.for([
  {
    name: 'a comparison',
    text: 'project = ACME',
    where: { kind: 'compare', field: 'project', operator: '=', values: ['ACME'] },
  },
  {
    name: 'quoted values and a list',
    text: `status in ("To Do", 'Done', open)`,
    where: { kind: 'compare', field: 'status', operator: 'in', values: ['To Do', 'Done', 'open'] },
  },
  {
    name: 'not in, in any case of letters',
    text: 'status NOT IN (Done)',
    where: { kind: 'compare', field: 'status', operator: 'not in', values: ['Done'] },
  },
  {
    name: 'is empty and is not null',
    text: 'assignee is EMPTY or due is not null',
    where: {
      kind: 'or',
      parts: [
        { kind: 'compare', field: 'assignee', operator: 'empty', values: [] },
        { kind: 'compare', field: 'due', operator: 'not empty', values: [] },
      ],
    },
  },
  {
    name: 'and binds closer than or, parentheses closest',
    text: 'a=1 AND (b!=2 OR NOT c ~ x)',
    where: {
      kind: 'and',
      parts: [
        { kind: 'compare', field: 'a', operator: '=', values: ['1'] },
        {
          kind: 'or',
          parts: [
            { kind: 'compare', field: 'b', operator: '!=', values: ['2'] },
            { kind: 'not', part: { kind: 'compare', field: 'c', operator: '~', values: ['x'] } },
          ],
        },
      ],
    },
  },
  {
    name: 'a time with a blank, a call, a relative time',
    text: 'updated >= "2026-01-02 10:00" and assignee = currentUser() and created > -7d',
    where: {
      kind: 'and',
      parts: [
        { kind: 'compare', field: 'updated', operator: '>=', values: ['2026-01-02 10:00'] },
        {
          kind: 'compare',
          field: 'assignee',
          operator: '=',
          values: [{ call: 'currentUser', args: [] }],
        },
        { kind: 'compare', field: 'created', operator: '>', values: ['-7d'] },
      ],
    },
  },
  {
    name: 'a call with arguments',
    text: 'created >= startOfDay(-1d, "x, y")',
    where: {
      kind: 'compare',
      field: 'created',
      operator: '>=',
      values: [{ call: 'startOfDay', args: ['-1d', 'x, y'] }],
    },
  },
  {
    name: 'bare words for nothing, which in quotes are texts',
    text: 'a in (EMPTY, null, "empty")',
    where: { kind: 'compare', field: 'a', operator: 'in', values: [null, null, 'empty'] },
  },
  { name: 'no condition at all', text: '  ', where: null },
])('$name', ({ text, where }) => expect(parseQuery(text)).toEqual({ where, orderBy: [] }))

test('an order stands last, or alone', () => {
  expect(parseQuery('a = 1 order by created DESC, key')).toEqual({
    where: { kind: 'compare', field: 'a', operator: '=', values: ['1'] },
    orderBy: [
      { field: 'created', descending: true },
      { field: 'key', descending: false },
    ],
  })
  expect(parseQuery('ORDER BY key ASC')).toEqual({
    where: null,
    orderBy: [{ field: 'key', descending: false }],
  })
})

test.for([
  {
    text: 'a = b = c',
    message: "Expecting either 'OR' or 'AND' but got '='. (line 1, character 7)",
  },
  {
    text: 'a = 1 AND\n  b 2',
    message:
      "Expecting operator but got '2'. The valid operators are '=', '!=', '<', '>', '<=', '>=', '~', '!~', 'IN', 'NOT IN', 'IS' and 'IS NOT'. (line 2, character 5)",
  },
  {
    text: 'a = and',
    message:
      "Expecting either a value, list or function but got 'and'. You must surround 'and' in quotation marks to use it as a value. (line 1, character 5)",
  },
  {
    text: 'a in (1',
    message: "Expecting ',' or ')' before the end of the query.",
  },
  { text: 'a = 1 AND', message: 'Expecting a field name before the end of the query.' },
  {
    text: 'a = "x',
    message: "The quoted string 'x' has not been completed. (line 1, character 5)",
  },
  {
    text: 'a = 1 order created',
    message: "Expecting 'BY' but got 'created'. (line 1, character 13)",
  },
])('$text says where it breaks', ({ text, message }) =>
  expect(() => parseQuery(text)).toThrow(new QuerySyntaxError(message)),
)

test('reserved characters stand in quotes only', () => {
  expect(() => parseQuery('a = me@b.example', '@*')).toThrow(
    new QuerySyntaxError(
      "The character '@' is a reserved character. You must enclose it in a string or use the escape '\\u0040' instead. (line 1, character 7)",
    ),
  )
  expect(parseQuery('a = "me@b.example"', '@*').where).toEqual({
    kind: 'compare',
    field: 'a',
    operator: '=',
    values: ['me@b.example'],
  })
})

test.for([
  'a =',
  '= 1',
  'a = 1 b = 2',
  'a in 1',
  'a in (1',
  '(a = 1',
  'a = "x',
  'order created',
  'a not 1',
])('%s is refused', (text) => expect(() => parseQuery(text)).toThrow(QuerySyntaxError))
