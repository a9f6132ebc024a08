// The table of docs/store.md that says where the rows of each table lie on Citus.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { COPY_PLACEMENTS } from '../../src/copy/postgres/copy-tables.ts'
import { PLACEMENTS } from '../../src/service/store/sql/distribution.ts'

test('the document says of every table where it lies', () => {
  const text = readFileSync('docs/store.md', 'utf8')
  const said = [...text.matchAll(/^\| `(\w+)` +\| ([a-z ]+?) +\| (`[^|]+`) +\|$/gm)].flatMap(
    ([, by = '', group = '', tables = '']) =>
      [...tables.matchAll(/`(\w+)`/g)].map(([, table = '']) => [
        table,
        by === 'reference' ? by : { by, group },
      ]),
  )
  expect(Object.fromEntries(said)).toEqual({ ...PLACEMENTS, ...COPY_PLACEMENTS })
})
