// Layouts for tests, written as a manifest's `search` and `sync` would resolve.
import type { Path } from '../../../src/language/expression/syntax.ts'
import type { Entity, FieldType } from '../../../src/language/manifest/manifest.ts'
import { type SearchLayout, searchLayout } from '../../../src/copy/search/layout.ts'

export interface LayoutOptions {
  readonly fields: Readonly<Record<string, FieldType>>
  /** Dotted paths of fields that lie elsewhere in the record. */
  readonly from?: Readonly<Record<string, string>>
  readonly order?: readonly string[]
  readonly substring?: readonly string[]
  readonly noWords?: readonly string[]
  readonly key?: string
}

export function bodyPath(dotted: string): Path {
  return {
    root: 'body',
    steps: dotted.split('.').map((name) => ({ kind: 'member', name })),
    source: `$.${dotted}`,
  }
}

export function makeEntity(options: LayoutOptions): Entity {
  const { fields, from = {}, order = [], substring = [], noWords = [], key = 'id' } = options
  return {
    name: 'things',
    title: null,
    description: null,
    record: null,
    recordFields: Object.keys(fields),
    actions: [],
    examples: [],
    search: {
      fields: Object.entries(fields).map(([name, type]) => ({
        name,
        type,
        from:
          from[name] === undefined
            ? { root: 'body', steps: [{ kind: 'member', name }], source: `$.${name}` }
            : bodyPath(from[name]),
      })),
      unfilled: {},
      index: { order, substring, noWords },
    },
    sync: {
      everyMs: null,
      primaryKey: [bodyPath(key)],
      action: 'list',
      params: { kind: 'constant', value: {} },
      cursor: null,
      parent: null,
      each: null,
      fullMs: null,
      ignore: [],
      reconcile: null,
    },
  }
}

export function makeLayout(options: LayoutOptions): SearchLayout {
  const layout = searchLayout(makeEntity(options))
  if (layout === null) throw new TypeError('the entity has no search')
  return layout
}
