// Names as people gave them: what would be invisible, or would turn the text around it, has its code point.
import { expect, test } from 'vitest'
import { plainLine, plainText, withoutMiddle } from '../../src/display/plain-text.ts'

test.for([
  { text: 'Company 0044', want: 'Company 0044' },
  { text: 'abc\u202Egnp.exe', want: 'abc⟨U+202E⟩gnp.exe' },
  { text: '\u2066a\u2069\u200E', want: '⟨U+2066⟩a⟨U+2069⟩⟨U+200E⟩' },
  { text: 'a\u001B[31mred', want: 'a⟨U+001B⟩[31mred' },
  { text: 'zero\u200Bwidth', want: 'zero⟨U+200B⟩width' },
  // Joiners belong to words and emoji.
  { text: '👩\u200D🔧 می\u200Cروم', want: '👩\u200D🔧 می\u200Cروم' },
])('$text is $want', ({ text, want }) => {
  expect(plainText(text)).toBe(want)
  expect(plainLine(text)).toBe(want)
})

test.for([
  { text: 'Company 0044', most: 12, want: 'Company 0044' },
  { text: 'Company 0044', most: 11, want: 'Compa… 0044' },
  { text: 'Company 0044', most: 8, want: 'Comp…044' },
  { text: '👩\u200D🔧👩\u200D🔧👩\u200D🔧👩\u200D🔧', most: 3, want: '👩\u200D🔧…👩\u200D🔧' },
])('$text in $most characters is $want', ({ text, most, want }) =>
  expect(withoutMiddle(text, most)).toBe(want),
)

test('in one line breaks and tabs are a blank', () =>
  expect(plainLine('one\r\n\ttwo\u2028three\u202E')).toBe('one two three⟨U+202E⟩'))
