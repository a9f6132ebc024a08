import { expect, test } from 'vitest'
import { nativeJson } from '../../src/language/json/native-json.ts'
import type { Json } from '../../src/language/json/json.ts'
import { formatRecord, recordTable, tableFor } from '../../src/cli/table.ts'

/** In a terminal of this width; null: in a pipe. */
function formatTable(
  records: readonly Json[],
  { width }: { readonly width: number | null },
): string {
  return recordTable({ isTerminal: width !== null, columns: width ?? 80 }, records)
}

test('scalars are columns, objects show their name, short lists what they hold', () => {
  const records = [
    {
      id: '1',
      key: 'DEMO-1',
      fields: { summary: 'Oil the hinge' },
      labels: ['a', 'b'],
      to: [{ name: 'Ada' }],
    },
    { id: '22', key: 'DEMO-2', fields: { summary: 'Paint it' }, labels: [], to: [[1], [2]] },
  ]
  expect(formatTable(records, { width: null })).toBe(
    [
      'id      key     summary        labels  to',
      '──────  ──────  ─────────────  ──────  ──────',
      '1       DEMO-1  Oil the hinge  a, b    Ada',
      '22      DEMO-2  Paint it       []      [2]',
      '',
    ].join('\n'),
  )
})

test('a value that names a record is told by its name, also in a list, where it is known', () => {
  const records = [{ id: 'a', owner: 7, seen_by: ['7', '8'], other: '7' }]
  const names = ([name]: readonly string[], value: unknown): string | null =>
    name !== 'other' && String(value) === '7' ? 'Ada' : null
  const place = { isTerminal: true, columns: 80 }
  const [heads = '', , cells = ''] = recordTable(place, records, { names }).split('\n')
  const at = (head: string): string => cells.slice(heads.indexOf(head)).split('  ')[0] ?? ''
  expect(['owner', 'seen_by', 'other'].map(at)).toEqual(['Ada', 'Ada, 8', '7'])
})

test('a number that the schema calls a moment says how long ago it is in a terminal', () => {
  const records = [{ id: 'a', made: Math.floor(Date.now() / 1000) - 3 * 86_400, size: 7 }]
  const record = { properties: { made: { type: 'integer', format: 'epoch_s' } } }
  const cells = (isTerminal: boolean): string | undefined =>
    recordTable({ isTerminal, columns: 80 }, records, { record }).split('\n')[2]
  expect(cells(true)).toMatch(/^a +3d ago +7$|^a +7 +3d ago$/)
  expect(cells(false)).toContain(String(records[0]?.made))
})

test('a number that the schema calls a duration has its largest units in a terminal', () => {
  const records = [{ id: 'a', took: 4855 }]
  const record = { properties: { took: { type: 'integer', format: 'duration_s' } } }
  const cells = (isTerminal: boolean): string | undefined =>
    recordTable({ isTerminal, columns: 80 }, records, { record }).split('\n')[2]
  expect(cells(true)).toMatch(/^a +1 h 20 min$/)
  expect(cells(false)).toMatch(/^a +4855$/)
})

test('columns become narrower before they are left out, and those are counted', () => {
  const records = [{ id: '1', name: 'a'.repeat(40), other: 'x' }]
  expect(formatTable(records, { width: 40 })).toBe(
    [
      'id      name                      other',
      '──────  ────────────────────────  ──────',
      '1       aaaaaaaaaaaaaaaaaaaaaaa…  x',
      '',
    ].join('\n'),
  )
  expect(formatTable(records, { width: 30 })).toBe(
    [
      'id      name',
      '──────  ──────────────────────',
      '1       aaaaaaaaaaaaaaaaaaaaa…',
      '(1 more column; --json shows everything)',
      '',
    ].join('\n'),
  )
  expect(formatTable(records, { width: 20 })).toBe(
    ['id', '──────', '1', '(2 more columns; --json shows everything)', ''].join('\n'),
  )
})

test('what went wrong is left out after what else there is', () => {
  const row = { entity: 'issues', state: 'error', records: 7, read: 1234, error: 'upstream_failed' }
  const headings = (columns: number): readonly string[] | undefined =>
    tableFor({ isTerminal: true, columns }, [row]).split('\n')[0]?.split(/ +/)
  expect(headings(80)).toEqual(['entity', 'state', 'records', 'read', 'error'])
  expect(headings(42)).toEqual(['entity', 'state', 'records', 'error'])
  expect(headings(24)).toEqual(['entity', 'error'])
})

test('what people copy is never cut, nor is it in a pipe', () => {
  const row = { at: 'x'.repeat(30), instance: '0199f3a1-6f0e-7c31-9a57-2f4f5d1f9a10' }
  const lines = tableFor({ isTerminal: true, columns: 70 }, [row]).split('\n')
  expect(lines[2]).toContain(row.instance)
  const piped = tableFor({ isTerminal: false, columns: 20 }, [row])
  expect(piped).toContain(`${row.at}  ${row.instance}`)
})

