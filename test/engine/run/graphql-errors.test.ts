// Answers of GraphQL with errors in them, and what an answer lacks that the next request needs.
import { expect, test } from 'vitest'
import { connect } from '../../../src/client/connect.ts'
import { loadManifest } from '../../../src/client/load-manifest.ts'
import { scriptedUpstream } from '../../../src/sandbox/testing/scripted-upstream.ts'

const NONE = { type: 'none', reason: 'There are few.' }
const LIST = {
  request: { http: 'POST /graphql', graphql: { query: 'query { things { id } }' } },
  response: { records: '$.data.things' },
  pagination: NONE,
}
const CREATE = {
  params: { properties: { name: { type: 'string' } } },
  request: {
    http: 'POST /graphql',
    graphql: {
      query: 'mutation ($name: String) { make(name: $name) { id } }',
      variables: { name: '{{ params.name }}' },
    },
  },
  response: { record: '$.data.make' },
}

/** What a call gives when the vendor answers these, and how often it was asked. */
async function given(actions: object, action: string, answers: readonly object[]) {
  await using upstream = await scriptedUpstream(answers.map((body) => ({ answer: { body } })))
  const manifest = await loadManifest({
    manifest: 1,
    connector: { type: 'acme', title: 'Acme', version: '1.0.0' },
    server: { url: 'https://api.acme.example' },
    auth: { none: { apply: 'none' } },
    entities: { things: { record: { properties: { id: { type: 'string' } } }, actions } },
  })
  await using client = await connect(manifest, { credentials: {}, ...upstream.options() })
  const result = await client.execute('things', action as 'list', {}).then(
    ({ data }) => data as unknown,
    ({ code, outcome }: { readonly code: string; readonly outcome: string }) => ({ code, outcome }),
  )
  return { result, asked: upstream.requests.length }
}

const SOME = { data: { things: [{ id: '1' }] } }
const errors = [{ message: 'denied' }]

test.for<{ name: string; action: 'list' | 'create'; body: object; want: unknown }>([
  { name: 'no errors', action: 'list', body: SOME, want: [{ id: '1' }] },
  {
    name: 'an empty list of errors',
    action: 'list',
    body: { ...SOME, errors: [] },
    want: [{ id: '1' }],
  },
  {
    name: 'a part of the data',
    action: 'list',
    body: { ...SOME, errors },
    want: { code: 'upstream_unprocessable', outcome: 'not_applied' },
  },
  {
    name: 'no data, as nothing was executed',
    action: 'create',
    body: { errors },
    want: { code: 'upstream_rejected', outcome: 'not_applied' },
  },
  {
    name: 'data that an error took away',
    action: 'create',
    body: { data: null, errors },
    want: { code: 'upstream_unprocessable', outcome: 'uncertain' },
  },
])('an answer with $name', async ({ action, body, want }) => {
  expect((await given({ list: LIST, create: CREATE }, action, [body])).result).toEqual(want)
})

test('a manifest may take a part of the data', async () => {
  const taken = JSON.parse(
    '{"when":{"body":{"$.errors[0].message":"denied"}},"then":"ok"}',
  ) as object
  const list = { ...LIST, errors: [taken] }
  expect(await given({ list }, 'list', [{ ...SOME, errors }])).toMatchObject({
    result: [{ id: '1' }],
  })
})

test('an answer that lacks what the next request needs is the fault of the third party', async () => {
  const list = {
    steps: [
      { name: 'start', request: { http: 'POST /jobs' } },
      { name: 'read', request: { http: 'GET /jobs/{{ steps.start.body.id }}' } },
    ],
    response: { records: '$.rows' },
    pagination: NONE,
  }
  expect(await given({ list }, 'list', [{ no: 'id' }])).toEqual({
    result: { code: 'upstream_malformed', outcome: 'not_applied' },
    asked: 1,
  })
})
