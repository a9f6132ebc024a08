import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningService, runService } from '../fixtures/running-service.ts'
import { tenonHere } from './run-here.ts'
import { type Run, tenon } from './run-tenon.ts'

let running: RunningService
let gong: string

beforeAll(async () => {
  running = await runService({ jobs: true })
  gong = await running.connect('gong')
  const env = { TENON_URL: running.url, TENON_TOKEN: running.token }
  await tenon(['sync', 'status', gong, '--watch'], { env })
})
afterAll(() => running[Symbol.asyncDispose]())

async function service(...args: readonly string[]): Promise<Run> {
  return await tenonHere(args, { env: { TENON_URL: running.url, TENON_TOKEN: running.token } })
}

const search = (...args: readonly string[]): Promise<Run> => service('search', gong, ...args)

test('hits are a table, and what is known of the copy goes to the other output', async () => {
  const { code, out, err } = await search(
    'users',
    '--where',
    'lastName eq Novak',
    '--fields',
    'firstName,spokenLanguages.language',
  )
  expect([code, out]).toEqual([
    0,
    [
      'id                   firstName  spokenLanguages.language',
      '───────────────────  ─────────  ────────────────────────',
      '9912905381869662710  Gregor     en-US, fr-FR',
      '',
    ].join('\n'),
  ])
  expect(err).toMatch(/^1 hit in all, found in [\d.]+ ms; 30 records, as of \d+s ago\n$/)
})

test('JSON is a line for each hit, and the cursor on the other output goes on', async () => {
  const first = await search('users', '--sort', '-lastName', '--limit', '2', '--json')
  expect(hitsIn(first).map(({ data }) => data.lastName)).toEqual(['Åberg', 'Zahra'])
  const [, cursor = ''] = / --cursor (\S+) /.exec(first.err) ?? []
  const second = await search('users', '--sort', '-lastName', '--json', '--cursor', cursor)
  expect(hitsIn(second).length).toBe(28)
  expect(second.err).toMatch(/^28 hits, found in .*\nThese are the last\n$/)
})

interface Hit {
  readonly data: { readonly lastName: string }
}

function hitsIn({ out }: Run): readonly Hit[] {
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Hit)
}

test('all pages are walked, one hit per line, up to a limit', async () => {
  const all = await search('calls', '--all', '--json')
  expect(all.out.trim().split('\n').length).toBe(running.vendor('gong').records('calls').length)
  const some = await search('calls', '--all', '--json', '--limit', '7')
  const many = await search('calls', '--json', '--limit', '10001')
  expect(many.out).toBe(all.out)
  expect(all.err).toMatch(/^\d+ hits in all; /)
  expect([some.out.trim().split('\n').length, some.err.split(';')[0]]).toEqual([7, '7 hits'])
})

test('changes are a table, or lines of JSON with the places between them, and go on', async () => {
  const { code, out, err } = await service('changes', gong, 'users', '--limit', '2')
  expect([code, out.split('\n')[0]?.slice(0, 10), out.trim().split('\n').length]).toEqual([
    0,
    'change  id',
    4,
  ])
  expect(err).toMatch(
    /^these changes are from the beginning: what you have of before and do not get again is gone\nto go on: --since \S+\n$/,
  )
  const since = / --since (\S+)/.exec(err)?.[1] ?? ''
  const rest = await service('changes', gong, 'users', '--since', since, '--json')
  const lines = rest.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(lines).toEqual([
    ...Array.from({ length: 28 }, () => expect.objectContaining({ change: 'added' }) as unknown),
    { next_cursor: / --since (\S+)/.exec(rest.err)?.[1] },
  ])
  const all = await service('changes', gong, 'users', '--json')
  expect(all.out.split('\n')[0]).toBe('{"reset":true}')
  const refused = await service('changes', gong, 'users', '--since', 'none')
  expect([refused.code, refused.err.slice(0, 21)]).toEqual([2, 'error  cursor_invalid'])
})

