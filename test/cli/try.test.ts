import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scriptedUpstream } from '../../src/sandbox/testing/scripted-upstream.ts'
import { tenonHere } from './run-here.ts'
import { folderOf, tenon } from './run-tenon.ts'

const LOOK_UP =
  '{"filter":{"callIds":["2056412393452171628"]},"contentSelector":{"exposedFields":{"media":true}}}'

describe('tenon try', () => {
  test('prints a table for people, and how to go on to standard error', async () => {
    const { code, out, err } = await tenon([
      'try',
      'jira',
      'issues.api_search',
      '--params',
      '{"jql":"project = OPS","maxResults":2}',
      '--sandbox',
    ])
    expect(code).toBe(0)
    expect(out.split('\n')[0]).toMatch(/^id +key/)
    expect(err).toContain('--all')
  })

  test('prints one JSON document for programs', async () => {
    const { code, out } = await tenonHere([
      'try',
      'jira',
      'issues.get',
      '--params',
      '{"issueIdOrKey":"OPS-1"}',
      '--json',
      '--sandbox',
    ])
    expect([code, (JSON.parse(out) as { data: { key: string } }).data.key]).toEqual([0, 'OPS-1'])
  })

  test.for([
    { name: 'goes through all pages, one line per record, up to a limit', all: ['--all'] },
    { name: 'goes through as many pages as a limit needs', all: [] },
  ])('$name', async ({ all }) => {
    const { code, out, err } = await tenonHere([
      'try',
      'gong',
      'calls.list',
      ...all,
      '--limit',
      '150',
      '--json',
      '--sandbox',
    ])
    const records = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string })
    expect([code, records.length, new Set(records.map(({ id }) => id)).size]).toEqual([0, 150, 150])
    expect(err).toBe('150 records on 2 pages\n')
  })

  test.for([
    { name: 'one page', args: ['--json'] },
    { name: 'all pages', args: ['--json', '--all'] },
  ])('$name: warns where a full page ends the listing without a word', async ({ args }) => {
    const body = { items: [{ id: '1' }, { id: '2' }], cursor: 'c2' }
    await using upstream = await scriptedUpstream([{ answer: { body } }])
    const acme = readFileSync('test/types/manifests/acme.yaml', 'utf8')
    const folder = folderOf({
      'manifests/acme.yaml': acme.replace('next: $.next', 'size: limit, next: $.next'),
    })
    const { code, out, err } = await tenonHere(
      [
        'try',
        'acme',
        'customers.list',
        '--params',
        '{"limit":2}',
        '--server-url',
        upstream.url,
        ...args,
      ],
      { folder, env: { TENON_TRY_API_KEY: 'demo', TENON_TRY_REGION: 'eu' } },
    )
    expect([code, out.includes('"id":"2"')]).toEqual([0, true])
    expect(err).toMatch(
      /^warning {2}customers\.list ended after one page of 2 records.+\$\.next.+silent_end/,
    )
  })

  test.for([
    { name: 'one page', args: ['--json'], found: 'in the answer' },
    { name: 'all pages', args: ['--json', '--all'], found: 'on any of 2 pages' },
  ])('$name: names pointers that found nothing', async ({ args, found }) => {
    const [one, two] = [
      { items: [{ id: '1' }], next: 'c2' },
      { items: [], next: null },
    ]
    const bodies = args.includes('--all') ? [one, two] : [one]
    await using upstream = await scriptedUpstream(bodies.map((body) => ({ answer: { body } })))
    const acme = readFileSync('test/types/manifests/acme.yaml', 'utf8')
    const folder = folderOf({
      'manifests/acme.yaml': acme.replace(
        'next: $.next',
        'next: $.next, last: $.lst, meta: { total: $.info.total, cursor: $next, page?: $.page }',
      ),
    })
    const { err } = await tenonHere(
      ['try', 'acme', 'customers.list', '--server-url', upstream.url, ...args],
      { folder, env: { TENON_TRY_API_KEY: 'demo', TENON_TRY_REGION: 'eu' } },
    )
    expect(err.split('\n')).toEqual(
      expect.arrayContaining([
        `There is no $.lst ${found}, which the manifest reads for its pagination`,
        `meta.total is null: there is no $.info.total ${found}; where the third party may send none, "total?" leaves it out`,
      ]),
    )
  })

  test('a packaged connector tells nothing of members of meta that its third party leaves out', async () => {
    const { code, err } = await tenonHere([
      'try',
      'jira',
      'issues.api_search',
      '--params',
      '{"jql":"project = OPS"}',
      '--sandbox',
    ])
    expect([code, err.includes('is null')]).toEqual([0, false])
  })

  test.for([
    { operation: 'issues.get', flag: '--limit', args: ['--limit', '5'] },
    { operation: 'issues.update', flag: '--all', args: ['--all'] },
  ])('$flag is refused for $operation, which lists nothing', async ({ operation, flag, args }) => {
    const { code, err } = await tenonHere(['try', 'jira', operation, ...args, '--sandbox'])
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(
        `${operation} is no listing: it has one answer, and ${flag} goes through records; leave it out`,
      ),
    ])
  })

  test('previews every request as curl, secrets masked, and sends nothing', async () => {
    const params = '{"issueIdOrKey":"OPS-1","fields":{"labels":["it\'s"]},"transition":{"id":"31"}}'
    const { code, out } = await tenonHere(
      ['try', 'jira', 'issues.update', '--params', params, '--preview'],
      {
        env: {
          TENON_TRY_USERNAME: 'ada@example.com',
          TENON_TRY_PASSWORD: 'a-secret-token',
          TENON_TRY_SUBDOMAIN: 'acme',
        },
      },
    )
    expect(code).toBe(0)
    expect(out).toBe(
      [
        `curl -X PUT https://acme.atlassian.net/rest/api/3/issue/OPS-1 -H 'accept: application/json' -H 'content-type: application/json' -H 'authorization: Basic ***' --data-raw '{"fields":{"labels":["it'\\''s"]}}'`,
        '',
        '# request 2, sent when request 1 answered 2xx',
        `curl -X POST https://acme.atlassian.net/rest/api/3/issue/OPS-1/transitions -H 'accept: application/json' -H 'content-type: application/json' -H 'authorization: Basic ***' --data-raw '{"transition":{"id":"31"}}'`,
        '',
      ].join('\n'),
    )
  })

  test('a change that failed midway says what is left to do', async () => {
    const params = '{"issueIdOrKey":"OPS-1","fields":{"labels":["a"]},"transition":{"id":"999999"}}'
    const { code, err } = await tenonHere([
      'try',
      'jira',
      'issues.update',
      '--params',
      params,
      '--sandbox',
    ])
    expect(code).toBe(1)
    expect(err).toContain('  step 1 edit: applied\n  step 2 transition: not_applied\n')
    expect(err).toContain('  The change was made in part: repeat only what is missing.\n')
  })

  test('writes a download to a file', async () => {
    const folder = folderOf({})
    const { code, out } = await tenon(
      ['try', 'gong', 'call_audio.download', '--params', LOOK_UP, '--out', 'call.mp3', '--sandbox'],
      { folder },
    )
    expect(code).toBe(0)
    expect(out).toMatch(/^call\.mp3 {2}.+ {2}audio\/mpeg {2}status 200\n$/)
    expect(readFileSync(join(folder, 'call.mp3')).length).toBeGreaterThan(1000)
  })

  test('takes parameters from a file, and an own manifest by its path', async () => {
    const folder = folderOf({ 'p.json': '{"issueIdOrKey":"OPS-2"}' })
    const { code, out } = await tenonHere(
      ['try', 'jira', 'issues.get', '--params', '@p.json', '--json', '--sandbox'],
      { folder },
    )
    expect([code, out.includes('"OPS-2"')]).toEqual([0, true])
    expect(existsSync(join(folder, 'tenon-try-jira.credentials.json'))).toBe(false)
  })

  test.for([
    {
      name: 'wrong parameters',
      args: ['jira', 'issues.get', '--params', '{"issue":"A-1"}', '--sandbox'],
      code: 2,
      says: '/params/issueIdOrKey',
    },
    {
      name: 'an unknown operation',
      args: ['jira', 'isues.get', '--sandbox'],
      code: 2,
      says: 'did you mean "issues"',
    },
    {
      name: 'an unknown connector',
      args: ['jiira', 'issues.get'],
      code: 2,
      says: 'did you mean "jira"',
    },
    { name: 'no operation', args: ['jira', 'issues'], code: 2, says: 'entity.action' },
    {
      name: 'parameters that are no JSON',
      args: ['jira', 'issues.get', '--params', '{', '--sandbox'],
      code: 2,
      says: '--params',
    },
    {
      name: 'a secret on the command line',
      args: ['gong', 'users.list', '--credentials', '{"access_key":"x"}'],
      code: 2,
      says: '@file',
    },
    { name: 'an unknown option', args: ['gong', 'users.list', '--al'], code: 2, says: '--al' },
    { name: 'no credentials', args: ['gong', 'users.list'], code: 3, says: 'TENON_TRY_ACCESS_KEY' },
    {
      name: 'an unbounded query',
      args: ['jira', 'issues.api_search', '--sandbox'],
      code: 1,
      says: 'status 400',
    },
  ])('$name: exit code $code, and the way out', async ({ args, code, says }) => {
    const result = await tenonHere(['try', ...args])
    expect([result.code, result.out]).toEqual([code, ''])
    expect(result.err).toContain(says)
  })

  test('credentials of a file that do not fit are told without a word of variables', async () => {
    const args = ['try', 'gong', 'users.list', '--credentials', '@own.json']
    const { code, err } = await tenonHere(args, { folder: folderOf({ 'own.json': '{}' }) })
    expect(code).toBe(3)
    expect(err).toMatch(/access_key/)
    expect(err).not.toContain('Set TENON_TRY_')
  })

  test('a third party that is not there: exit code 4', async () => {
    const { code, err } = await tenonHere(
      ['try', 'gong', 'users.list', '--server-url', 'http://127.0.0.1:9', '--timeout', '5'],
      {
        env: { TENON_TRY_ACCESS_KEY: 'key-1', TENON_TRY_ACCESS_KEY_SECRET: 'secret-1' },
      },
    )
    expect(code).toBe(4)
    expect(err).toContain('upstream_unreachable')
  })
})
