import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/language/json/json.ts'
import { compileValidator } from '../../../src/language/manifest/validator.ts'
import { processorMs } from '../../fixtures/processor-time.ts'

const closed = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...more,
})

function problemsOf(
  schema: JsonObject,
  value: unknown,
  definitions: Readonly<Record<string, JsonObject>> = {},
): unknown {
  return compileValidator(schema, definitions, { pointer: '/params', noun: 'parameter' })(value)
}

/** One value of the schema, the problem it has. */
test.for<{
  name: string
  schema: JsonObject
  value: unknown
  want: readonly [code: string, detail: string, allowed?: readonly unknown[]]
}>([
  { name: 'a wrong type', schema: { type: 'string' }, value: 1, want: ['type', 'must be text'] },
  {
    name: 'none of several types',
    schema: { type: ['integer', 'boolean', 'null'] },
    value: 'x',
    want: ['type', 'must be an integer, true or false or null'],
  },
  {
    name: 'a number for an integer',
    schema: { type: 'integer' },
    value: 1.5,
    want: ['type', 'must be an integer'],
  },
  {
    name: 'text for a number: nothing is coerced',
    schema: { type: 'integer' },
    value: '5',
    want: ['type', 'must be an integer'],
  },
  {
    name: 'too small',
    schema: { type: 'integer', minimum: 1 },
    value: 0,
    want: ['minimum', 'must be at least 1'],
  },
  {
    name: 'too large, with what the author says',
    schema: { type: 'integer', maximum: 5000, description: 'Page size.' },
    value: 5001,
    want: ['maximum', 'must be at most 5000: Page size.'],
  },
  {
    name: 'at an open end',
    schema: { type: 'number', exclusiveMinimum: 0 },
    value: 0,
    want: ['exclusiveMinimum', 'must be more than 0'],
  },
  {
    name: 'no multiple',
    schema: { type: 'number', multipleOf: 0.5 },
    value: 0.7,
    want: ['multipleOf', 'must be a multiple of 0.5'],
  },
  {
    name: 'an empty text',
    schema: { type: 'string', minLength: 1 },
    value: '',
    want: ['minLength', 'must not be empty'],
  },
  {
    name: 'a text that is too long',
    schema: { type: 'string', maxLength: 1 },
    value: 'ab',
    want: ['maxLength', 'must have at most 1 character'],
  },
  {
    name: 'an empty list',
    schema: { type: 'array', minItems: 1 },
    value: [],
    want: ['minItems', 'must not be empty'],
  },
  {
    name: 'too many elements',
    schema: { type: 'array', maxItems: 2 },
    value: [1, 2, 3],
    want: ['maxItems', 'must have at most 2 elements'],
  },
  {
    name: 'an element twice',
    schema: { type: 'array', uniqueItems: true, maxItems: 9 },
    value: [{ a: 1 }, 2, { a: 1 }],
    want: ['uniqueItems', 'must not hold the same value twice (elements 0 and 2)'],
  },
  {
    name: 'too few members',
    schema: { type: 'object', minProperties: 1, properties: { id: {}, key: {} } },
    value: {},
    want: ['minProperties', 'must have at least 1 member', ['id', 'key']],
  },
  {
    name: 'none of the values',
    schema: { enum: ['group', 'role'] },
    value: 'grup',
    want: ['enum', 'must be one of group, role; did you mean "group"?', ['group', 'role']],
  },
  {
    name: 'not the value',
    schema: { const: true },
    value: false,
    want: ['const', 'must be true', [true]],
  },
  {
    name: 'a pattern',
    schema: { type: 'string', pattern: '^\\d+$', description: 'Digits.' },
    value: 'x',
    want: ['pattern', 'must match ^\\d+$: Digits.'],
  },
  {
    name: 'a format',
    schema: { type: 'string', format: 'date-time' },
    value: 'now',
    want: ['format', 'must be a time with its offset, as 2024-05-01T12:00:00Z'],
  },
  {
    name: 'a reference that may be null',
    schema: { anyOf: [{ $ref: '#/definitions/shape_a' }, { type: 'null' }] },
    value: 5,
    want: ['anyOf', 'must be an object or null'],
  },
])('$name', ({ schema, value, want: [code, detail, allowed] }) => {
  const definitions = { shape_a: closed({}) }
  const problem = {
    pointer: '/params/x',
    code,
    detail,
    ...(allowed === undefined ? {} : { allowed }),
  }
  expect(problemsOf(closed({ x: schema }), { x: value }, definitions)).toEqual([problem])
})

