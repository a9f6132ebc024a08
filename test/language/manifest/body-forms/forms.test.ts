// The table of body forms against what else names them: the schema of manifests, its document, other sources.
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../../src/language/json/json.ts'
import { BODY_WORDS, dataOf, FORMS } from '../../../../src/language/manifest/body-forms/forms.ts'
import { readSchema } from '../../../../src/language/manifest/schema-problems.ts'
import { compileSchema } from '../../../../src/language/manifest/validator.ts'
import { actionOf } from '../resolved.ts'

const kinds = ['none', ...Object.values(FORMS).map(({ kind }) => kind)]

/** A body of each form. The compiler asks for that of a new one. */
const EXAMPLES: Readonly<Record<keyof typeof FORMS, { source: unknown; hasData: boolean }>> = {
  body: { source: { a: '{{ params.a }}' }, hasData: true },
  form: { source: ['a'], hasData: true },
  multipart: { source: { a: '{{ params.a }}' }, hasData: true },
  related: { source: [{ json: { a: '{{ params.a }}' } }], hasData: false },
  graphql: { source: { query: '{ a }', variables: ['a'] }, hasData: true },
  text: { source: { type: 'text/xml', value: '<a>{{ xml params.a }}</a>' }, hasData: false },
  bytes: { source: { base64: '{{ params.a }}', type: 'image/png' }, hasData: false },
  mcp: { source: 'a_tool', hasData: true },
}
const examples = Object.entries(EXAMPLES)
const params = { properties: { a: { type: 'string' } } }

test('the schema takes each form, and no two of them together', () => {
  const { definitions } = readSchema() as { readonly definitions: JsonObject }
  const takes = compileSchema({ definitions, $ref: '#/definitions/request' })
  const pairs = examples.flatMap(([one, first], index) =>
    examples.slice(index + 1).map(([two, second]) => ({
      http: 'POST /x',
      [one]: first.source,
      [two]: second.source,
    })),
  )
  expect(
    examples.filter(([word, { source }]) => !takes({ http: 'POST /x', [word]: source })),
  ).toEqual([])
  expect(pairs.filter((request) => takes(request))).toEqual([])
})

test('the document of the language names each', () => {
  const text = readFileSync('docs/manifest-language.md', 'utf8')
  const rows = [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, word]) => word)
  expect(BODY_WORDS.filter((word) => !rows.includes(word))).toEqual([])
})

test.for(examples)('%s resolves to its kind, and tells its data', ([word, { source, hasData }]) => {
  const action = actionOf('create', { params, request: { http: 'POST /x', [word]: source } })
  const body = action.steps[0]?.request.body ?? { kind: 'none' }
  const { kind } = FORMS[word as keyof typeof FORMS]
  expect([body.kind, dataOf(body) !== null]).toEqual([kind, hasData])
})

test('no other source asks for the form of a body', () => {
  const asked = new RegExp(`\\bbody\\.kind [!=]== '(?!none')(${kinds.join('|')})'`)
  const sources = globSync('src/**/*.{ts,tsx}', {
    // The last is of bodies that callers of a raw request give.
    exclude: [
      'src/tools/authoring/openapi/**',
      'src/sandbox/http-server.ts',
      'src/client/own-request.ts',
    ],
  })
  expect(sources.length).toBeGreaterThan(500)
  expect(sources.filter((file) => asked.test(readFileSync(file, 'utf8')))).toEqual([])
})
