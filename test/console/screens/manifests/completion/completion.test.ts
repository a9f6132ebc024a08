// Where the cursor is in a manifest, and what fits there.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type JsonObject, parseJson } from '../../../../../src/console/api/json-text.ts'
import { explain } from '../../../../../src/console/screens/manifests/completion/explain.ts'
import {
  type Place,
  placeIn,
} from '../../../../../src/console/screens/manifests/completion/place.ts'
import {
  keysAt,
  valuesAt,
} from '../../../../../src/console/screens/manifests/completion/schema-options.ts'

const schema = parseJson(
  readFileSync(new URL('../../../../../schemas/manifest.schema.json', import.meta.url), 'utf8'),
) as JsonObject

/** `|` is the cursor. */
function at(marked: string): Place | null {
  return placeIn(marked.replace('|', ''), marked.indexOf('|'))
}

function keys(marked: string): readonly string[] {
  const place = at(marked)
  return place?.kind === 'key' ? keysAt(schema, place).map(({ name }) => name) : []
}

function values(marked: string): readonly string[] {
  const place = at(marked)
  return place?.kind === 'value' ? valuesAt(schema, place).map(({ text }) => text) : []
}

describe('the place of the cursor', () => {
  test.for<readonly [string, string, string, readonly (string | number)[], string]>([
    ['the beginning', '|', 'key', [], ''],
    ['half a key', 'manifest: 1\nconn|', 'key', [], 'conn'],
    ['a deeper line', 'connector:\n  ty|', 'key', ['connector'], 'ty'],
    ['an empty line, as deep as the cursor', 'connector:\n  |', 'key', ['connector'], ''],
    [
      'an empty line in between',
      'connector:\n  type: a\n  |\nserver: {}',
      'key',
      ['connector'],
      '',
    ],
    ['back at the left', 'connector:\n  type: a\n|', 'key', [], ''],
    ['a key that is being changed', 'connector:\n  ti|tle: A', 'key', ['connector'], 'ti'],
    ['a value', 'limits:\n  per: in|', 'value', ['limits', 'per'], 'in'],
    ['a value to come', 'limits:\n  per: |', 'value', ['limits', 'per'], ''],
    ['an element of a list', 'a:\n  - b: 1\n  - c|', 'key', ['a', 1], 'c'],
    ['a list no deeper than its key', 'a:\n- b: 1\n  c|\nd: 2', 'key', ['a', 0], 'c'],
    ['behind a list no deeper than its key', 'a:\n- b: 1\nd|', 'key', [], 'd'],
    ['a member of braces', 'a: { b: 1, c| }', 'key', ['a'], 'c'],
    ['a value in braces', 'a: { b: c| }', 'value', ['a', 'b'], 'c'],
    ['a value to come in braces', 'a: { b: | }', 'value', ['a', 'b'], ''],
    ['braces that are not closed', 'a: { b: 1, c|\nd: 2', 'key', ['a'], 'c'],
    ['braces of several lines', 'a:\n  {\n    b: 1,\n    c|\n  }', 'key', ['a'], 'c'],
    ['an element in brackets', 'a: [x, y|]', 'value', ['a', 1], 'y'],
    ['braces within brackets', 'a: [{ b: 1 }, { c| }]', 'key', ['a', 1], 'c'],
    ['behind a value with a colon', 'a: https://x.example\nb|', 'key', [], 'b'],
    ['behind a text of several lines', 'a: |-\n  b: no\nc~', 'key', [], 'c'],
  ])('%s', ([, given, kind, path, typed]) => {
    const marked = given.includes('~') ? given : given.replace('|', '~')
    const place = placeIn(marked.replace('~', ''), marked.indexOf('~'))
    expect({ kind: place?.kind, path: place?.path, typed: place?.typed }).toEqual({
      kind,
      path,
      typed,
    })
  })

  test.for([
    ['a comment', '# con|'],
    ['a comment behind a value', 'a: 1 # con|'],
    ['quotes', 'a: "con|"'],
    ['quotes in braces', 'a: { b: "con|" }'],
  ])('nothing is offered in %s', ([, marked = '']) => {
    expect(at(marked)).toBe(null)
  })

  test('the members of the same mapping are known, before and behind', () => {
    expect(at('a:\n  b: 1\n  |\n  c: { d: 2 }\ne: 3')?.siblings).toEqual(
      new Map([
        ['b', '1'],
        ['c', null],
      ]),
    )
  })
})

