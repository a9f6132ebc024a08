import { describe, expect, test } from 'vitest'
import { formatProblems } from '../../../src/language/manifest/format-problems.ts'
import type { ManifestProblem } from '../../../src/language/manifest/problem.ts'

const GONG = [
  'a: 1',
  ...Array.from({ length: 38 }, () => ''),
  '        pagination:',
  '          param: curser',
  'z: 1',
].join('\n')
const FILE = 'manifests/gong.yaml'

const UNKNOWN: ManifestProblem = {
  file: FILE,
  line: 41,
  column: 18,
  length: 6,
  path: 'defaults.pagination.param',
  severity: 'error',
  rule: 'pagination/unknown-param',
  message: 'users.list has no parameter "curser"',
  hint: 'did you mean "cursor"?',
}

const WARNING: ManifestProblem = {
  ...UNKNOWN,
  line: 1,
  column: 1,
  length: 4,
  severity: 'warning',
  rule: 'sandbox/one-way',
  message: 'It cannot be written.',
  hint: null,
}

const report = (
  problems: readonly ManifestProblem[],
  text: string = GONG,
): Parameters<typeof formatProblems>[0] => ({
  problems,
  manifests: 1,
  texts: new Map([[FILE, text]]),
  elapsedMs: 123,
})

describe('for people', () => {
  test('two lines of the source, the marked text, the way out, and a count', () => {
    expect(formatProblems(report([UNKNOWN]), 'human')).toBe(
      `
manifests/gong.yaml:41:18  error  pagination/unknown-param  users.list has no parameter "curser"
   40 |         pagination:
   41 |           param: curser
      |                  ^^^^^^ did you mean "cursor"?
1 error in 1 manifest (0.1 s)
`.trimStart(),
    )
  })

  test('the first line, without a way out', () => {
    expect(formatProblems(report([WARNING]), 'human')).toBe(
      `
manifests/gong.yaml:1:1  warning  sandbox/one-way  It cannot be written.
    1 | a: 1
      | ^^^^
1 warning in 1 manifest (0.1 s)
`.trimStart(),
    )
  })

  test('a file whose text is not at hand', () => {
    const away = { ...UNKNOWN, file: 'away.yaml' }
    expect(formatProblems(report([away, WARNING, WARNING]), 'human')).toBe(
      `
away.yaml:41:18  error  pagination/unknown-param  users.list has no parameter "curser"
      | did you mean "cursor"?
manifests/gong.yaml:1:1  warning  sandbox/one-way  It cannot be written.
    1 | a: 1
      | ^^^^
manifests/gong.yaml:1:1  warning  sandbox/one-way  It cannot be written.
    1 | a: 1
      | ^^^^
1 error and 2 warnings in 1 manifest (0.1 s)
`.trimStart(),
    )
  })

  test('at most twenty findings, then a count', () => {
    const text = formatProblems(
      { ...report([]), problems: Array.from({ length: 33 }, () => UNKNOWN), manifests: 2 },
      'human',
    )
    expect(text.split('\n').filter((line) => line.startsWith(FILE))).toHaveLength(20)
    expect(text.endsWith('… and 13 more\n33 errors in 2 manifests (0.1 s)\n')).toBe(true)
  })

  test('nothing found', () => {
    expect(formatProblems({ ...report([]), manifests: 3, elapsedMs: 50 }, 'human')).toBe(
      'no problems in 3 manifests (0.1 s)\n',
    )
  })

  test('at most 120 characters of a line, with the marked text among them', () => {
    const line = `x: "${'a'.repeat(300)}MARK${'b'.repeat(300)}"`
    const problem = { ...UNKNOWN, line: 1, column: 305, length: 4 }
    const [, frame = '', mark = ''] = formatProblems(report([problem], line), 'human').split('\n')
    expect(frame.slice(8)).toHaveLength(120)
    expect(frame.slice(mark.indexOf('^'), mark.lastIndexOf('^') + 1)).toBe('MARK')
  })

  test('nothing that steers a terminal', () => {
    const text = 'a: \u001b[31mred\u0007'
    const problem = { ...UNKNOWN, line: 1, column: 4, message: 'bad \u001b[2J', hint: '\r\n' }
    const printed = formatProblems(report([problem], text), 'human')
    expect(printed.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })

  test('colours only when asked for', () => {
    expect(formatProblems({ ...report([UNKNOWN]), color: true }, 'human')).toContain(
      '\u001b[31merror\u001b[39m',
    )
  })
})

test('for programs: one document with every finding', () => {
  expect(JSON.parse(formatProblems(report([UNKNOWN, WARNING]), 'json'))).toEqual({
    problems: [UNKNOWN, WARNING],
    errors: 1,
    warnings: 1,
    manifests: 1,
  })
})

test('for GitHub: one command per finding', () => {
  const odd = { ...UNKNOWN, file: 'a,b:c.yaml', message: '100 %\nof it' }
  expect(formatProblems(report([odd, WARNING]), 'github')).toBe(
    [
      '::error file=a%2Cb%3Ac.yaml,line=41,col=18,endColumn=24,title=pagination/unknown-param::100 %25%0Aof it%0Adid you mean "cursor"?',
      '::warning file=manifests/gong.yaml,line=1,col=1,endColumn=5,title=sandbox/one-way::It cannot be written.',
      '',
    ].join('\n'),
  )
})

test('for code scanning: SARIF', () => {
  expect(JSON.parse(formatProblems(report([UNKNOWN, WARNING]), 'sarif'))).toEqual({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'tenon',
            rules: [{ id: 'pagination/unknown-param' }, { id: 'sandbox/one-way' }],
          },
        },
        columnKind: 'utf16CodeUnits',
        results: [
          {
            ruleId: 'pagination/unknown-param',
            level: 'error',
            message: { text: 'users.list has no parameter "curser": did you mean "cursor"?' },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'manifests/gong.yaml' },
                  region: { startLine: 41, startColumn: 18, endColumn: 24 },
                },
              },
            ],
          },
          {
            ruleId: 'sandbox/one-way',
            level: 'warning',
            message: { text: 'It cannot be written.' },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'manifests/gong.yaml' },
                  region: { startLine: 1, startColumn: 1, endColumn: 5 },
                },
              },
            ],
          },
        ],
      },
    ],
  })
})
