// A test waits for a condition (`eventually`, `expect.poll`), never for time: what takes a moment here takes a second on
// a busy machine. Where time itself is what is tested, the line above says why: `// Waits for time: <reason>`.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const TESTS = join(import.meta.dirname, '..')
/** Calls of timers, by their usual names, and the sleep of a real clock. */
const WAIT =
  /(?<![.\w'`])(?:setTimeout|sleep|delay|pause|wait)\(|\.waitForTimeout\(|\bAtomics\.wait\(/
const CLOCK_SLEEP = /\bclock\.sleep\(/i
const REASON = /\/\/ Waits for time: \S.*\.$/

/** `file:line` of every wait for time that has no reason above it. */
function waitsIn(file: string, text: string): readonly string[] {
  // A clock that jumps waits for nothing.
  const jumps = /createTestClock|createStoppedClock/.test(text)
  const lines = text.split('\n')
  return lines.flatMap((line, at) => {
    // Neither a comment nor a method of that name.
    const code = line.replace(/(?:^|\s)\/\/.*|^\s*\w+\([^()]*\) \{$/, '')
    const waits = WAIT.test(code) || (!jumps && CLOCK_SLEEP.test(code))
    return waits && !REASON.test(lines[at - 1] ?? '') ? [`${file}:${at + 1}`] : []
  })
}

test('a wait for time has its reason above it', () => {
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && file !== join('house', 'waits-for-time.test.ts'),
  )
  expect(files.flatMap((file) => waitsIn(file, readFileSync(join(TESTS, file), 'utf8')))).toEqual(
    [],
  )
})

test.for([
  'await sleep(20)',
  'await new Promise((resolve) => setTimeout(resolve, 20))',
  'await page.waitForTimeout(20)',
  'await clock.sleep(20)',
  'while (!done) await delay(5)',
])('%s without a reason is found', (line) => {
  expect(waitsIn('x.ts', `// Soon.\n${line}`)).toEqual(['x.ts:2'])
  expect(waitsIn('x.ts', `// Waits for time: it is a rate.\n${line}`)).toEqual([])
})
