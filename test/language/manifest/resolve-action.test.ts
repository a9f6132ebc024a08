import { describe, expect, test } from 'vitest'
import { actionOf, body, constant, draftOf, param, paramPath, rule, texts } from './resolved.ts'

const GET = { http: 'GET /x' }
const FIRST = { kind: 'header', name: 'retry-after', path: null, format: 'seconds' }

describe('an action that says little', () => {
  test('is filled up with what the engine does by itself', () => {
    expect(actionOf('get', { request: GET })).toEqual({
      entity: 'things',
      name: 'get',
      summary: null,
      description: null,
      deprecated: false,
      scopes: [],
      params: {
        schema: { type: 'object', properties: {}, additionalProperties: false },
        aliases: [],
        defaults: [],
        secrets: [],
        deprecated: [],
      },
      refuse: [],
      unsent: {},
      steps: [
        {
          name: 'request',
          test: null,
          request: {
            method: 'GET',
            origin: null,
            path: [['x']],
            query: [],
            headers: [],
            body: { kind: 'none' },
            auth: 'same',
            redirects: 0,
            timeoutMs: 30_000,
          },
          poll: null,
          errors: [],
          retry: {
            attempts: 3,
            on: [429, 502, 503, 504, 'network', 'timeout'],
            wait: [FIRST, { kind: 'exponential', baseMs: 500, maxMs: 8000 }],
            maxWaitMs: null,
            idempotent: false,
            idempotencyKey: null,
          },
        },
      ],
      response: {
        decode: 'json',
        kind: 'record',
        at: { root: 'body', steps: [], source: '$' },
        page: null,
        single: false,
        missing: 'fail',
        where: [],
        keep: null,
        set: [],
        drop: [],
        casts: [],
      },
      result: null,
      pagination: { type: 'none', reason: 'The answer is one record.', meta: [], emptyMeta: [] },
      retry: {
        attempts: 3,
        on: [429, 502, 503, 504, 'network', 'timeout'],
        wait: [FIRST, { kind: 'exponential', baseMs: 500, maxMs: 8000 }],
        maxWaitMs: null,
        idempotent: false,
        idempotencyKey: null,
      },
      errorBody: { message: null, code: null, requestId: null, fields: null },
      download: null,
      touches: null,
      untested: null,
    })
  })
})

test('records, filters and changes of a listing', () => {
  const action = {
    params: {
      properties: {
        owner: { type: 'object', properties: { id: { type: 'string' } } },
        'a.b': { type: 'string' },
      },
    },
    request: GET,
    response: {
      records: '$.a[*].b',
      missing: 'empty',
      decode: 'jsonl',
      where: { 'owner.id': 'owner.id', '$.x': 'a.b' },
      keep: '{{ eq record.state params.owner }}',
      set: { label: '{{ record.name }}', kind: 'thing' },
      drop: ['link', '$.a.b'],
    },
  }
  expect(actionOf('list', action).response).toEqual({
    decode: 'jsonl',
    kind: 'list',
    at: {
      root: 'body',
      steps: [{ kind: 'member', name: 'a' }, { kind: 'all' }, { kind: 'member', name: 'b' }],
      source: '$.a[*].b',
    },
    page: null,
    single: false,
    missing: 'empty',
    where: [
      { record: body('owner.id', 'owner', 'id'), param: ['owner', 'id'] },
      // A parameter of the whole name is declared.
      { record: body('$.x', 'x'), param: ['a.b'] },
    ],
    keep: {
      kind: 'call',
      helper: 'eq',
      args: [{ kind: 'path', root: 'record', path: ['state'] }, paramPath('owner')],
    },
    set: [
      ['label', { kind: 'value', expression: { kind: 'path', root: 'record', path: ['name'] } }],
      ['kind', constant('thing')],
    ],
    drop: [body('link', 'link'), body('$.a.b', 'a', 'b')],
    casts: [],
  })
})

