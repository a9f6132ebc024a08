// Every block of code in the documentation is held against the program: run, compiled, or read by what reads it there.
// The programs and walks are run in readme.test.ts and service-guides.test.ts, the fragments of manifests in manifest-language.test.ts.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { type Block, blocksOf } from './blocks.ts'
import { callsIn, expectCall } from './command-line.ts'

const files = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync('docs/*.md'),
  // Their calls answer in the sandbox: test/sandbox/example-calls.test.ts.
  ...globSync('docs/connectors/*.md'),
]
const blocks = files.flatMap((file) =>
  blocksOf(file).map((block, index) => ({ ...block, file, index })),
)

/** How a language is looked at. One that is not here fails: a new kind of block needs somebody who reads it. */
const LOOKS: Readonly<Record<string, (block: Block & { readonly file: string }) => unknown>> = {
  '': ({ text }) => commandsFit(text),
  sh: ({ text }) => commandsFit(text),
  bash: async ({ text }) => {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    await commandsFit(text)
  },
  ts: ({ file }) => {
    // These are compiled or run.
    const tests = ['test/docs/readme.test.ts', 'test/opened/frameworks.test.ts']
    const texts = tests.map((test) => readFileSync(test, 'utf8')).join('\n')
    expect(texts).toContain(`'${file}'`)
  },
  js: ({ text }) => {
    const args = ['--input-type=module', '--check']
    const { status } = spawnSync(process.execPath, args, { input: text })
    expect(status).toBe(0)
  },
  json: ({ text }) => expect(() => JSON.parse(text) as unknown).not.toThrow(),
  yaml: async ({ text }) => {
    for (const { errors } of parseAllDocuments(text)) expect(errors).toEqual([])
    await commandsFit(text)
  },
}

async function commandsFit(text: string): Promise<void> {
  for (const line of text.replaceAll(/\\\n/g, ' ').split('\n'))
    for (const call of callsIn(line)) await expectCall(call)
}

test('there are many', () => expect(blocks.length).toBeGreaterThan(50))

test.for(blocks)('$file, block $index ($language)', async (block) => {
  expect(Object.keys(LOOKS)).toContain(block.language)
  await LOOKS[block.language]?.(block)
})

// oxlint-disable-next-line vitest/expect-expect -- `expectCall` asserts
test.for(files)('the commands in the sentences of %s are there', async (file) => {
  const text = readFileSync(file, 'utf8').replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
  for (const [, code = ''] of text.matchAll(/`((?:npx |npm run (?:-s )?)?tenon(?: --)? [^`]+)`/g))
    for (const call of callsIn(code)) await expectCall(call, true)
})
