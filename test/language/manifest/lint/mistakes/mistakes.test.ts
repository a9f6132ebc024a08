import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loadManifest } from '../../../../../src/language/manifest/load.ts'
import { BLIND, KNOWN } from './mistakes.ts'
import { type PlacedMistake, SECOND } from './second-set.ts'

const MANIFEST = readFileSync(new URL('helpdesk.yaml', import.meta.url), 'utf8')

function lint(text: string): ReturnType<typeof loadManifest>['problems'] {
  return loadManifest({ file: 'helpdesk.yaml', text }).problems
}

test('the manifest of which the mistakes are edits has no finding', () => {
  expect(lint(MANIFEST)).toEqual([])
})

describe('a mistake is found, with its way out', () => {
  test.for([...BLIND, ...KNOWN].filter(({ rule }) => rule !== null))(
    '$name',
    ({ find, put, rule, way }) => {
      expect(MANIFEST.split(find), `"${find}" stands once in the manifest`).toHaveLength(2)
      const problems = lint(MANIFEST.replace(find, () => put))
      const [found] = problems.filter((problem) => problem.rule === rule)
      expect(found?.hint?.slice(0, way.length)).toBe(way)
      expect(problems.filter(({ hint }) => hint === null)).toEqual([])
    },
  )
})

test('at least 95 of 100 mistakes are found; those that no one could know are named with the reason', () => {
  const all = [...BLIND, ...KNOWN]
  const unknown = all.filter(({ rule }) => rule === null)
  expect(all.length).toBeGreaterThanOrEqual(90)
  expect(unknown.map(({ find, put }) => lint(MANIFEST.replace(find, () => put)))).toEqual(
    unknown.map(() => []),
  )
  expect(all.length - unknown.length).toBeGreaterThanOrEqual(0.95 * all.length)
})

/** What looks like a mistake and is none. */
const RIGHT: readonly { readonly name: string; readonly find: string; readonly put: string }[] = [
  {
    name: 'steps of which one runs in every call',
    find: `request:
          http: PUT /tickets/{{ params.id }}
          body: { ticket: { subject: "{{ params.subject }}", status: "{{ params.status }}", assignee_id: "{{ params.assignee_id }}" } }`,
    put: `steps:
          - { name: change, if: "{{ not params.status }}", request: { http: "PUT /tickets/{{ params.id }}", body: [subject, assignee_id] } }
          - { name: close, if: "{{ params.status }}", request: { http: "PUT /tickets/{{ params.id }}/status", body: [status, subject, assignee_id] } }`,
  },
  {
    name: 'a text with a dollar that the vendor wants',
    find: '{ sort_by: "{{ params.sort }}" }',
    put: `{ sort_by: "{{ params.sort }}" }, { path: "{{ '$.subject' }}" }, { price: $5 }`,
  },
  {
    name: 'a vendor of which the method has a colon',
    find: 'http: POST /tickets/search',
    put: 'http: POST /tickets:search',
  },
  {
    name: 'an update that removes a part of a record',
    find: 'http: PUT /tickets/{{ params.id }}',
    put: 'http: DELETE /tickets/{{ params.id }}/assignee',
  },
  {
    name: 'a path that only begins like the base URL',
    find: 'http: GET /users\n',
    put: 'http: GET /api/users\n',
  },
  {
    name: 'constants for some of the values, and the rest as they are',
    find: '"{{ lookup maps.priorities params.priority }}"',
    put: '"{{ default (lookup maps.priorities params.priority) params.priority }}"',
  },
  {
    name: 'a first page that is said although it is the usual one',
    find: 'pagination: { type: page, param: page,',
    put: 'pagination: { type: page, first: 1, param: page,',
  },
  {
    name: 'a cursor that is the id of the last record',
    find: 'next: $.next_page }',
    put: 'next: "$.results[-1].id" }',
  },
]

test.for(RIGHT)('no false alarm: $name', ({ find, put }) => {
  expect(MANIFEST.split(find)).toHaveLength(2)
  const found = lint(MANIFEST.replace(find, () => put))
  expect(found.filter(({ rule }) => rule !== 'sandbox/one-way-path')).toEqual([])
})

const MANIFESTS = globSync('{manifests,docs,test}/**/*.yaml').filter((file) =>
  /^manifest: 1/m.test(readFileSync(file, 'utf8')),
)

test('no manifest of the project has a finding but what the sandbox cannot write', () => {
  expect(MANIFESTS.length).toBeGreaterThan(10)
  const problems = MANIFESTS.flatMap((file) => {
    const all = loadManifest({ file, text: readFileSync(file, 'utf8') }).problems
    return all.map(({ rule }) => `${file} ${rule}`)
  })
  expect(problems.filter((found) => !found.endsWith('sandbox/one-way-path'))).toEqual([])
})

describe('the second set', () => {
  const texts = new Map(
    [...new Set(SECOND.map(({ manifest }) => manifest))].map((name) => [name, textOf(name)]),
  )

  /** The edited manifest, and the lines of it that the edit has changed. */
  function edited({ manifest, find, put }: PlacedMistake): {
    readonly text: string
    readonly isChanged: (line: number) => boolean
  } {
    const text = texts.get(manifest) ?? ''
    const start = text.indexOf(find)
    expect(start, `"${find}" stands in ${manifest}`).toBeGreaterThanOrEqual(0)
    const first = text.slice(0, start).split('\n').length
    const last = first + Math.max(put.split('\n').length, find.split('\n').length) - 1
    return {
      text: text.slice(0, start) + put + text.slice(start + find.length),
      isChanged: (line) => line >= first && line <= last,
    }
  }

  test.for(SECOND.filter(({ rule }) => rule !== null))('$manifest: $name: $put', (mistake) => {
    const { text, isChanged } = edited(mistake)
    const { problems } = loadManifest({ file: `${mistake.manifest}.yaml`, text })
    const found = problems.filter(
      ({ rule, hint }) => rule === mistake.rule && hint?.startsWith(mistake.way) === true,
    )
    const lines = text.split('\n')
    expect(
      found.some(({ line }) =>
        mistake.at === undefined ? isChanged(line) : lines[line - 1]?.trim() === mistake.at,
      ),
    ).toBe(true)
    expect(problems.filter(({ hint }) => hint === null)).toEqual([])
  })

  test('at least 95 of 100 that can be known are found; the others are named with the reason', () => {
    const unknown = SECOND.filter(({ rule }) => rule === null)
    const known = SECOND.filter(({ way }) => way !== 'only the vendor knows it')
    expect(
      unknown.map(
        (mistake) =>
          loadManifest({ file: `${mistake.manifest}.yaml`, text: edited(mistake).text }).problems,
      ),
    ).toEqual(unknown.map(() => []))
    const found = known.filter(({ rule }) => rule !== null)
    expect(found.length / known.length).toBeGreaterThanOrEqual(0.95)
  })
})

/** One of the manifests next to this file, or a packaged one. */
function textOf(name: string): string {
  const own = new URL(`${name}.yaml`, import.meta.url)
  return readFileSync(existsSync(own) ? own : `manifests/${name}.yaml`, 'utf8')
}