describe('error rules', () => {
  const errors = [rule({ status: 404 }, 'empty'), rule({ status: '5xx' }, 'retry')]
  const effects = (name: string, action: Readonly<Record<string, unknown>>): unknown =>
    actionOf(name, { request: GET, ...action }, { defaults: { errors } }).steps.map((step) =>
      step.errors.map(({ effect, status }) => [effect, ...status.flat()]),
    )

  test('come from the step, then the action, then the defaults', () => {
    const step = (name: string, then: string): unknown => ({
      name,
      request: GET,
      errors: [rule({ status: 409 }, then)],
    })
    const action = {
      request: undefined,
      steps: [step('one', 'ok'), { name: 'two', request: GET }],
      errors: [rule({ status: [400, 401] }, 'fail')],
    }
    expect(effects('update', action)).toEqual([
      [
        ['ok', 409, 409],
        ['fail', 400, 400, 401, 401],
        ['retry', 500, 599],
      ],
      [
        ['fail', 400, 400, 401, 401],
        ['retry', 500, 599],
      ],
    ])
  })

  test('that say empty hold for listings only', () => {
    expect(effects('get', {})).toEqual([[['retry', 500, 599]]])
    expect(effects('list', { response: { records: '$' } })).toEqual([
      [
        ['empty', 404, 404],
        ['retry', 500, 599],
      ],
    ])
  })

  test('test the body and headers', () => {
    const when = {
      body: { '$.ok': false, '$.code': [1, 2], '$.e[*].m': { contains: 'x', exists: true } },
      header: { 'X-Reason': { matches: '^a' } },
    }
    const failure = rule(when, 'fail', {
      as: 'invalid',
      outcome: 'not_applied',
      message: 'No: {{ response.body.m }}',
    })
    expect(actionOf('get', { request: GET, errors: [failure] }).steps[0]?.errors).toEqual([
      {
        status: [],
        body: [
          { at: body('$.ok', 'ok'), test: { equals: false } },
          { at: body('$.code', 'code'), test: { in: [1, 2] } },
          { at: body('$.e[*].m', 'e', '*', 'm'), test: { contains: 'x', exists: true } },
        ],
        headers: [{ name: 'x-reason', test: { matches: '^a' } }],
        effect: 'fail',
        as: 'invalid',
        outcome: 'not_applied',
        message: {
          kind: 'text',
          text: ['No: ', { kind: 'path', root: 'response', path: ['body', 'm'] }],
        },
      },
    ])
  })
})

describe('retry', () => {
  const defaults = { retry: { attempts: 5, max_wait: '1m', wait: [{ exponential: '2s' }] } }

  test('is merged key by key: engine, defaults, action, step', () => {
    const steps = [
      { name: 'a', request: GET, retry: { on: [500], wait: [{ constant: '100ms' }] } },
      { name: 'b', request: GET },
    ]
    const action = actionOf(
      'update',
      { steps, retry: { idempotent: true, attempts: 2 } },
      { defaults },
    )
    const shared = { attempts: 2, maxWaitMs: 60_000, idempotent: true, idempotencyKey: null }
    const own = {
      ...shared,
      on: [429, 502, 503, 504, 'network', 'timeout'],
      // Without a longest wait it is the first one doubled four times.
      wait: [{ kind: 'exponential', baseMs: 2000, maxMs: 32_000 }],
    }
    expect(action.retry).toEqual(own)
    expect(action.steps.map((step) => step.retry)).toEqual([
      { ...shared, on: [500], wait: [{ kind: 'constant', ms: 100 }] },
      own,
    ])
  })

  test('waits as the vendor says', () => {
    const wait = [
      { header: 'X-Usage', path: '$.a', format: 'minutes' },
      { header: 'Retry-After' },
      { body: '$.wait', format: 'epoch_ms' },
      { exponential: '1s', max: '20s' },
    ]
    expect(
      actionOf('get', { request: GET, retry: { wait, idempotency_key: 'X-Key' } }).retry,
    ).toMatchObject({
      wait: [
        { kind: 'header', name: 'x-usage', path: body('$.a', 'a'), format: 'minutes' },
        FIRST,
        { kind: 'body', at: body('$.wait', 'wait'), format: 'epoch_ms' },
        { kind: 'exponential', baseMs: 1000, maxMs: 20_000 },
      ],
      idempotencyKey: 'X-Key',
    })
  })
})

