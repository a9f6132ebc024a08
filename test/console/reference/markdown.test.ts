// The Markdown of our own documents as data.
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  type Block,
  readInline,
  readMarkdown,
  wordsIn,
} from '../../../src/console/reference/markdown.ts'

const text = (words: string) => ({ kind: 'text', text: words })

test.for([
  [
    'code keeps what it has',
    'a `b | **c**` d',
    [text('a '), { kind: 'code', text: 'b | **c**' }, text(' d')],
  ],
  ['code in two ticks may have one', '`` a`b ``', [{ kind: 'code', text: 'a`b' }]],
  [
    'a link with code',
    '[`x`](y.md#z)',
    [{ kind: 'link', to: 'y.md#z', inside: [{ kind: 'code', text: 'x' }] }],
  ],
  [
    'emphasis, and none within words',
    '_a_ b_c_d **e**',
    [
      { kind: 'emphasis', inside: [text('a')] },
      text(' b_c_d '),
      { kind: 'strong', inside: [text('e')] },
    ],
  ],
  [
    'what is escaped is text',
    String.raw`\<id> &lt;b`,
    [text('<'), text('id> '), text('<'), text('b')],
  ],
  [
    'an anchor and an address',
    '<a id="x"></a><https://a.example>',
    [
      { kind: 'anchor', id: 'x' },
      { kind: 'link', to: 'https://a.example', inside: [text('https://a.example')] },
    ],
  ],
  ['markup is text', '<script>alert(1)</script>', [text('<script>alert(1)</script>')]],
] as const)('%s', ([, given, want]) => expect(readInline(given)).toEqual(want))

test('a document in blocks', () => {
  const blocks = readMarkdown(`# The title

<!-- Made. -->
A text
of two lines.

- one
- two

  \`\`\`sh
  run it
  \`\`\`
1. first

| A | B |
| --- | --- |
| \`a\\|b\` | c |
`)
  expect(blocks).toEqual([
    { kind: 'heading', level: 1, id: 'the-title', inside: [text('The title')] },
    { kind: 'paragraph', inside: [text('A text of two lines.')] },
    {
      kind: 'list',
      isOrdered: false,
      items: [
        [{ kind: 'paragraph', inside: [text('one')] }],
        [
          { kind: 'paragraph', inside: [text('two')] },
          { kind: 'code', language: 'sh', text: 'run it', number: 1 },
        ],
      ],
    },
    { kind: 'list', isOrdered: true, items: [[{ kind: 'paragraph', inside: [text('first')] }]] },
    {
      kind: 'table',
      number: 2,
      head: [[text('A')], [text('B')]],
      rows: [[[{ kind: 'code', text: 'a|b' }], [text('c')]]],
    },
  ])
})

test('lines behind > are one quote', () => {
  expect(readMarkdown('> One\n> two.\n\nThree.')).toEqual([
    { kind: 'quote', inside: [text('One two.')] },
    { kind: 'paragraph', inside: [text('Three.')] },
  ])
})

const files = [...globSync('docs/**/*.md'), 'CHANGELOG.md']

test.for(files)('nothing of %s is left as marks', (file) => {
  const given = readFileSync(file, 'utf8').replace(/^---\n[\s\S]*?\n---\n/, '')
  const left = readMarkdown(given)
    .flatMap(textsIn)
    .filter((words) => /\]\(|\*\*|^#+ |^\||```/.test(words))
  expect(left).toEqual([])
})

/** Texts that are no code. */
function textsIn(block: Block): readonly string[] {
  if (block.kind === 'code') return []
  if (block.kind === 'list') return block.items.flat().flatMap(textsIn)
  const parts = block.kind === 'table' ? [...block.head, ...block.rows.flat()] : [block.inside]
  return parts.map((inside) => wordsIn(inside.filter(({ kind }) => kind !== 'code')))
}
