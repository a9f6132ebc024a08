import { expect, test } from 'vitest'
import { parseTemplate } from '../../../src/language/expression/parse-text.ts'
import { namesIn, pathsIn } from '../../../src/language/expression/paths-in.ts'

const TREE = [
  parseTemplate('{{ params.a.b }} {{ join (split params.a.c ",") ";" }}'),
  { deep: parseTemplate('{{ default config.a params.d }}') },
]

test('paths below a root are found in any tree, inside helpers too', () => {
  expect(pathsIn(TREE, 'params')).toEqual([['a', 'b'], ['a', 'c'], ['d']])
  expect(pathsIn(TREE, 'config')).toEqual([['a']])
  expect(pathsIn(null, 'params')).toEqual([])
})

test('their first names come once each', () => {
  expect(namesIn(TREE, 'params')).toEqual(['a', 'd'])
})
