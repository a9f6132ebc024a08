// How a sentence tells a moment: exact to programs, in words and by the clock to people.
import { expect, test } from 'vitest'
import { momentsFor } from '../../src/cli/moments.ts'
import { clockLocal, exactLocal } from '../../src/display/local-time.ts'

// At noon by the clock of whatever place this is.
const nowMs = new Date(2026, 10, 28, 12, 0, 0).getTime()
const at = (seconds: number): string => new Date(nowMs + seconds * 1000 + 123).toISOString()

test.for([
  [42, 'in 42 seconds (TIME)', 'TIME'],
  [0, 'now (TIME)', 'TIME'],
  [1, 'in 1 second (TIME)', 'TIME'],
  [5, 'in 5 seconds (TIME)', 'TIME'],
  [600, 'in 10 minutes (TIME)', 'TIME'],
  [-30, 'just now (TIME)', 'TIME'],
  [-7200, '2 hours ago (TIME)', 'TIME'],
  [86_400, 'in 1 day (DAY)', 'DAY'],
] as const)('in a terminal, of %i seconds from now', ([seconds, away, clock]) => {
  const moment = at(seconds)
  const filled = (text: string): string =>
    text.replace('TIME', clockLocal(moment)).replace('DAY', exactLocal(moment))
  const moments = momentsFor({ isTerminal: true }, nowMs)
  expect([moments.away(moment), moments.clock(moment)]).toEqual([filled(away), filled(clock)])
})

test('a file has it as it is', () => {
  const moments = momentsFor({ isTerminal: false }, nowMs)
  expect([moments.away(at(42)), moments.clock(at(42))]).toEqual([at(42), at(42)])
})
