import { expect, test } from 'vitest'
import { formatBytes, progressLine, textInPlace, withProgress } from '../../src/cli/progress.ts'
import type { Channel } from '../../src/cli/terminal.ts'

function channel(isTerminal: boolean): Channel & { readonly told: string[] } {
  const told: string[] = []
  return {
    told,
    isTerminal,
    isColoured: false,
    columns: 40,
    rows: 24,
    write: (text) => void told.push(text),
    paint: (_style, text) => text,
  }
}

test.for([
  {
    done: 500,
    total: 2000,
    seconds: 2,
    want: 'n  ██████░░░░░░░░░░░░░░░░░░ 500 of 2000  250/s  6 s left',
  },
  {
    done: 10,
    total: 36_010,
    seconds: 1,
    want: 'n  ░░░░░░░░░░░░░░░░░░░░░░░░ 10 of 36010  10/s  1 h 0 min left',
  },
  {
    done: 10,
    total: 1010,
    seconds: 1,
    want: 'n  ░░░░░░░░░░░░░░░░░░░░░░░░ 10 of 1010  10/s  1 min 40 s left',
  },
  { done: 500, total: null, seconds: 2, want: 'n  500  250/s' },
  { done: 5, total: 10, seconds: 0.1, want: 'n  ████████████░░░░░░░░░░░░ 5 of 10' },
])('$done of $total after $seconds s', ({ done, total, seconds, want }) =>
  expect(progressLine({ label: 'n' }, done, total, seconds)).toBe(want),
)

test('amounts are told in their unit', () =>
  expect(progressLine({ label: 'f', format: formatBytes }, 2048, null, 1)).toBe(
    'f  2.0 KiB  2.0 KiB/s',
  ))

test('a person sees a line no wider than the terminal, which goes at the end; nobody else sees one', async () => {
  const run = (err: Channel): Promise<number> =>
    withProgress(err, { label: 'a label of some length' }, (update) => {
      update(1, 1)
      return Promise.resolve(7)
    })
  const [seen, unseen] = [channel(true), channel(false)]
  expect([await run(seen), await run(unseen), unseen.told]).toEqual([7, 7, []])
  expect(seen.told).toHaveLength(2)
  expect(seen.told[0]).toHaveLength('\r\u001B[2K'.length + 39)
  expect(seen.told[1]).toBe('\r\u001B[2K')
})

test('a text is written again where it stands, however many lines of the screen it takes', () => {
  const told: string[] = []
  const place = textInPlace({ columns: 10, rows: 5, write: (text) => void told.push(text) })
  place.draw('one\ntwo is longer\n')
  place.draw('one\ntwo\nthree\nfour\nfive\n')
  place.clear()
  place.clear()
  expect(told).toEqual([
    'one\ntwo is longer\n',
    '\u001B[3A\r\u001B[J',
    'one\ntwo\nthree\nfour\n',
    '\u001B[4A\r\u001B[J',
  ])
})
