// References that would be written out almost without end.
import { describe, expect, test } from 'vitest'
import { loadManifest } from '../../../src/language/manifest/load.ts'

/** A manifest whose parameter is the first of `count` shapes, each with members of the next one. */
function chained(count: number, members: number): string {
  const shapes = Array.from({ length: count }, (_, at) => {
    const next = Array.from(
      { length: members },
      (_member, of) => `m${of}: { $ref: "#/shapes/s${at + 1}" }`,
    )
    return `  s${at}: { type: object, additionalProperties: false, properties: { ${next.join(', ')} } }`
  })
  return `
manifest: 1
connector: { type: acme, title: Acme, version: 1.0.0 }
server: { url: https://api.acme.example }
auth:
  key:
    credentials: { required: [api_key], properties: { api_key: { type: string, writeOnly: true } } }
    apply: { bearer: "{{ credentials.api_key }}" }
check: { entity: items, action: list }
entities:
  items:
    record: { properties: { id: { type: string } } }
    actions:
      list:
        request: { http: GET /items }
        response: { records: $.items }
        pagination: { type: none, reason: there are few }
      create:
        params: { properties: { item: { $ref: "#/shapes/s0" } } }
        request: { http: POST /items, body: { item: "{{ params.item }}" } }
shapes:
${shapes.join('\n')}
  s${count}: { type: string }
`
}

function rulesOf(text: string): readonly string[] {
  const { problems } = loadManifest({ file: 'acme.yaml', text })
  return problems.filter(({ severity }) => severity === 'error').map(({ rule }) => rule)
}

describe('X3 shapes that hold each other many times', () => {
  test.for([
    { count: 5, members: 3, want: [] },
    { count: 90, members: 1, want: [] },
    // Seven million, for which the load took a minute, and far more than a lifetime.
    { count: 14, members: 3, want: ['references/many'] },
    { count: 90, members: 9, want: ['references/many'] },
    // Each takes a place on the stack of what walks into it.
    { count: 3000, members: 1, want: ['references/many'] },
  ])('$count in a row with $members members each: $want', ({ count, members, want }) => {
    expect(rulesOf(chained(count, members))).toEqual(want)
  })
})