test.for([
  { name: 'changes', rest: ['i', 'users'], place: '--since' },
  { name: 'events', rest: ['--limit', '500'], place: '--cursor' },
])('$name tell where to go on when they fail behind a page', async ({ name, rest, place }) => {
  const meta = { has_more: true, next_cursor: 'behind-one', reset: false }
  const server = createServer(({ url = '' }, response) => {
    const isFirst = !url.includes('behind-one')
    response.statusCode = isFirst ? 200 : 400
    response.setHeader('content-type', isFirst ? 'application/json' : 'application/problem+json')
    response.end(JSON.stringify(isFirst ? { data: [], meta } : { code: 'cursor_invalid' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // It listens on a port.
  const { port } = server.address() as AddressInfo
  const env = { TENON_URL: `http://127.0.0.1:${port}`, TENON_TOKEN: 'token' }
  const { code, err } = await tenonHere([name, ...rest], { env })
  server.close()
  expect([code, err]).toEqual([2, expect.stringContaining(`to go on: ${place} behind-one\n`)])
})

test('a change is told under its key, whatever its record calls so', async () => {
  const data = [{ change: 'updated', id: 'k-1', data: { id: 'other', change: 'mine' } }]
  const meta = { has_more: false, next_cursor: 'end', reset: false }
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ data, meta }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // It listens on a port.
  const { port } = server.address() as AddressInfo
  const env = { TENON_URL: `http://127.0.0.1:${port}`, TENON_TOKEN: 'token' }
  const { out } = await tenonHere(['changes', 'i', 'users'], { env })
  server.close()
  expect(out.trim().split('\n').at(-1)?.trim()).toMatch(/^updated +k-1$/)
})

test('a refusal names the place and the way out', async () => {
  const { code, out, err } = await search('users', '--where', 'lastNam eq Novak')
  expect([code, out, err.split('\n').slice(0, 3)]).toEqual([
    2,
    '',
    [
      'asked: {"params":{"query":{"filter":{"eq":{"lastNam":"Novak"}}}}}',
      'error  params_invalid',
      '  /params/query/filter/eq/lastNam  "lastNam" is not a searchable field; did you mean "lastName"?',
    ],
  ])
  expect((await search('user')).err).toContain('did you mean "users"')
  expect((await search('users', '--where', 'lastName')).code).toBe(2)
  expect((await search('users', '--limit', '20000', '--cursor', 'x')).code).toBe(2)
})

test('words are searched in every text, together with conditions', async () => {
  const found = await search('users', '--words', 'gregor novak', '--fields', 'firstName')
  expect([found.code, found.out.split('\n')[2]]).toEqual([0, '9912905381869662710  Gregor'])
  const both = await search('users', '--words', 'novak', '--where', 'firstName eq Nobody', '--json')
  expect([both.code, both.out]).toEqual([0, ''])
  const misspelt = await search('users', '--words', 'novack', '--json')
  expect([misspelt.out, misspelt.err.split('\n')[1]]).toEqual([
    '',
    'Words are compared whole; --allow-mistakes finds those that are spelled nearly so',
  ])
  const nearly = await search('users', '--words', 'novack', '--allow-mistakes', '--json')
  expect(hitsIn(nearly).map(({ data }) => data.lastName)).toContain('Novak')
})

test.for([
  { name: 'no word', args: ['--words', ' – '], says: 'has no word' },
  { name: 'a whole query', args: ['--words', 'a', '--query', '{}'], says: '--where' },
  { name: 'mistakes without words', args: ['--allow-mistakes'], says: '--words' },
])('words are refused with the way out: $name', async ({ args, says }) => {
  const { code, err } = await search('users', ...args)
  expect([code, err]).toEqual([2, expect.stringContaining(says)])
})

test('words in what cannot be searched are refused by the service', async () => {
  const { code, err } = await search('user', '--words', 'novak')
  expect([code, err]).toEqual([2, expect.stringContaining('did you mean "users"')])
})

test('the entities that can be searched are completed', async () => {
  const { out } = await tenonHere(['completion', '--entities', 'search x'])
  expect(out.split('\n')).toContain('issues')
})

test('try runs a search of an instance as every other operation', async () => {
  const run = (...args: readonly string[]): Promise<Run> =>
    service('try', 'gong', 'users.search', '--connector-id', gong, ...args)
  const params = JSON.stringify({
    query: { filter: { eq: { lastName: 'Novak' } } },
    fields: ['firstName'],
  })
  const { code, out } = await run('--params', params)
  expect([code, JSON.parse(out)]).toEqual([
    0,
    expect.objectContaining({
      hits: [{ id: '9912905381869662710', score: 1, data: { firstName: 'Gregor' } }],
      next_cursor: null,
    }),
  ])
  expect(await run('--params', params, '--preview')).toMatchObject({
    code: 0,
    out: '',
    err: 'Nothing would be sent: a search asks the synchronized copy.\n',
  })
  const all = await run('--params', params, '--all')
  expect([all.code, all.err]).toEqual([
    2,
    expect.stringContaining(`tenon search ${gong} users --all`),
  ])
  const direct = await service('try', 'gong', 'users.search', '--params', params, '--sandbox')
  expect([direct.code, direct.err]).toEqual([
    2,
    expect.stringContaining('search_needs_hosted_mode'),
  ])
})

test('a page that ends early is filled up, also as JSON', async () => {
  const replica = { synced_at: null, lag_seconds: null, complete: false, stale: true, records: 9 }
  const hit = (id: string): object => ({ id, score: 1, data: { name: `of ${id}` } })
  const pages = [
    { hits: [hit('a')], next_cursor: 'one', took_ms: 500, replica },
    { hits: [], next_cursor: 'two', took_ms: 500, replica },
    { hits: [hit('b'), hit('c')], next_cursor: 'three', took_ms: 20, replica },
  ]
  const asked: unknown[] = []
  const server = createServer((request, response) => {
    request.setEncoding('utf8')
    let body = ''
    request.on('data', (part: string) => (body += part))
    request.on('end', () => {
      const { params } = JSON.parse(body) as { readonly params: Readonly<Record<string, unknown>> }
      asked.push([params['limit'], params['cursor']])
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(pages[(asked.length - 1) % pages.length]))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // It listens on a port.
  const { port } = server.address() as AddressInfo
  const env = { TENON_URL: `http://127.0.0.1:${port}`, TENON_TOKEN: 'token' }
  const ask = ['search', '0199f3b2-6f0e-7c31-9a57-2f4f5d1f9a10', 'users', '--limit', '3']
  try {
    const { out, err } = await tenon([...ask, '--fields', 'name'], { env })
    expect(asked).toEqual([
      [3, undefined],
      [2, 'one'],
      [2, 'two'],
    ])
    expect([out.split('\n').slice(2, 5), err]).toEqual([
      ['a       of a', 'b       of b', 'c       of c'],
      'the first 3 hits, found in 1020.0 ms; 9 records, never synchronized as a whole, some records are still missing\n' +
        'There may be more: --limit 20 shows them, --all goes through every page and counts them\n',
    ])
    const page = await tenonHere([...ask, '--json'], { env })
    expect([hitsIn(page), page.err.split('\n')[1]]).toEqual([
      [hit('a'), hit('b'), hit('c')],
      'There may be more: --all goes through every page and counts them, --cursor three continues here',
    ])
  } finally {
    server.close()
  }
})