describe('pagination', () => {
  const params = {
    properties: {
      'page.n': { type: 'integer' },
      size: { type: 'integer' },
      filter: { type: 'object' },
    },
  }
  const listing = { params, request: GET, response: { records: '$' } }
  const NOTHING = { size: null, more: null, last: null, carry: [], meta: [], emptyMeta: [] }

  test.for([
    {
      name: 'a cursor',
      pagination: {
        type: 'cursor',
        param: 'filter.after',
        size: 'size',
        next: '$.next',
        first: '*',
      },
      want: {
        ...NOTHING,
        type: 'cursor',
        param: ['filter', 'after'],
        size: ['size'],
        next: body('$.next', 'next'),
        first: '*',
      },
    },
    {
      name: 'a link',
      pagination: { type: 'link', param: 'size', next: '$link.next' },
      want: {
        ...NOTHING,
        type: 'link',
        param: ['size'],
        next: { root: 'link', steps: [{ kind: 'member', name: 'next' }], source: '$link.next' },
      },
    },
    {
      name: 'a page',
      pagination: {
        type: 'page',
        param: 'page.n',
        pages: '$.pages',
        size: 'size',
        stop: 'short_page',
      },
      want: {
        ...NOTHING,
        type: 'page',
        param: ['page.n'],
        size: ['size'],
        first: 1,
        omitFirst: false,
        pages: body('$.pages', 'pages'),
        shortPage: true,
      },
    },
    {
      name: 'a page that begins at 0',
      pagination: { type: 'page', param: 'page.n', first: 0 },
      want: {
        ...NOTHING,
        type: 'page',
        param: ['page.n'],
        first: 0,
        omitFirst: false,
        pages: null,
        shortPage: false,
      },
    },
    {
      name: 'an offset with flags and carried parameters',
      pagination: {
        type: 'offset',
        param: 'size',
        total: '$.total',
        last: '$.isLast',
        more: { '$.state': ['more', 'most'] },
        carry: { 'filter.id': '{{ response.body.id }}' },
      },
      want: {
        ...NOTHING,
        type: 'offset',
        param: ['size'],
        total: body('$.total', 'total'),
        shortPage: false,
        last: { kind: 'path', at: body('$.isLast', 'isLast') },
        more: {
          kind: 'tests',
          tests: [{ at: body('$.state', 'state'), test: { in: ['more', 'most'] } }],
        },
        carry: [
          [
            ['filter', 'id'],
            { kind: 'value', expression: { kind: 'path', root: 'response', path: ['body', 'id'] } },
          ],
        ],
      },
    },
    {
      name: 'none, with meta',
      pagination: {
        type: 'none',
        reason: 'All at once.',
        meta: {
          total: '$.total',
          'cursor?': '$next',
          kind: 'things',
          page: { size: 1, 'n?': '$headers.x-n' },
        },
        empty_meta: { total: 0 },
      },
      want: {
        type: 'none',
        reason: 'All at once.',
        meta: [
          { name: 'total', optional: false, value: { kind: 'path', at: body('$.total', 'total') } },
          {
            name: 'cursor',
            optional: true,
            value: { kind: 'path', at: { root: 'next', steps: [], source: '$next' } },
          },
          { name: 'kind', optional: false, value: { kind: 'constant', value: 'things' } },
          {
            name: 'page',
            optional: false,
            value: {
              kind: 'object',
              members: [
                { name: 'size', optional: false, value: { kind: 'constant', value: 1 } },
                {
                  name: 'n',
                  optional: true,
                  value: {
                    kind: 'path',
                    at: {
                      root: 'headers',
                      steps: [{ kind: 'member', name: 'x-n' }],
                      source: '$headers.x-n',
                    },
                  },
                },
              ],
            },
          },
        ],
        emptyMeta: [{ name: 'total', optional: false, value: { kind: 'constant', value: 0 } }],
      },
    },
  ])('$name', ({ pagination, want }) => {
    expect(actionOf('list', { ...listing, pagination }).pagination).toEqual(want)
  })

  test('that of the defaults holds for listings without one, with the names of their own parameters', () => {
    const defaults = { pagination: { type: 'offset', param: 'page.n', total: '$.total' } }
    expect(actionOf('list', listing, { defaults }).pagination).toMatchObject({
      param: ['page.n'],
      total: body('$.total', 'total'),
    })
    const others = { ...listing, params: texts('x') }
    expect(actionOf('list', others, { defaults }).pagination).toMatchObject({
      param: ['page', 'n'],
    })
    const own = { ...listing, pagination: { type: 'cursor', param: 'size', next: '$.n' } }
    expect(actionOf('list', own, { defaults }).pagination).toEqual({
      ...NOTHING,
      type: 'cursor',
      param: ['size'],
      next: body('$.n', 'n'),
      first: null,
    })
    const single = { ...listing, response: { records: '$', single: true } }
    expect(actionOf('list', single, { defaults }).pagination).toEqual({
      type: 'none',
      reason: 'The answer is one object.',
      meta: [],
      emptyMeta: [],
    })
    expect(actionOf('get', { request: GET }, { defaults }).pagination).toMatchObject({
      type: 'none',
    })
  })
})