test.for<[format: string, valid: readonly string[], invalid: readonly string[]]>([
  [
    'date-time',
    ['2024-05-01T12:00:00Z', '2024-02-29t12:00:60.123456789z', '2000-02-29T23:59:59+23:59'],
    [
      '2024-05-01 12:00:00Z',
      '2024-05-01\t12:00:00Z',
      '2024-05-01T12:00Z',
      '2024-05-01T12:00:00',
      '2024-05-01',
      '2023-02-29T12:00:00Z',
      '1900-02-29T12:00:00Z',
      '2024-05-01T24:00:00Z',
      ' 2024-05-01T12:00:00Z',
      '2024-05-01T12:00:00Z\n',
    ],
  ],
  [
    'iso-time',
    [
      '2024-05-01',
      '2024-05-01T12:00Z',
      '2024-05-01T12:00:00Z',
      '2024-05-01T12:00:00.5+02:00',
      '2024-05-01T12:00+0200',
      '2024-05-01T12:00-07',
    ],
    [
      '2024-05-01 12:00:00Z',
      '2024-05-01T12:00:00',
      '2024-05-01T12Z',
      '2024-05',
      '2024-05-32',
      '2024-06-31',
      '2023-02-29',
      '2024-05-01T12:60Z',
      '2024-05-01\n',
    ],
  ],
])('what is %s', ([format, valid, invalid]) => {
  const check = compileValidator(closed({ x: { type: 'string', format } }), {})
  expect(valid.filter((x) => check({ x }).length > 0)).toEqual([])
  expect(invalid.filter((x) => check({ x }).length === 0)).toEqual([])
})

const SHAPE = closed(
  {
    id: { type: 'string', description: 'Id of the thing.' },
    self: { $ref: '#/definitions/shape_thing' },
  },
  { required: ['id'], description: 'A thing.' },
)

describe('all problems at once', () => {
  const schema = closed(
    {
      maxResults: { type: 'integer', maximum: 50 },
      expand: { type: 'string' },
      thing: { $ref: '#/definitions/shape_thing' },
      maybe: { anyOf: [{ $ref: '#/definitions/shape_thing' }, { type: 'null' }] },
      'a/b': { type: 'string', description: 'Both.' },
    },
    { required: ['thing', 'a/b'] },
  )
  const check = (value: unknown): unknown => problemsOf(schema, value, { shape_thing: SHAPE })

  test('with their pointers, descriptions and near names', () => {
    expect(
      check({ maxResults: 51, expnd: 'x', thing: { self: { id: 1 }, id: 'a', other: 1 } }),
    ).toEqual([
      { pointer: '/params/a~1b', code: 'required', detail: 'must be given: Both.' },
      {
        pointer: '/params/expnd',
        code: 'unknown',
        detail: 'unknown parameter, did you mean "expand"?',
        allowed: ['maxResults', 'expand', 'thing', 'maybe', 'a/b'],
      },
      { pointer: '/params/maxResults', code: 'maximum', detail: 'must be at most 50' },
      {
        pointer: '/params/thing/other',
        code: 'unknown',
        detail: 'unknown member',
        allowed: ['id', 'self'],
      },
      { pointer: '/params/thing/self/id', code: 'type', detail: 'must be text: Id of the thing.' },
    ])
  })

  test('with the description of the shape behind a reference', () => {
    expect(check({ 'a/b': '' })).toEqual([
      { pointer: '/params/thing', code: 'required', detail: 'must be given: A thing.' },
    ])
  })

  test('with the description next to a reference, before the one behind it', () => {
    const thing = { $ref: '#/definitions/shape_thing', description: 'The first.' }
    const all = { type: 'array', items: { anyOf: [thing, { type: 'null' }] } }
    const said = closed({ thing, all }, { required: ['thing'] })
    const details = (value: unknown): unknown => problemsOf(said, value, { shape_thing: SHAPE })
    expect(details({})).toMatchObject([{ detail: 'must be given: The first.' }])
    expect(details({ thing: 1 })).toMatchObject([{ detail: 'must be an object: The first.' }])
    expect(details({ thing: { id: '' }, all: [{ id: 1 }] })).toMatchObject([
      { pointer: '/params/all/0/id', detail: 'must be text: Id of the thing.' },
    ])
  })

  test('of the nearest alternative, and nothing of the others', () => {
    const thing = { id: 'a' }
    expect(check({ 'a/b': '', thing, maybe: null })).toEqual([])
    expect(check({ 'a/b': '', thing, maybe: { id: 1 } })).toEqual([
      { pointer: '/params/maybe/id', code: 'type', detail: 'must be text: Id of the thing.' },
    ])
    const oneOf = [
      closed({ a: { type: 'string' } }, { required: ['a'] }),
      closed({ b: { type: 'string' }, c: { type: 'string' } }, { required: ['b', 'c'] }),
    ]
    expect(problemsOf({ type: 'object', oneOf }, { b: 'x' })).toEqual([
      { pointer: '/params/c', code: 'required', detail: 'must be given' },
    ])
  })

  test('at most twenty', () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`unknown${index}`, 1]),
    )
    expect(check({ thing: { id: '' }, 'a/b': '', ...many })).toHaveLength(20)
  })

  test('that repeat no value', () => {
    const secret = 'hunter2hunter2'
    const credentials = closed({
      key: { type: 'string', maxLength: 3, pattern: '^x$' },
      kind: { enum: ['a'] },
      n: { type: 'integer' },
    })
    expect(
      JSON.stringify(problemsOf(credentials, { key: secret, kind: secret, n: secret })),
    ).not.toContain(secret)
  })
})

