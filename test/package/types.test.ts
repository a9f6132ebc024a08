// What a host's compiler does for a client of Jira, counted: the same numbers on every machine.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { run } from './fresh-process.ts'
import { packedProject } from './project.ts'

let project: string

beforeAll(async () => {
  project = await packedProject()
})
afterAll(() => rm(project, { recursive: true, force: true }))

const PROGRAM = `
import { connect } from 'tenon'
const options = { credentials: { username: 'a', password: 'b' }, config: { subdomain: 'acme' } }
const jira = await connect('jira', options)
const { data } = await jira.issues.get({ issueIdOrKey: 'OPS-1' })
console.log(data.fields?.['summary'], data.key)
for await (const issue of jira.issues.api_search({ jql: 'x' })) console.log(issue.key)
await jira.close()
`

/** What the compiler counts, with every declaration checked: its memory and time follow from them, and differ by machine. */
async function compiled(text: string): Promise<readonly number[]> {
  await writeFile(join(project, 'host.ts'), text)
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable'],
    module: 'nodenext',
    types: ['node'],
    skipLibCheck: false,
    noEmit: true,
  }
  const config = JSON.stringify({ compilerOptions, files: ['host.ts'] })
  await writeFile(join(project, 'tsconfig.json'), config)
  // With one checker: several share the work, and count what each of them does.
  const { out } = await run(project, 'tsc', '-p', '.', '--extendedDiagnostics', '--singleThreaded')
  return ['Types', 'Instantiations', 'Symbols', 'Files'].map((name) =>
    Number(new RegExp(`^${name}: +(\\d+)`, 'm').exec(out)?.[1]),
  )
}

test('a client of Jira costs less than half of the types that it did with those of undici', async () => {
  const [plain, whole] = [await compiled('export {}\n'), await compiled(PROGRAM)]
  const [types, instantiations, symbols, files] = whole.map(
    (count, index) => count - (plain[index] ?? 0),
  )
  // 10,802 types, 4,611 instantiations and 163 files before the declarations were cut to what is named.
  // 5,140, 1,631, 11,156 and 55 now: a few per cent more may come without a look at where from.
  expect(types).toBeLessThanOrEqual(5400)
  expect(instantiations).toBeLessThanOrEqual(1750)
  expect(symbols).toBeLessThanOrEqual(11_700)
  expect(files).toBeLessThanOrEqual(58)
})

test('the types of undici are not read', async () => {
  await writeFile(join(project, 'host.ts'), PROGRAM)
  const { out } = await run(project, 'tsc', '-p', '.', '--listFilesOnly')
  expect(out).toContain('tenon/dist/index.d.ts')
  expect(out).not.toMatch(/node_modules\/undici\//)
})
