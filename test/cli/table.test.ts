import { expect, test } from 'vitest'
import { nativeJson } from '../../src/language/json/native-json.ts'
import type { Json } from '../../src/language/json/json.ts'
import { tableFor } from '../../src/cli/table.ts'

/** In a terminal of this width; null: in a pipe. */
function formatTable(
  records: readonly Json[],
  { width }: { readonly width: number | null },
): string {
  return tableFor({ isTerminal: width !== null, columns: width ?? 80 }, records)
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
      'id      key     fields         labels  to',
      '──────  ──────  ─────────────  ──────  ──────',
      '1       DEMO-1  Oil the hinge  a, b    Ada',
      '22      DEMO-2  Paint it       []      [2]',
      '',
    ].join('\n'),
  )
})

test('columns that do not fit are counted', () => {
  expect(formatTable([{ id: '1', name: 'a'.repeat(40), other: 'x' }], { width: 20 })).toBe(
    ['id', '──────', '1', '(2 more columns; --json shows everything)', ''].join('\n'),
  )
})

test('a long value is cut, wide characters count twice', () => {
  const [, , line] = formatTable([{ id: '漢字'.repeat(20), n: 1 }], { width: null }).split('\n')
  expect(line).toBe(`${'漢字'.repeat(11)}漢…   1`)
})

test('control characters of a record do not reach the terminal', () => {
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