describe('what fits', () => {
  test('the keys of a manifest, those that must be there first, none twice', () => {
    expect(keys('manifest: 1\nserver: {}\n|')).toEqual([
      'connector',
      'auth',
      'entities',
      'config',
      'check',
      'limits',
      'defaults',
      'webhooks',
      'shapes',
      'shared',
      'maps',
      'translations',
    ])
  })

  test.for<readonly [string, string, readonly string[]]>([
    ['a connector', 'connector: { type: a, | }', ['title', 'version', 'docs', 'description']],
    ['limits', 'limits:\n  |', ['rate', 'concurrency', 'per']],
    ['names of actions', 'entities:\n  calls:\n    actions:\n      li|', ['list']],
  ])('keys of %s', ([, marked, wanted]) => {
    expect(keys(marked)).toEqual(expect.arrayContaining([...wanted]))
  })

  const list = 'entities:\n  calls:\n    actions:\n      list:\n        '

  test('what another member rules out is not offered', () => {
    const inAction = keys(`${list}request: { http: GET /calls }\n        |`)
    expect(inAction).toEqual(expect.arrayContaining(['response', 'pagination', 'params']))
    expect(keys(`${list}pagination: { type: link, | }`)).not.toContain('total')
    expect(keys(`${list}pagination: { type: offset, | }`)).toContain('total')
  })

  test.for<readonly [string, string, readonly string[]]>([
    ['a choice', 'limits:\n  per: |', ['instance', 'connector']],
    [
      'yes and no',
      `entities: { calls: { record: { properties: { id: { deprecated: | } } } } }`,
      ['true', 'false'],
    ],
    ['a constant', 'manifest: |', ['1']],
    [
      'kinds of pagination',
      `${list}pagination:\n          type: |`,
      ['cursor', 'page', 'offset', 'link', 'none'],
    ],
    [
      'shapes of the same manifest',
      'shapes:\n  user: {}\n  call: {}\nentities:\n  calls:\n    record: { $ref: | }',
      ['"#/shapes/user"', '"#/shapes/call"'],
    ],
    ['entities for the check', 'check: { entity: | }\nentities:\n  calls: {}', ['calls']],
    [
      'entities that a value names records of',
      'entities:\n  calls:\n    record: { properties: { user: { type: string, refers_to: | } } }\n  users: {}',
      ['calls', 'users'],
    ],
    ['nothing for a title', 'connector:\n  title: |', []],
  ])('values: %s', ([, marked, wanted]) => {
    expect(values(marked)).toEqual(wanted)
  })

  test('every key of the packaged manifests is one that would be offered in its place', () => {
    const missing: string[] = []
    for (const name of ['gong', 'jira', 'facebook-marketing']) {
      const text = readFileSync(
        new URL(`../../../../../manifests/${name}.yaml`, import.meta.url),
        'utf8',
      )
      for (const { 0: line, 1: key = '', index } of text.matchAll(/^\s*(?:- )?([a-z_]+):/gm)) {
        if (index > 30_000) break
        const place = placeIn(text, index + line.length - key.length)
        if (place?.kind !== 'key') continue
        const options = keysAt(schema, place)
        // Names of entities, fields and shapes are the author's own.
        if (options.length > 0 && !options.some((each) => each.name === key)) missing.push(key)
      }
    }
    expect(missing).toEqual([])
  })
})

describe('what the documentation says of a key', () => {
  function explained(marked: string): readonly [name: string, text: string | undefined] | null {
    const found = explain(schema, marked.replace('|', ''), marked.indexOf('|'))
    return found === null ? null : [found.name, found.description.split(/[.;]/)[0]]
  }

  test.for<readonly [string, string, string]>([
    ['at the root', 'conn|ector: { type: a }', 'connector'],
    ['where the key begins', '|connector: { type: a }', 'connector'],
    ['in braces', 'limits: { p|er: instance }', 'per'],
    ['below others', 'limits:\n  rate: 1/s\n  con|currency: 2', 'concurrency'],
  ])('%s', ([, marked, name]) => {
    const found = explained(marked)
    expect(found?.[0]).toBe(name)
    expect(found?.[1]).not.toBe('')
  })

  test.for([
    ['a value', 'limits: { per: inst|ance }'],
    ['a comment', '# conn|ector'],
    ['a name that the author chose', 'entities:\n  cal|ls: {}'],
    ['an empty line', 'manifest: 1\n|\n'],
    ['a key that the language does not have', 'colo|ur: red'],
  ])('nothing of %s', ([, marked = '']) => {
    expect(explained(marked)).toBe(null)
  })

  test('values that are listed, and whether it must be there', () => {
    expect(explain(schema, 'limits: { per: instance }', 11)?.values).toEqual([
      'instance',
      'connector',
    ])
    expect(explain(schema, 'connector: {}', 3)?.required).toBe(true)
  })
})