test('steps with conditions and a poll', () => {
  const steps = [
    { name: 'start', if: '{{ not params.run }}', request: { http: 'POST /start' } },
    {
      name: 'wait',
      request: { http: 'GET /run/{{ default params.run steps.start.body.id }}' },
      poll: {
        until: { '$.state': 'done' },
        failed: { '$.state': ['bad'] },
        every: '5s',
        timeout: 'PT30M',
        progress: '$.percent',
      },
    },
  ]
  const [start, wait] = actionOf('get', { params: texts('run'), steps }).steps
  expect(start).toMatchObject({
    name: 'start',
    test: { kind: 'call', helper: 'not', args: [paramPath('run')] },
    poll: null,
  })
  expect(wait).toMatchObject({
    name: 'wait',
    test: null,
    poll: {
      until: [{ at: body('$.state', 'state'), test: { equals: 'done' } }],
      failed: [{ at: body('$.state', 'state'), test: { in: ['bad'] } }],
      everyMs: 5000,
      timeoutMs: 1_800_000,
      progress: body('$.percent', 'percent'),
    },
  })
})

test('refusals, parameters without effect, and texts', () => {
  const action = actionOf('get', {
    summary: 'Get',
    description: 'Gets.',
    deprecated: 'use list',
    scopes: ['read'],
    untested: 'no account',
    params: {
      properties: {
        a: { type: 'string' },
        f: { type: 'object', properties: { b: { type: 'string' } } },
      },
    },
    refuse: [
      { if: '{{ and params.a params.f.b }}', params: ['a', 'f.b'], message: 'One of them.' },
    ],
    unsent: { a: 'Ignored.' },
    request: GET,
  })
  expect(action).toMatchObject({
    summary: 'Get',
    description: 'Gets.',
    deprecated: 'use list',
    scopes: ['read'],
    untested: 'no account',
    refuse: [
      {
        test: { kind: 'call', helper: 'and', args: [paramPath('a'), paramPath('f', 'b')] },
        params: [['a'], ['f', 'b']],
        message: 'One of them.',
      },
    ],
    unsent: { a: 'Ignored.' },
  })
})

