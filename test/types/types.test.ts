// The compiler as a test: of everything, `*.test-d.ts` above all, and of the generated files.
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { tenon } from '../cli/run-tenon.ts'
import { IS_FULL } from '../fixtures/sizes.ts'

// Of every program in a long run, and by `npm run check`; else of those whose types are the test.
const PROGRAMS = IS_FULL
  ? { name: 'every program', project: 'tsconfig.json' }
  : { name: 'the program of these tests', project: 'test/types/tsconfig.json' }

test(`${PROGRAMS.name} compiles, and what must not compile does not`, () => {
  const { status, stdout } = spawnSync('tsc', ['-p', PROGRAMS.project], { encoding: 'utf8' })
  expect(stdout).toBe('')
  expect(status).toBe(0)
})

test.for([
  { name: 'the packaged connectors', files: [], out: 'src/client/generated' },
  {
    name: 'the manifests of these tests',
    files: ['test/types/manifests'],
    out: 'test/types/generated',
  },
])('the generated types of $name are fresh', async ({ files, out: folder }) => {
  const { code, out } = await tenon(['types', ...files, '--out', folder, '--check'], {
    folder: process.cwd(),
  })
  expect(out).toBe('')
  expect(code).toBe(0)
})