describe('P6 validation is bounded', () => {
  test('members of a prototype are no members', () => {
    expect(
      problemsOf(closed({ a: {} }, { required: ['toString', 'constructor'] }), {}),
    ).toMatchObject([
      { pointer: '/params/toString', code: 'required' },
      { pointer: '/params/constructor', code: 'required' },
    ])
    const polluted: unknown = JSON.parse('{"__proto__": {"a": 1}}')
    expect(problemsOf(closed({ a: { type: 'integer' } }), polluted)).toMatchObject([
      { pointer: '/params/__proto__', code: 'unknown' },
    ])
  })

  test('a megabyte that is wrong everywhere is told once', () => {
    const schema = closed({ list: { type: 'array', items: closed({ a: { type: 'string' } }) } })
    const check = compileValidator(schema, {})
    const value = { list: Array.from({ length: 60_000 }, () => ({ a: 1, b: 2 })) }
    check({ list: [{ a: 1 }] }) // compiled by now
    expect(processorMs(() => expect(check(value)).toHaveLength(1))).toBeLessThan(500)
  })

  test('values of a few thousand nodes are told completely', () => {
    const schema = closed({ list: { type: 'array', items: { type: 'string' } } })
    const problems = compileValidator(schema, {})({ list: Array.from({ length: 4000 }, () => 1) })
    expect(problems).toHaveLength(20)
    expect(problems[18]).toEqual({ pointer: '/list/18', code: 'type', detail: 'must be text' })
    expect(problems[19]).toEqual({
      pointer: '',
      code: 'more',
      detail: 'there are 3981 more problems',
    })
  })

  test('twenty problems are told, and no more of them counted', () => {
    const schema = closed({ list: { type: 'array', items: { type: 'string' } } })
    const problems = compileValidator(schema, {})({ list: Array.from({ length: 20 }, () => 1) })
    expect(problems.map(({ pointer }) => pointer)).toEqual(
      Array.from({ length: 20 }, (_, at) => `/list/${at}`),
    )
  })

  test('branches that nobody is told of are counted once each', () => {
    const either = { oneOf: [closed({ a: { type: 'string' } }), closed({ b: { type: 'string' } })] }
    const check = compileValidator(closed({ list: { type: 'array', items: either } }), {})
    const problems = check({ list: Array.from({ length: 900 }, () => ({ c: 1 })) })
    expect(problems).toHaveLength(20)
    expect(problems.at(-1)).toMatchObject({ detail: 'there are 881 more problems' })
  })

  test('a value that goes round in a circle is refused', () => {
    const thing: Record<string, unknown> = { id: 'a' }
    thing['self'] = thing
    expect(
      problemsOf({ $ref: '#/definitions/shape_thing' }, thing, { shape_thing: SHAPE }),
    ).toMatchObject([{ code: 'depth' }])
  })
})

const EVIL_PATTERNS = [
  '^(a+)+$',
  '^(a*)*$',
  '^(a|a)*$',
  '^(a|aa)+$',
  '^(.*a){20}$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '^(\\w+\\s?)*$',
  '^(x+x+)+y$',
  '(a+)+b',
  '^((ab)*)*$',
  '^(a?){30}a{30}$',
  '(.*)(.*)(.*)[0-9]$',
  '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}$',
  '^(\\d+)*x$',
  '(a|b|ab)*c',
  '^(a{1,5}){1,5}$',
  '^[a-z]+([a-z]+)*!$',
  '(\\s*a\\s*)*b',
  '^(?:a+b?)+$',
  '(z|a+)*q',
]

describe('P5 no pattern takes long', () => {
  const texts = [
    'a'.repeat(4096),
    `${'a'.repeat(4095)}!`,
    'ab'.repeat(2048),
    'x'.repeat(4095),
    'a b'.repeat(1300),
    '1'.repeat(100_000),
  ]
  test.for(EVIL_PATTERNS)('%s', (pattern) => {
    const check = compileValidator(closed({ x: { type: 'string', pattern, maxLength: 4096 } }), {})
    check({ x: '' })
    const fastest = texts.map((x) => {
      const times = [0, 1, 2].map(() => processorMs(() => check({ x })))
      return Math.min(...times)
    })
    // The fastest of three: the engine may collect garbage.
    expect(Math.max(...fastest)).toBeLessThan(50)
  })

  test.for([
    'date-time',
    'iso-time',
    'date',
    'time',
    'duration',
    'uri',
    'email',
    'hostname',
    'ipv4',
    'ipv6',
    'uuid',
    'byte',
  ])('format %s', (format) => {
    const check = compileValidator(closed({ x: { type: 'string', format, maxLength: 4096 } }), {})
    const hostile = [
      ...texts,
      'http://'.padEnd(4096, 'a%'),
      'a@'.repeat(2048),
      ':'.repeat(4096),
      '1:'.repeat(2048),
      'a.'.repeat(2048),
      'P'.padEnd(4096, '1D'),
    ]
    check({ x: '' })
    const fastest = hostile.map((x) => {
      const times = [0, 1, 2].map(() => processorMs(() => check({ x })))
      return Math.min(...times)
    })
    expect(Math.max(...fastest)).toBeLessThan(50)
  })
})