describe('a download', () => {
  test('of the answer itself', () => {
    expect(actionOf('download', { request: GET })).toMatchObject({
      response: { kind: 'stream', at: { root: 'body', steps: [], source: '$' } },
      download: { url: null, range: null, types: [], auth: 'none', headers: [], redirects: 0 },
    })
  })

  test('of a file that lies elsewhere', () => {
    const download = {
      url: '$.files[{{ params.n }}].url',
      range: 'range',
      types: ['audio/*'],
      auth: 'same',
      headers: { 'X-A': '{{ params.n }}' },
      redirects: 3,
      missing: 'No file.',
    }
    expect(
      actionOf('download', { params: texts('n', 'range'), request: GET, download }).download,
    ).toEqual({
      url: {
        root: 'body',
        steps: [
          { kind: 'member', name: 'files' },
          { kind: 'computed', index: paramPath('n') },
          { kind: 'member', name: 'url' },
        ],
        source: '$.files[{{ params.n }}].url',
      },
      range: ['range'],
      types: ['audio/*'],
      auth: 'same',
      headers: [{ name: 'x-a', value: param('n'), style: 'repeat' }],
      redirects: 3,
      missing: 'No file.',
    })
  })
})

test('the lint gets every text, path and name with its place, in the order of the file', () => {
  const draft = draftOf({
    defaults: {
      pagination: {
        type: 'cursor',
        param: 'after',
        next: '$.next',
        carry: { after: '{{ response.body.a }}' },
      },
    },
    entities: {
      things: {
        actions: {
          list: {
            params: texts('after', 'q'),
            request: { http: 'GET /a/{{ params.q }}', query: ['after', { x: 'v {{ params.q }}' }] },
            response: { records: '$.items', where: { id: 'q' } },
          },
        },
      },
    },
  })
  const shared = { area: 'defaults', entity: null, action: null, step: null, method: null }
  const own = { area: 'action', entity: 'things', action: 'list', step: null, method: null }
  const at = ['entities', 'things', 'actions', 'list']
  expect(
    draft.texts.slice(1).map(({ at: place, part, owner, place: kind, source }) => ({
      at: place,
      part,
      owner,
      place: kind,
      source,
    })),
  ).toEqual([
    {
      at: ['defaults', 'pagination', 'carry', 'after'],
      part: 'value',
      owner: shared,
      place: 'pagination.carry',
      source: '{{ response.body.a }}',
    },
    {
      at: [...at, 'request', 'http'],
      part: 'value',
      owner: own,
      place: 'request.path',
      source: 'GET /a/{{ params.q }}',
    },
    {
      at: [...at, 'request', 'query', 1, 'x'],
      part: 'value',
      owner: own,
      place: 'request.query',
      source: 'v {{ params.q }}',
    },
  ])
  expect(
    draft.paramNames.map(({ at: place, part, owner, use, param: path }) => ({
      place,
      part,
      owner,
      use,
      path,
    })),
  ).toEqual([
    {
      place: ['defaults', 'pagination', 'param'],
      part: 'value',
      owner: shared,
      use: 'pagination.param',
      path: ['after'],
    },
    {
      place: ['defaults', 'pagination', 'carry', 'after'],
      part: 'key',
      owner: shared,
      use: 'pagination.carry',
      path: ['after'],
    },
    {
      place: [...at, 'request', 'query', 0],
      part: 'value',
      owner: own,
      use: 'request.query',
      path: ['after'],
    },
    {
      place: [...at, 'response', 'where', 'id'],
      part: 'value',
      owner: own,
      use: 'response.where',
      path: ['q'],
    },
  ])
  expect(
    draft.paths.map(({ at: place, part, use, path }) => ({
      place,
      part,
      use,
      source: path.source,
    })),
  ).toEqual([
    {
      place: ['defaults', 'pagination', 'next'],
      part: 'value',
      use: 'pagination.next',
      source: '$.next',
    },
    {
      place: [...at, 'response', 'records'],
      part: 'value',
      use: 'response.records',
      source: '$.items',
    },
    { place: [...at, 'response', 'where', 'id'], part: 'key', use: 'response.where', source: 'id' },
  ])
})