test('rows of a command keep the order of their members', () =>
  expect(
    tableFor({ isTerminal: true, columns: 80 }, [{ state: 'active', id: 7, none: null }]),
  ).toBe(['state   id', '──────  ──────', 'active  7', ''].join('\n')))

test('in a terminal a moment says how long ago it was; a date, and what is written to a file, does not', () => {
  const at = new Date(Date.now() - 3 * 86_400_000 - 60_000).toISOString()
  const record = { updated: at, due: '2026-11-28' }
  const line = (isTerminal: boolean): string | undefined =>
    tableFor({ isTerminal, columns: 80 }, [record]).split('\n')[2]
  expect(line(true)).toBe('3d ago   2026-11-28')
  expect(line(false)).toBe(`${at}  2026-11-28`)
  expect(formatRecord({ isTerminal: true, columns: 80 }, record).split('\n')[0]).toBe(
    `updated             ${at}  (3d ago)`,
  )
  expect(formatRecord({ isTerminal: false, columns: 80 }, record).split('\n')[0]).toBe(
    `updated             ${at}`,
  )
})

test('a long value is cut, wide characters count twice', () => {
  const [, , line] = formatTable([{ title: '漢字'.repeat(20), n: 1 }], { width: null }).split('\n')
  expect(line).toBe(`${'漢字'.repeat(11)}漢…        1`)
})

test('ids of records give way before texts do, and stay as they are where there is room', () => {
  const record = {
    id: 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6',
    text: 'The scale in hall two needs a new cell',
  }
  const line = (width: number): string | undefined =>
    formatTable([record], { width }).split('\n')[2]
  expect(line(80)).toBe(`${record.text}  ${record.id}`)
  expect(line(60)).toBe(`${record.text}  a1b2c3d4e5…2a3b4c5d6`)
  expect(line(40)).toBe('The scale in hall tw…  a1b2c3d4…a3b4c5d6')
})

test('a text has two fifths of the line before another column is shown', () => {
  const record = {
    title: 'x'.repeat(70),
    status: 'open',
    priority: 'high',
    assignee: 'Ada',
    team: 'Red',
  }
  const columns = (width: number): readonly string[] | undefined =>
    formatTable([record], { width }).split('\n')[0]?.split(/ +/)
  expect(columns(50)).toEqual(['title', 'status', 'priority', 'assignee'])
  expect(columns(80)).toEqual(['title', 'status', 'priority', 'assignee', 'team'])
  expect(columns(200)).toEqual(['title', 'status', 'priority', 'assignee', 'team'])
})

test('control characters of a record do not reach the terminal, and what turns a text is shown', () => {
  expect(formatTable([{ name: 'abc\u202Egnp.exe' }], { width: 80 })).toContain('abc⟨U+202E⟩gnp.exe')
  expect(formatTable([{ id: 'a\u001B[31mred' }], { width: null })).not.toContain('\u001B')
})

test('numbers keep their digits, texts that are no objects are a value', () => {
  expect(
    formatTable([{ id: nativeJson.rawJSON('6843152929075440037') }], { width: null }),
  ).toContain('6843152929075440037')
  expect(formatTable(['a', 'b'], { width: null })).toBe('value\n──────\na\nb\n')
})

test('no records', () => {
  expect(formatTable([], { width: 80 })).toBe('(no records)\n')
})

test('figures stand below each other by their last digit, ids do not', () =>
  expect(
    tableFor({ isTerminal: true, columns: 80 }, [
      { what: 'a', id: 1, ms: 6.7, none: null },
      { what: 'b', id: 22, ms: 1705.5, none: 3 },
    ]),
  ).toBe(
    [
      'what    id          ms    none',
      '──────  ──────  ──────  ──────',
      'a       1          6.7',
      'b       22      1705.5       3',
      '',
    ].join('\n'),
  ))

test('a column that is told apart by its end is cut in the middle', () => {
  const rows = [{ what: 'x'.repeat(20), account: 'Company of the north 0044' }]
  const forms = { account: { least: 10, keepsEnd: true } } as const
  const [, , line] = tableFor({ isTerminal: true, columns: 34 }, rows, forms).split('\n')
  expect(line).toBe(`${'x'.repeat(20)}  Compan… 0044`)
})

test('a long value of a record goes on below where it began', () =>
  expect(
    formatRecord(
      { isTerminal: true, columns: 40 },
      { account: 'Jira of the whole company (0199)' },
    ),
  ).toBe(`account             Jira of the whole\n${' '.repeat(20)}company (0199)\n`))
