import { expect, test } from 'vitest'
import { wrapCommand, wrapLine, wrapParagraphs, wrapText } from '../../src/cli/wrap.ts'

const room = { isTerminal: true, columns: 30 }
const pipe = { isTerminal: false, columns: 30 }

test.for([
  { line: 'short', indent: 4, want: ['short'] },
  {
    line: '  name  string  What the thing is called here',
    indent: 6,
    want: ['  name  string  What the thing', '      is called here'],
  },
  {
    line: '  a https://example.com/an/address/that/is/long b',
    indent: 2,
    want: ['  a', '  https://example.com/an/address/that/is/long', '  b'],
  },
  { line: 'too little room for a hanging indent here', indent: 25, want: null },
])('$line', ({ line, indent, want }) => {
  expect(wrapLine(line, room, indent).split('\n')).toEqual(want ?? [line])
  expect(wrapLine(line, pipe, indent)).toBe(line)
})

test('lines of a text keep their own indent', () =>
  expect(wrapText('  one two three four five six seven\nend', room)).toBe(
    '  one two three four five six\n    seven\nend',
  ))

test('a paragraph is broken by its words, and ends where a sentence ends with its line', () => {
  const text = 'The newest first, and the rest\nbehind them all.\nAnother one.'
  expect(wrapParagraphs(text, { isTerminal: true, columns: 40 })).toBe(
    'The newest first, and the rest behind\nthem all.\nAnother one.',
  )
  expect(wrapParagraphs(text, pipe)).toBe(text)
})

test('a command is broken between its words so that a shell takes it, and its comment stands before it', () => {
  expect(wrapCommand(`  tenon try jira --params '{"a":"b c"}' --all   # one of them`, room)).toBe(
    [
      `  # one of them`,
      `  tenon try jira \\`,
      `      --params '{"a":"b c"}' \\`,
      `      --all`,
    ].join('\n'),
  )
  expect(wrapCommand('  tenon describe jira', room)).toBe('  tenon describe jira')
})
