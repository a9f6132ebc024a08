// Every path of the repository that a document names is there.
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pathsIn } from './paths-in.ts'

/** What examples name and a reader makes, or what only looks like a path. */
const NOT_OURS: readonly string[] = [
  'manifests/acme.yaml',
  'manifests/github.yaml',
  'manifests/asana.yaml',
  // Where a project of a reader keeps its types.
  'src/generated',
  'src/generated/asana.ts',
  'docs/asana.md',
  // A Deployment of Kubernetes, as kubectl names it.
  'deploy/tenon',
]

const MADE = new Set(['node_modules', 'dist', 'coverage', '.git'])
const folders = readdirSync('.', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !MADE.has(entry.name))
  .map(({ name }) => name)

// The change log tells of what was, with the paths of its time.
const documents = [
  ...globSync('*.md'),
  ...globSync('{docs,bench,test}/**/*.md', { exclude: ['**/node_modules/**'] }),
]
  .filter((file) => file !== 'CHANGELOG.md')
  .toSorted()
const named = new Map(documents.map((file) => [file, pathsIn(readFileSync(file, 'utf8'), folders)]))

test('documents name paths', () => {
  expect(named.get('ARCHITECTURE.md')?.length).toBeGreaterThan(30)
})

test.for([...named])('%s', ([, paths]) => {
  const missing = paths.filter((path) => !NOT_OURS.includes(path) && !isThere(path))
  expect(missing).toEqual([])
})

test('what is not ours is named somewhere', () => {
  const all = new Set([...named.values()].flat())
  expect(NOT_OURS.filter((path) => !all.has(path))).toEqual([])
})

test.for([
  { text: 'see `src/engine/engine.ts`.', paths: ['src/engine/engine.ts'] },
  { text: 'in src/engine/run/, one file each', paths: ['src/engine/run/'] },
  { text: '[it](./docs/search.md#speed) and docs/search.md again', paths: ['docs/search.md'] },
  {
    text: 'manifests/<type>.yaml, `docs/reference/*.md`',
    paths: ['manifests/*.yaml', 'docs/reference/*.md'],
  },
  { text: 'src/{plan,request}/plan.ts', paths: ['src/{plan,request}/plan.ts'] },
  { text: 'src/errors.ts:41:7: it fails', paths: ['src/errors.ts'] },
  { text: 'https://host/docs/errors /docs/errors ./src/index.ts', paths: ['src/index.ts'] },
  { text: 'node_modules/tenon/schemas/manifest.schema.json my-src/a.ts', paths: [] },
])('of "$text" these are paths: $paths', ({ text, paths }) => {
  expect(pathsIn(text, ['docs', 'manifests', 'schemas', 'src'])).toEqual(paths)
})

function isThere(path: string): boolean {
  return /[*{]/.test(path) ? globSync(path).length > 0 : existsSync(path)
}
