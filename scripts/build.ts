// Builds the package into dist: JavaScript in few files, declarations, each connector as a module, and the console.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { minify } from 'rolldown/utils'

import { buildConsole } from './build-console.ts'
import { writeBrowserModule, writeBundle } from './bundle.ts'
import { ENTRY_FILES } from './entries.ts'
import { askForNode, writeRequired } from './for-node.ts'
import { lateModules, writeLateFiles, writePeerFiles } from './late-files.ts'
import {
  connectorModule,
  connectorModules,
  connectorTypes,
  readConnectors,
} from './connector-modules.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

/** The entries of the package and its command line: by path in dist, without the ending. */
const ENTRIES = {
  index: 'src/index.ts',
  'sandbox/testing/index': 'src/sandbox/testing/index.ts',
  'tools/codegen/index': 'src/tools/codegen/index.ts',
  'agents/index': 'src/agents/index.ts',
  'agents/mcp/index': 'src/agents/mcp/index.ts',
  'hosting/index': 'src/hosting/index.ts',
  'cli/main': 'src/cli/main.ts',
  'optional-packages': 'src/optional-packages.ts',
}

/**
 * Takes the packaged connectors out of the interface `Connectors` of the declarations. `ConnectorClients` has them as
 * well, and a program that brings its own manifest of such a type could not declare it a second time.
 */
async function leaveRoomForOwn(folder: string): Promise<void> {
  for (const file of globSync('*.d.ts', { cwd: folder })) {
    const path = join(folder, file)
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replace(/^declare module 'tenon' \{\n[\s\S]*?^\}\n/m, ''))
  }
}

/** Takes the white space out of a module that is data and tests of values, which no error comes from. */
async function squeeze(file: string): Promise<void> {
  const { code } = await minify(file, await readFile(file, 'utf8'), {
    compress: false,
    mangle: false,
    codegen: { removeWhitespace: true },
  })
  await writeFile(file, code)
}

/** Takes away the declarations that no entry leads to: they describe what no program can import. */
function pruneDeclarations(entries: readonly string[]): void {
  const kept = new Set(entries.map((path) => join(root, path.replace(/\.js$/, '.d.ts'))))
  for (const file of kept) {
    const text = readFileSync(file, 'utf8')
    for (const [, path = ''] of text.matchAll(/(?:\bfrom|\bimport\(|^import) ?'(\.[^']+)'/gm))
      kept.add(join(file, '..', path.replace(/\.[jt]s$/, '.d.ts')))
  }
  for (const path of globSync('**/*.d.ts', { cwd: dist }))
    if (!kept.has(join(dist, path))) rmSync(join(dist, path))
}

rmSync(dist, { recursive: true, force: true })
// What runs in browsers has the types of browsers, and so a program of its own.
const declarations = ['tsconfig.build.json', 'src/connect/tsconfig.build.json'].map((project) =>
  spawn('tsc', ['-p', project], { cwd: root, stdio: 'inherit' }),
)
const declared = Promise.all(declarations.map((program) => once(program, 'close')))

const manifests = await readConnectors()
const connectors = manifests.map((manifest) => [
  `connectors/${manifest.type}/index`,
  connectorModule(manifest),
])
mkdirSync(dist, { recursive: true })
const late = await writeLateFiles(root, dist)
await writePeerFiles(dist)
await writeBundle({
  root,
  late,
  input: { ...ENTRIES, ...(Object.fromEntries(connectors) as Record<string, string>) },
  folder: dist,
  plugins: [lateModules(root, dist), connectorModules(manifests)],
})
for (const manifest of manifests) {
  await squeeze(join(dist, 'connectors', manifest.type, 'index.js'))
  const folder = join(dist, 'connectors', manifest.type)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index.d.ts'), connectorTypes(manifest))
}

askForNode(root, dist, [...Object.keys(ENTRIES), ...connectors.map(([entry = '']) => entry)])
await writeRequired(root, dist)

await writeBrowserModule(join(root, 'src/connect/index.ts'), join(dist, 'connect/index.js'))
await writeBrowserModule(
  join(root, 'src/client/fetch/index.ts'),
  join(dist, 'client/fetch/index.js'),
)
await buildConsole(join(dist, 'console'))

await declared
await leaveRoomForOwn(join(dist, 'client/generated'))
pruneDeclarations(Object.values(ENTRY_FILES).filter((path) => path.endsWith('.js')))
process.exitCode = declarations.every(({ exitCode }) => exitCode === 0) ? 0 : 1
