import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tenonHere } from './run-here.ts'
import { folderOf, tenon } from './run-tenon.ts'

const GOOD = `manifest: 1
connector: { type: acme, title: Acme, version: 1.0.0 }
server: { url: https://api.acme.example }
auth:
  key:
    credentials: { required: [api_key], properties: { api_key: { type: string, writeOnly: true } } }
    apply: { bearer: "{{ credentials.api_key }}" }
check: { entity: customers, action: list }
entities:
  customers:
    record: { properties: { id: { type: string } } }
    actions:
      list:
        params: { properties: { after: { type: string } } }
        request: { http: GET /customers, query: [after] }
        response: { records: $.items }
        pagination: { type: cursor, param: after, next: $.next }
`
const BROKEN = GOOD.replace('type: acme', 'type: other')
  .replace('query: [after]', 'query: [aftr]')
  .replace('param: after', 'param: curser')

describe('tenon lint', () => {
  test('says nothing but a summary about manifests without problems', async () => {
    const { code, out, err } = await tenon(['lint'], {
      folder: folderOf({ 'manifests/acme.yaml': GOOD }),
    })
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^no problems in 1 manifest \(\d+\.\d s\)\n$/)
  })

  test('shows all problems of all files at once, with frame and way out', async () => {
    const folder = folderOf({
      'manifests/other.yaml': BROKEN,
      'manifests/bad.yaml': 'manifest: 2\n',
    })
    const { code, out } = await tenonHere(['lint'], { folder })
    expect(code).toBe(1)
    expect(out).toContain('manifests/bad.yaml:1:')
    expect(out).toContain(
      'manifests/other.yaml:15:50  error  request/unknown-param  customers.list has no parameter "aftr"',
    )
    expect(out).toContain('^^^^ did you mean "after"?')
    expect(out).toContain('pagination/unknown-param')
  })

  test('--json is one document in one line', async () => {
    const folder = folderOf({ 'manifests/other.yaml': BROKEN })
    const { code, out } = await tenonHere(['lint', '--json'], { folder })
    expect(out.indexOf('\n')).toBe(out.length - 1)
    const { problems, errors } = JSON.parse(out) as {
      problems: { file: string; rule: string; line: number; column: number }[]
      errors: number
    }
    expect([code, errors]).toEqual([1, problems.length])
    expect(problems.map(({ file, rule, line }) => [file, rule, line])).toEqual([
      ['manifests/other.yaml', 'request/unknown-param', 15],
      ['manifests/other.yaml', 'pagination/unknown-param', 17],
    ])
  })

  test('--format github marks the lines of a change', async () => {
    const { out } = await tenonHere(['lint', '--format', 'github'], {
      folder: folderOf({ 'manifests/other.yaml': BROKEN }),
    })
    expect(out).toContain('::error file=manifests/other.yaml,line=15,col=50')
  })

  test.for([
    { name: 'a file that is not there', args: ['lint', 'nowhere.yaml'] },
    { name: 'a folder without manifests', args: ['lint', '.'] },
    { name: 'no folder of manifests', args: ['lint'] },
    { name: 'an unknown format', args: ['lint', '--format', 'xml'] },
    { name: 'an unknown command', args: ['lintt'] },
  ])('$name is a wrong use', async ({ args }) => {
    const { code, out, err } = await tenonHere(args, { folder: folderOf({ 'readme.txt': '' }) })
    expect([code, out]).toEqual([2, ''])
    expect(err).not.toBe('')
  })

  test.for([
    { names: ['acm'], files: ['acme', 'other'], says: ['did you mean "acme"', 'acme, other'] },
    {
      names: ['none.yaml'],
      files: ['acme'],
      says: ['none.yaml', 'the folder manifests has: acme'],
    },
    { names: ['none'], files: [], says: ['manifests/acme.yaml', 'tenon init'] },
    { names: [], files: [], says: ['no folder "manifests"', 'tenon init'] },
  ])('$names among $files: what can be named instead is said', async ({ names, files, says }) => {
    const folder = folderOf(
      Object.fromEntries(files.map((name) => [`manifests/${name}.yaml`, GOOD])),
    )
    const { code, err } = await tenonHere(['lint', ...names], { folder })
    expect(code).toBe(2)
    for (const text of says) expect(err).toContain(text)
  })

  test('colours only when asked or on a terminal', async () => {
    const folder = folderOf({ 'manifests/other.yaml': BROKEN })
    const plain = await tenonHere(['lint'], { folder })
    const forced = await tenonHere(['lint'], { folder, env: { FORCE_COLOR: '1' } })
    expect([plain.out.includes('\u001B['), forced.out.includes('\u001B[')]).toEqual([false, true])
  })
})

test('tenon compile writes what the engine loads without YAML', async () => {
  const folder = folderOf({ 'manifests/acme.yaml': GOOD })
  const { code, out } = await tenon(['compile', '--out', 'built', '--json'], { folder })
  const { files } = JSON.parse(out) as { files: { type: string; hash: string }[] }
  const compiled = JSON.parse(readFileSync(join(folder, 'built/acme.json'), 'utf8')) as {
    format: number
    hash: string
  }
  expect([code, files[0]?.type, compiled.format, compiled.hash]).toEqual([
    0,
    'acme',
    1,
    files[0]?.hash,
  ])
})

test('every command has help with the exit codes', async () => {
  for (const command of ['lint', 'try', 'sandbox', 'compile']) {
    const { code, out } = await tenonHere([command, '--help'])
    expect([command, code, out.includes('130  interrupted')]).toEqual([command, 0, true])
  }
})
