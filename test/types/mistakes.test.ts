// Mistakes of host apps, as TypeScript tells them: each is found, and told in a line or two.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { MISTAKES, PRELUDE } from './mistakes.ts'

const root = process.cwd()
const folder = mkdtempSync(join(tmpdir(), 'tenon-mistakes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The lines of the errors in each program, by the name of its file, without their places. */
let told: ReadonlyMap<string, readonly string[]>

beforeAll(() => {
  const files = new Map(
    MISTAKES.map(({ program }, index) => [`mistake-${index}.ts`, `${PRELUDE}${program}\n`]),
  )
  files.set('right.ts', PRELUDE)
  for (const [name, text] of files) writeFileSync(join(folder, name), text)
  copyFileSync(join(root, 'test/types/generated/acme.ts'), join(folder, 'acme.ts'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const compilerOptions = {
    strict: true,
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable', 'esnext.array', 'esnext.iterator'],
    module: 'nodenext',
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    paths: { tenon: [join(root, 'src/index.ts')] },
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    skipLibCheck: true,
    noEmit: true,
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions,
      files: [...files.keys()],
      // What the sources need to be compiled.
      include: [join(root, 'src/**/*.d.ts')],
    }),
  )
  const { stdout } = spawnSync('tsc', ['-p', '.', '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  })
  told = linesByFile(stdout)
})

test('programs without a mistake compile', () => {
  expect(told.get('right.ts')).toBeUndefined()
})

test.for(MISTAKES.map((mistake, index) => ({ ...mistake, index })))(
  'told in a line or two: $what',
  ({ says, index }) => {
    expect(told.get(`mistake-${index}.ts`)).toEqual(says)
    expect(says.length).toBeLessThanOrEqual(2)
    for (const line of says) expect(line.length).toBeLessThan(400)
  },
)

test('at least 25 mistakes are told', () => {
  expect(MISTAKES.length).toBeGreaterThanOrEqual(25)
})

function linesByFile(output: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  let name = ''
  for (const line of output.split('\n')) {
    const [, file, error] = /^([^(]+)\(\d+,\d+\): error (.*)$/.exec(line) ?? []
    if (file !== undefined) name = file
    const text = error ?? line
    if (text !== '') found.set(name, [...(found.get(name) ?? []), text])
  }
  return found
}
