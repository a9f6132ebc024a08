// Every command that the runbook names exists, with its flags.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { callsIn, expectCall } from './command-line.ts'

const text = readFileSync('docs/runbook.md', 'utf8')
const lines = [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)]
  .flatMap(([, block = '']) => block.trim().split('\n'))
  .map((line) => line.trim())

test('there are many', () => expect(lines.length).toBeGreaterThan(15))

test.for([...new Set(lines)])('%s', async (line) => {
  const [call, ...more] = callsIn(line)
  expect(more).toEqual([])
  await expectCall(call ?? [])
})
