// Every block of code in the documentation is held against the program: run, compiled, or read by what reads it there.
// What is run: programs and walks in readme.test.ts, service-guides.test.ts and guides.test.ts, the commands of the runbook
// in runbook.test.ts (those about Citus in test/citus/runbook.test.ts), apps of frameworks in test/opened/frameworks.test.ts,
// the calls of connectors in test/sandbox/example-calls.test.ts; the fragments of manifests are loaded in
// manifest-language.test.ts, bodies and answers held to the schemas of their routes in service-blocks.test.ts.
//
// What cannot be run here, and is only read: commands of other programs that change a machine or a cluster (NOT_RUN), those
// that ask a vendor or a server which is the reader's (an OAuth app, https://mcp.acme.com), and what is served until
// somebody ends it and is started elsewhere already. Of all of these the calls of tenon are held against its commands.
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
  sh: async ({ text }) => {
    const others = programsIn(text).filter((name) => name !== 'tenon')
    expect(Object.keys(NOT_RUN)).toEqual(expect.arrayContaining(others))
    await commandsFit(text)
  },
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

/** Programs that blocks of a shell may call next to tenon: why they are not run. */
const NOT_RUN: Readonly<Record<string, string>> = {
  kubectl: 'needs a cluster',
  systemctl: 'changes the machine',
  'systemd-run': 'needs systemd and an installed service',
  psql: 'needs the servers that the page names; on Citus they are walked',
  npm: 'asks a registry; test/opened does',
  npx: 'the same',
  git: 'run with what the commands before it made',
  grep: 'the same',
  curl: 'its address is the reader’s; routes and bodies are held to the service',
  echo: 'feeds psql',
  export: 'sets a secret of the reader',
}

async function commandsFit(text: string): Promise<void> {
  for (const line of text.replaceAll(/\\\n/g, ' ').split('\n'))
    for (const call of callsIn(line)) await expectCall(call)
}

/** The first word of each command, without what stands before it for its environment. */
function programsIn(text: string): readonly string[] {
  return text
    .replaceAll(/\\\n/g, ' ')
    .replaceAll(/'[^']*'/g, "''")
    .split('\n')
    .map((line) => /^ *(?:[A-Z_]+=\S* )*([\w-]+)(?= |$)/.exec(line)?.[1])
    .filter((name) => name !== undefined)
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
