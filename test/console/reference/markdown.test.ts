// The Markdown of our own documents as a tree.
import { globSync, readFileSync } from 'node:fs'
import type { MarkedToken } from 'marked'
import { expect, test } from 'vitest'
import {
  anchorOf,
  blocksIn,
  idIn,
  readMarkdown,
  tokensIn,
  wordsIn,
} from '../../../src/console/reference/markdown.ts'

/** Kinds and words of what a paragraph consists of. */
function partsOf(text: string): readonly (readonly [string, string])[] {
  const [block] = readMarkdown(text)
  return block === undefined || !('tokens' in block)
    ? []
    : tokensIn(block).map((token) => [token.type, wordsIn([token])])
}

test.for([
  [
    'code keeps what it has',
    'a `b | **c**` d',
    [
      ['text', 'a '],
      ['codespan', 'b | **c**'],
      ['text', ' d'],
    ],
  ],
  ['code in two ticks may have one', '`` a`b ``', [['codespan', 'a`b']]],
  ['a link with code', '[`x`](y.md#z)', [['link', 'x']]],
  [
    'emphasis, and none within words',
    '_a_ b_c_d **e**',
    [
      ['em', 'a'],
      ['text', ' b_c_d '],
      ['strong', 'e'],
    ],
  ],
  [
    'what is escaped is text',
    String.raw`\<id> &lt;b &amp;amp;`,
    [
      ['escape', '<'],
      ['text', 'id> <b &amp;'],
    ],
  ],
  ['an address', '<https://a.example>', [['link', 'https://a.example']]],
] as const)('%s', ([, given, want]) => expect(partsOf(given)).toEqual(want))

test('of markup, anchors and comments are not seen, and all else is text', () => {
  expect(wordsIn(readMarkdown('<!-- Made. -->'))).toBe('')
  expect(wordsIn(readMarkdown('<script>alert(1)</script>'))).toBe('<script>alert(1)</script>')
  expect(wordsIn(readMarkdown('a <b onclick="x">c</b>'))).toBe('a <b onclick="x">c</b>')
  const [row] = readMarkdown('<a id="x"></a>`code`')
  const parts = row === undefined || !('tokens' in row) ? [] : tokensIn(row)
  expect([parts.map(idIn), wordsIn(parts)]).toEqual([['x', undefined, undefined], 'code'])
})

test.for([
  ['A title', 'a-title'],
  ['Access key (`access_key`)', 'access-key-access_key'],
  ['The [other](b.md#c) one, too', 'the-other-one-too'],
] as const)('a heading has the address that GitHub gives it: %s', ([given, want]) =>
  expect(anchorOf(given)).toBe(want),
)

test('blocks are told in their order, those in lists and quotes too', () => {
  const blocks = blocksIn(
    readMarkdown(
      '# One\n\n- two\n\n  ```sh\n  three\n  ```\n\n> four\n\n| five |\n| --- |\n| six |\n',
    ),
  )
  expect(
    [...blocks]
      .filter(({ type }) => type !== 'space')
      .map((block) => [block.type, wordsIn([block]).trim()]),
  ).toEqual([
    ['heading', 'One'],
    ['list', ''],
    ['paragraph', 'two'],
    ['code', 'three'],
    ['blockquote', 'four'],
    ['paragraph', 'four'],
    ['table', ''],
  ])
})

const files = [...globSync('docs/**/*.md'), 'CHANGELOG.md']

test.for(files)('nothing of %s is left as marks', (file) => {
  const given = readFileSync(file, 'utf8').replace(/^---\n[\s\S]*?\n---\n/, '')
  const left = [...blocksIn(readMarkdown(given))]
    .flatMap(textsIn)
    .filter((words) => /\]\(|\*\*|^#+ |^\||```/.test(words))
  expect(left).toEqual([])
})

/** Texts that are no code. */
function textsIn(block: MarkedToken): readonly string[] {
  const parts =
    block.type === 'table'
      ? [...block.header, ...block.rows.flat()]
      : block.type === 'heading' || block.type === 'paragraph' || block.type === 'text'
        ? [block]
        : []
  return parts.map((part) => wordsIn(tokensIn(part).filter(({ type }) => type !== 'codespan')))
}
