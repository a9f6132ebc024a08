// The changed lines of a text.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffLines } from '../../../src/tools/authoring/diff-lines.ts'

const TEN = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']

test('equal texts have no changed lines', () => {
  expect(diffLines('a\nb', 'a\nb')).toEqual([])
})

test('a changed line stands between three lines before and after it', () => {
  expect(diffLines(TEN.join('\n'), TEN.with(4, 'E').join('\n'))).toEqual([
    {
      from: 2,
      lines: [
        { kind: 'same', text: 'b' },
        { kind: 'same', text: 'c' },
        { kind: 'same', text: 'd' },
        { kind: 'removed', text: 'e' },
        { kind: 'added', text: 'E' },
        { kind: 'same', text: 'f' },
        { kind: 'same', text: 'g' },
        { kind: 'same', text: 'h' },
      ],
    },
  ])
})

test('changes that are far apart are parts of their own', () => {
  const now = ['new', ...TEN, ...TEN, 'last']
  expect(diffLines([...TEN, ...TEN].join('\n'), now.join('\n')).map(({ from }) => from)).toEqual([
    1, 19,
  ])
})

test('a long text with few changes shows only them', () => {
  const before = Array.from({ length: 4000 }, (_, line) => `line ${line}`)
  const now = before.with(1, 'second').with(3998, 'last but one')
  const changed = diffLines(before.join('\n'), now.join('\n')).map(({ from, lines }) => [
    from,
    lines.filter(({ kind }) => kind !== 'same').map(({ text }) => text),
  ])
  expect(changed).toEqual([
    [1, ['line 1', 'second']],
    [3996, ['line 3998', 'last but one']],
  ])
})

test('the parts lead from the old text to the new one, whatever they are', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })
  fc.assert(
    fc.property(text, text, (old, now) => {
      const lines = diffLines(old.join('\n'), now.join('\n')).flatMap((part) => part.lines)
      const removed = lines.filter(({ kind }) => kind === 'removed').map((line) => line.text)
      const added = lines.filter(({ kind }) => kind === 'added').map((line) => line.text)
      const kept = lines.filter(({ kind }) => kind === 'same').length
      const [before, after] = [old.join('\n').split('\n'), now.join('\n').split('\n')]
      expect(before.length - removed.length).toBe(after.length - added.length)
      expect(kept).toBeLessThanOrEqual(before.length - removed.length)
      // Short texts are shown whole, but for what is far from any change.
      if (removed.length + added.length > 0 && lines.length === before.length + added.length) {
        const of = (other: string) =>
          lines.filter(({ kind }) => kind !== other).map((line) => line.text)
        expect([of('added'), of('removed')]).toEqual([before, after])
      }
    }),
    { numRuns: 300 },
  )
})
