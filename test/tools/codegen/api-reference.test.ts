// The OpenAPI document as Markdown: whole pages from small documents.
import { expect, test } from 'vitest'
import { apiReference, operationPages } from '../../../src/tools/codegen/api-reference.ts'

const DOCUMENT = {
  tags: [{ name: 'Instances' }],
  paths: {
    '/v1/things/{id}': {
      patch: {
        operationId: 'updateThing',
        tags: ['Instances'],
        summary: 'Change a <thing>',
        description: 'Change a <thing>. Takes application tokens.',
        'x-aliases': ['/api/v1/things/{id}'],
        'x-codeSamples': [{ source: "curl -X PATCH 'https://a.example/v1/things/7'" }],
        parameters: [
          {
            name: 'id',
            in: 'path',
            required: true,
            schema: { type: 'string' },
            description: 'Its id.',
          },
          {
            name: 'depth',
            in: 'query',
            required: false,
            schema: { type: 'integer', minimum: 1, default: 2, description: 'How deep | far.' },
          },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                required: ['name'],
                properties: { name: { type: 'string' }, kind: { enum: ['a', 'b'] } },
              },
              example: { name: 'x' },
            },
          },
        },
        responses: {
          '200': {
            description: 'The thing.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          '400': { description: 'request_malformed: Not readable; params_invalid: Not valid' },
        },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        required: ['id'],
        properties: {
          id: { type: 'string', description: 'Its id.' },
          parts: {
            type: 'array',
            items: { properties: { of: { $ref: '#/components/schemas/Thing' } } },
          },
          note: { anyOf: [{ type: 'null' }, { type: 'string' }] },
        },
      },
    },
  },
}

test('a page of one operation has what goes in, what comes out, its errors and a command', () => {
  const [page, ...others] = operationPages(DOCUMENT, { errorsPage: '../errors.md', isFull: true })
  expect(others).toEqual([])
  expect(page).toEqual({
    id: 'updateThing',
    group: 'Instances',
    summary: 'Change a <thing>',
    request: 'PATCH /v1/things/{id}',
    text: `## Change a \\<thing>

\`PATCH /v1/things/{id}\`

Takes application tokens. Also at \`/api/v1/things/{id}\`.

| Path parameter | Type | Required | Meaning |
| --- | --- | --- | --- |
| \`id\` | string | yes | Its id. |

| Query parameter | Type | Required | Meaning |
| --- | --- | --- | --- |
| \`depth\` | integer |  | How deep \\| far. At least 1. Default \`2\`. |

| Body | Type | Required | Meaning |
| --- | --- | --- | --- |
| \`name\` | string | yes |  |
| \`kind\` | \`a\`, \`b\` |  |  |

\`\`\`json
{
  "name": "x"
}
\`\`\`

Response 200: The thing.

| Member | Type | Always present | Meaning |
| --- | --- | --- | --- |
| \`id\` | string | yes | Its id. |
| \`parts\` | array |  |  |
| \`parts[].of\` | any |  |  |
| \`parts[].of.id\` | string | yes | Its id. |
| \`parts[].of.parts\` | array |  |  |
| \`parts[].of.note\` | string |  |  |
| \`note\` | string |  |  |

Errors: [\`request_malformed\`](../errors.md#request_malformed), [\`params_invalid\`](../errors.md#params_invalid).

\`\`\`sh
curl -X PATCH 'https://a.example/v1/things/7'
\`\`\``,
  })
})

test('on the page of all, what every operation can answer is said once', () => {
  const text = apiReference(DOCUMENT, 'All of it.', 'errors.md')
  expect(text).toMatch(/^# HTTP API\n\nAll of it\. Every path .*`request_malformed`, /)
  expect(text).toContain('Errors: [`params_invalid`](errors.md#params_invalid).\n')
  expect(text).not.toContain('curl')
})
