// A map by lines leads from each line to the place that its first word came from.
import { SourceMap } from 'node:module'
import { minifySync } from 'rolldown/utils'
import { expect, test } from 'vitest'
import { byLines } from '../../scripts/line-maps.ts'

const SOURCE = Array.from(
  { length: 40 },
  (_, index) =>
    `export function longName${index}(first, second) {\n\n  return first * ${index} + second\n}\n`,
).join('\n')

test('every line is still found, and the names are gone', () => {
  const { map } = minifySync('source.js', SOURCE, {
    compress: false,
    mangle: true,
    codegen: { removeWhitespace: false },
    sourcemap: true,
  })
  if (map === undefined || map === null) throw new Error('there is no map')
  const whole = { ...map, file: map.file ?? '', sourceRoot: '', sourcesContent: [] }
  const thin = byLines(whole)
  expect(thin.names).toEqual([])
  expect(thin.mappings.length).toBeLessThan(whole.mappings.length / 2)
  const [before, after] = [new SourceMap(whole), new SourceMap(thin)]
  for (const [line] of thin.mappings.split(';').entries()) {
    const column = 8
    expect(lineOf(after, line, column)).toBe(lineOf(before, line, column))
  }
})

function lineOf(map: SourceMap, line: number, column: number): unknown {
  const found = map.findEntry(line, column)
  return 'originalLine' in found ? found.originalLine : null
}
