import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { tenonHere } from './run-here.ts'
import { folderOf, tenon } from './run-tenon.ts'

const ACME = readFileSync('test/types/manifests/acme.yaml', 'utf8')

describe('tenon describe', () => {
  test('an action: parameters with their limits, facts, and a call', async () => {
    const folder = folderOf({ 'manifests/acme.yaml': ACME })
    expect(await tenon(['describe', 'acme', 'customers.list'], { folder })).toEqual({
      code: 0,
      err: '',
      out: [
        'customers.list  List customers',
        'changes nothing, paged',
        '',
        'Parameters (* required)',
        '  limit  integer (≥ 1, ≤ 100)',
        '  after  string',
        '',
        'Call it',
        '  await client.customers.list()',
        '  tenon try acme customers.list --sandbox',
        '  tenon try acme customers.list --preview --sandbox   # the request as curl',
        '',
      ].join('\n'),
    })
  })

  test('the printed call has parameters that the sandbox answers', async () => {
    const { out } = await tenonHere(['describe', 'jira', 'issues.create'])
    const params =
      '{"fields":{"project":{"key":"ACME"},"issuetype":{"name":"Task"},"summary":"Oil the hinge"}}'
    expect(out.split('\n').slice(-4)).toEqual([
      `  await client.issues.create(${params})`,
      `  tenon try jira issues.create --params '${params}' --sandbox`,
      `  tenon try jira issues.create --params '${params}' --preview --sandbox   # the request as curl`,
      '',
    ])
  })

  test('the search of an entity: what can be asked of which field', async () => {
    const { code, out } = await tenonHere(['describe', 'gong', 'settings_scorecards.search'])
    expect(code).toBe(0)
    expect(out.split('\n').slice(0, 2)).toEqual([
      'settings_scorecards.search  Search the synchronized copy',
      'changes nothing, paged, hosted mode only',
    ])
    expect(out).toContain('\n  enabled        boolean\n  questions      array\n')
    const { out: json } = await tenonHere(['describe', 'gong', 'users', 'search', '--json'])
    expect(JSON.parse(json)).toMatchObject({
      entity: 'users',
      action: 'search',
      searchFields: { active: 'boolean', settings: 'object' },
    })
    const { code: none, err } = await tenonHere(['describe', 'gong', 'workspaces.search'])
    expect([none, err]).toEqual([2, expect.stringContaining('it has list\n')])
  })

  test('entity and action may be two words, and JSON says everything', async () => {
    const folder = folderOf({ 'manifests/acme.yaml': ACME })
    const { code, out } = await tenonHere(['describe', 'acme', 'customers', 'list', '--json'], {
      folder,
    })
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      entity: 'customers',
      action: 'list',
      paged: true,
      safe: true,
      params: { additionalProperties: false },
    })
  })

  test.for([
    { args: ['describe', 'jria'], says: 'did you mean "jira"' },
    { args: ['describe', 'jira', 'isues'], says: 'did you mean "issues"' },
    { args: ['describe', 'jira', 'issues.updat'], says: 'did you mean "update"' },
  ])('$args: $says', async ({ args, says }) => {
    const { code, err } = await tenonHere(args)
    expect(code).toBe(2)
    expect(err).toContain(says)
  })
})

describe('tenon docs', () => {
  test('the references of the packaged connectors are fresh', async () => {
    expect(
      await tenonHere(['docs', '--out', 'docs/connectors', '--check'], { folder: process.cwd() }),
    ).toMatchObject({
      code: 0,
      out: '',
    })
  })

  test('a reference lists the members of objects, in parameters and records, each under its whole name', async () => {
    const { out } = await tenonHere(['docs', 'gong'])
    const lines = out.split('\n')
    expect(lines).toContain(
      '| `filter.callIds` | array of string | Only these calls. At least 1 element. |',
    )
    expect(lines).toContain(
      '| `filter.callIds` * | array of string | The id of exactly one call. At least 1 element, at most 1 element. |',
    )
    expect(lines).toContain('| `contentSelector.exposedFields.content.keyPoints` | boolean |  |')
    expect(lines).toContain('| `questions[].isRequired` | boolean |  |')
    expect(lines).toContain('| `userAggregateActivityStats.callsAsHost` | integer |  |')
  })

  test('an apostrophe in the example stays inside the quotes of the shell, and a shape inside itself ends', async () => {
    const folder = folderOf({
      'manifests/acme.yaml': `${ACME.replace(
        'limit: { type: integer',
        'under: { $ref: "#/shapes/folder" }, limit: { type: integer',
      ).replace(
        'query: [limit, after]',
        'query: [limit, after, { under: "{{ json params.under }}" }]',
      )}
shapes:
  folder: { type: object, additionalProperties: false, properties: { name: { type: string }, inside: { $ref: "#/shapes/folder" } } }
`,
      'manifests/demo/acme.yaml': `demo: 1
connector: acme
actions: { customers.list: { example: { after: it's } } }
`,
    })
    const { out, err } = await tenonHere(['docs', join(folder, 'manifests/acme.yaml')])
    expect(err).toBe('')
    expect(out).toContain(
      String.raw`tenon try acme customers.list --params '{"after":"it'\''s"}' --sandbox`,
    )
    expect(out.match(/^\| `under.*`/gm)).toEqual([
      '| `under`',
      '| `under.name`',
      '| `under.inside`',
    ])
  })

  test('a stale reference is shown and left as it is', async () => {
    const folder = folderOf({ 'manifests/acme.yaml': ACME })
    expect(await tenon(['docs', '--out', 'docs'], { folder })).toMatchObject({
      code: 0,
      out: 'docs/acme.md\n',
    })
    const path = join(folder, 'docs/acme.md')
    expect(readFileSync(path, 'utf8')).toContain('| `limit` | integer | At least 1, at most 100. |')
    writeFileSync(path, readFileSync(path, 'utf8').replace('at most 100', 'at most 7'))
    const { code, out } = await tenonHere(['docs', '--out', 'docs', '--check'], { folder })
    expect(code).toBe(1)
    expect(out).toContain('stale docs/acme.md\n')
    expect(readFileSync(path, 'utf8')).toContain('at most 7')
  })
})

