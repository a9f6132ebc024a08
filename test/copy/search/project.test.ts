import { expect, test } from 'vitest'

import type { Json } from '../../../src/language/json/json.ts'
import { findPlace } from '../../../src/copy/search/layout.ts'
import { compileProjection } from '../../../src/copy/search/project.ts'
import { makeLayout } from './make-layout.ts'

const layout = makeLayout({ fields: { id: 'string', o: 'object', list: 'array', none: 'object' } })
const document = {
  id: '1',
  o: { a: { b: 1, c: 2 }, d: 3 },
  list: [{ x: 1, y: 2 }, 'text', { y: 3 }, [{ x: 4, y: 5 }]],
  none: null,
}

test.for<{ paths: readonly string[]; want: Json }>([
  { paths: ['id'], want: { id: '1' } },
  { paths: ['o.a.b'], want: { o: { a: { b: 1 } } } },
  { paths: ['o.a.b', 'o.a', 'o.d'], want: { o: { a: { b: 1, c: 2 }, d: 3 } } },
  { paths: ['o.a', 'o.a.b'], want: { o: { a: { b: 1, c: 2 } } } },
  { paths: ['list.x'], want: { list: [{ x: 1 }, {}, [{ x: 4 }]] } },
  { paths: ['list.2'], want: { list: [{ y: 3 }] } },
  { paths: ['list.0.y', 'list.2'], want: { list: [{ y: 2 }, { y: 3 }] } },
  {
    paths: ['list.0.y', 'list.x', 'list.2'],
    want: { list: [{ x: 1, y: 2 }, { y: 3 }, [{ x: 4 }]] },
  },
  { paths: ['list.x', 'list.3.0.y'], want: { list: [{ x: 1 }, {}, [{ x: 4, y: 5 }]] } },
  { paths: ['o.nothing'], want: { o: {} } },
  { paths: ['none', 'id'], want: { id: '1', none: null } },
  { paths: ['none.a'], want: { none: null } },
])('$paths of a document', ({ paths, want }) => {
  const places = paths
    .map((path) => findPlace(layout.fields, path))
    .filter((place) => place !== null)
  expect(compileProjection(layout, places)(document)).toEqual(want)
})
