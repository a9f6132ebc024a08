// What the search of the documentation finds, in which order, and where it leads.
import { expect, test } from 'vitest'
import { pathOf } from '../../../src/console/reference/page-place.ts'
import { forgiven, hitsIn, readPage, sentenceIn } from '../../../src/console/reference/sections.ts'

const pages = Object.entries({
  events: `# Events

Deliveries of events.

## Retries

Each delivery is tried again. After 3 days it is given up; \`tenon doctor\` tells of it.

- The first pause has one minute.

## Signatures

\`\`\`sh
tenon webhooks rotate-secret
\`\`\`
`,
  deliveries: '# Deliveries\n\nWhat becomes of a retry.\n',
  errors: `# Errors

| Code | Meaning |
| --- | --- |
| <a id="token_invalid"></a>\`token_invalid\` | Token is not valid |
`,
  'operations/listLogs': `# List log entries

\`GET /v1/logs\`

| Query parameter | Type | Required | Meaning |
| --- | --- | --- | --- |
| \`limit\` | integer |  | At most 100. |

Response 200: The entries.

| Member | Type | Always present | Meaning |
| --- | --- | --- | --- |
| \`data[].kind\` | string | yes | What it tells of. |
`,
}).map(([path, text]) =>
  readPage({ path, group: 'Guides', title: /^# (.*)/.exec(text)?.[1] ?? '', about: 'It.' }, text),
)

/** Addresses below `/docs` without what stands before it, with the sentence. */
function found(...words: readonly string[]): readonly string[] {
  return hitsIn(pages, words).map(
    ({ page, id, line }) => `${pathOf(page, id)} ${sentenceIn(words, line)}`,
  )
}

test.for([
  {
    name: 'a title is before a heading, and a heading before a text',
    words: ['deliver'],
    want: [
      '/docs/deliveries It.',
      '/docs/events Deliveries of events.',
      '/docs/events#retries Each delivery is tried again.',
    ],
  },
  {
    name: 'a heading with the words of its page',
    words: ['events', 'retries'],
    want: ['/docs/events#retries Each delivery is tried again.'],
  },
  {
    name: 'words of one section, and the sentence that has most of them',
    words: ['given', 'days', 'minute'],
    want: ['/docs/events#retries After 3 days it is given up; tenon doctor tells of it.'],
  },
  {
    name: 'code',
    words: ['rotate-secret'],
    want: ['/docs/events#signatures tenon webhooks rotate-secret'],
  },
  {
    name: 'a row that has an address',
    words: ['token', 'valid'],
    want: ['/docs/errors#token_invalid Token is not valid'],
  },
  {
    name: 'a parameter of an operation',
    words: ['limit'],
    want: ['/docs#listLogs.query.limit At most 100.'],
  },
  {
    name: 'a member of an answer leads to what it stands in',
    words: ['data', 'kind'],
    want: ['/docs#listLogs.200.data What it tells of.'],
  },
  {
    name: 'an operation by its request',
    words: ['get', '/v1/logs'],
    want: ['/docs#listLogs GET /v1/logs'],
  },
  {
    name: 'words of one page that stand apart, once, where most of them are',
    words: ['given', 'days', 'rotate'],
    want: ['/docs/events#retries After 3 days it is given up; tenon doctor tells of it.'],
  },
  { name: 'words that are on no page together', words: ['minute', 'valid'], want: [] },
  { name: 'no words', words: [], want: [] },
])('$name', ({ words, want }) => expect(found(...words)).toEqual(want))

test.for([
  { name: 'a letter too few', words: ['delivry'], want: ['delivery'] },
  {
    name: 'two letters swapped, next to a word that is there',
    words: ['token', 'singatures'],
    want: ['token', 'signatures'],
  },
  { name: 'nothing was mistyped', words: ['delivery'], want: null },
  { name: 'nothing is near', words: ['spreadsheet'], want: null },
  { name: 'a short word is another word', words: ['evt'], want: null },
])('one letter is forgiven: $name', ({ words, want }) =>
  expect(forgiven(pages, words)).toEqual(want),
)

test('what explains is before an operation that has the words as well, and its sentence has no marks', () => {
  const about = '`GET /v1/a`.'
  const operation = readPage(
    { path: 'operations/a', group: 'API', title: 'Refresh', about },
    '# Refresh\n\nOAuth tokens.\n',
  )
  const guide = readPage(
    { path: 'b', group: 'Guides', title: 'Tokens', about: '' },
    '# Tokens\n\nHow OAuth can refresh.\n',
  )
  expect(hitsIn([operation, guide], ['oauth', 'refresh']).map(({ page }) => page.path)).toEqual([
    'b',
    'operations/a',
  ])
  expect(hitsIn([operation], ['refresh']).map(({ line }) => line)).toEqual(['GET /v1/a.'])
})

test('a page that has a word in many sections is found three times', () => {
  const text = Array.from({ length: 9 }, (_, at) => `## Part ${at}\n\nA word.\n`).join('\n')
  const page = readPage({ path: 'a', group: 'Guides', title: 'A page', about: '' }, text)
  expect(hitsIn([page], ['word']).map(({ id }) => id)).toEqual(['part-0', 'part-1', 'part-2'])
})

test('fields with one name are told once, behind what guides say', () => {
  const operation = (name: string) =>
    readPage(
      { path: `operations/${name}`, group: 'Operations', title: name, about: '' },
      `# ${name}\n\n| Query parameter | Type | Required | Meaning |\n| --- | --- | --- | --- |\n| \`cursor\` | string |  | Where it begins. |\n`,
    )
  const guide = readPage(
    { path: 'paging', group: 'Guides', title: 'Paging', about: '' },
    '# Paging\n\nEach page has a cursor.\n',
  )
  const all = [operation('listLogs'), operation('listAudit'), guide]
  expect(hitsIn(all, ['cursor']).map(({ page, id, others }) => [page.path, id, others])).toEqual([
    ['paging', '', 0],
    ['operations/listLogs', 'query.cursor', 1],
  ])
})