test('the reference of a manifest that is gone is stale, and is removed; other pages stay', async () => {
  const folder = folderOf({
    'manifests/acme.yaml': ACME,
    'manifests/other.yaml': ACME.replace('type: acme', 'type: other'),
    'docs/own.md': '# Own\n',
  })
  await tenonHere(['docs', '--out', 'docs'], { folder })
  rmSync(join(folder, 'manifests/other.yaml'))
  const check = ['docs', '--out', 'docs', '--check']
  expect(await tenonHere(check, { folder })).toMatchObject({
    code: 1,
    out: 'stale docs/other.md\n  its manifest is gone\n',
  })
  expect(await tenonHere(['docs', '--out', 'docs'], { folder })).toMatchObject({
    code: 0,
    out: 'docs/other.md removed, as its manifest is gone\n',
  })
  expect(readdirSync(join(folder, 'docs')).toSorted()).toEqual(['acme.md', 'own.md'])
  const page = join(folder, 'docs/acme.md')
  writeFileSync(page, readFileSync(page, 'utf8').replaceAll('\n', '\r\n'))
  expect(await tenonHere(check, { folder })).toMatchObject({ code: 0, out: '' })
})

describe('tenon completion', () => {
  let bash = ''
  beforeAll(async () => {
    bash = (await tenon(['completion', 'bash'])).out
  })

  test.for([
    { line: ['tenon', 'desc'], want: ['describe'] },
    { line: ['tenon', 'try', 'go'], want: ['gong'] },
    { line: ['tenon', 'try', 'jira', 'issues.up'], want: ['issues.update'] },
    { line: ['tenon', 'try', '--sandbox', 'jira', 'issues.up'], want: ['issues.update'] },
    { line: ['tenon', 'docs', 'jira', 'go'], want: ['gong'] },
    { line: ['tenon', 'types', '--che'], want: ['--check'] },
    { line: ['tenon', 'webhooks', 'rot'], want: ['rotate-secret'] },
    { line: ['tenon', 'webhooks', 'rotate-secret', '--ke'], want: ['--keep'] },
    { line: ['tenon', 'keys', 'generate', '--da'], want: [''] },
  ])('bash completes $line', ({ line, want }) => {
    const words = line.map((word) => `"${word}"`).join(' ')
    const script = `${bash}\nCOMP_WORDS=(${words}); COMP_CWORD=${line.length - 1}; _tenon; printf '%s\\n' "\${COMPREPLY[@]}"`
    const run = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' })
    expect({ out: run.stdout.trim().split('\n'), err: run.stderr }).toEqual({ out: want, err: '' })
  })

  test('ids of instances are asked for when they are wanted', () => {
    const asked = (line: readonly string[]): readonly string[] => {
      const words = line.map((word) => `"${word}"`).join(' ')
      const script = `${bash}\ntenon() { if [[ "$2" == --entities=* ]]; then printf 'issues\nusers\n'; else printf '0199f3a1-one\tgong, user-1, Gong\n0199f3b2-two\tjira, user-2, Jira\n'; fi; }
COMP_WORDS=(${words}); COMP_CWORD=${line.length - 1}; _tenon; printf '%s\n' "\${COMPREPLY[@]}"`
      const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' })
      expect(stderr).toBe('')
      return stdout.trim().split('\n')
    }
    const both = ['0199f3a1-one', '0199f3b2-two']
    expect(asked(['tenon', 'search', ''])).toEqual(both)
    expect(asked(['tenon', 'instances', 'show', '0199f3b'])).toEqual(['0199f3b2-two'])
    expect(asked(['tenon', 'sync', 'run', ''])).toEqual(both)
    expect(asked(['tenon', 'try', 'gong', 'calls.list', '--connector-id', ''])).toEqual(both)
    expect(asked(['tenon', 'search', '0199f3a1-one', 'iss'])).toEqual(['issues'])
  })

  test('fish and zsh have theirs; another shell is wrong use', async () => {
    expect((await tenonHere(['completion', 'fish'])).out).toContain(
      String.raw`echo 'lint'\t'check manifests and show what is wrong'`,
    )
    const text = ACME.replace(/title: [^,\n}]+/, 'title: "Acme\\nStore"')
    const folder = folderOf({ 'manifests/acme.yaml': text })
    expect((await tenonHere(['completion', 'fish'], { folder })).out).toContain(
      String.raw`echo 'acme'\t'Acme Store'`,
    )
    expect((await tenonHere(['completion', 'zsh'])).out).toMatch(/^#compdef tenon\n/)
    expect(await tenonHere(['completion', 'fsh'])).toMatchObject({ code: 2 })
    expect(await tenonHere(['completion'])).toMatchObject({ code: 2 })
  })
})
