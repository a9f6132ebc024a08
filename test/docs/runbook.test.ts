// Every command of Tenon that the runbook names exists, with its flags.
import { expect, test } from 'vitest'
import { blocksOf } from './blocks.ts'
import { callsIn, expectCall } from './command-line.ts'

const lines = blocksOf('docs/runbook.md')
  .flatMap(({ text }) => text.trim().split('\n'))
  .map((line) => line.trim())
  .filter((line) => line.startsWith('tenon '))

test('there are many', () => expect(lines.length).toBeGreaterThan(15))

test.for([...new Set(lines)])('%s', async (line) => {
  const [call, ...more] = callsIn(line)
  expect(more).toEqual([])
  await expectCall(call ?? [])
})
