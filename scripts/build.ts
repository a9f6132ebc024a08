// Builds the package into dist: JavaScript in few files, declarations, each connector as a module, and the console.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { minify } from 'rolldown/utils'

import packageJson from '../package.json' with { type: 'json' }
import { buildConsole } from './build-console.ts'
import { writeBrowserModule, writeBundle } from './bundle.ts'
import { pruneDeclarations } from './declarations.ts'
import { ENTRY_FILES } from './entries.ts'
import { askForNode, writeRequired } from './for-node.ts'
import { lateModules, writeLateFiles, writePeerFiles } from './late-files.ts'
import {
  connectorModule,
  connectorModules,
  connectorTypes,
  readConnectors,
} from './connector-modules.ts'
import { writeBillOfMaterials } from './sbom.ts'

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
  'late-registry': 'src/late-registry.ts',
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

/**
 * Lets a program be checked that has none of the optional packages whose types a declaration names: they are `any` to it,
 * and what they are to a program that has them.
 */
async function forgivePeers(folder: string): Promise<void> {
  for (const file of globSync('**/*.d.ts', { cwd: folder })) {
    const path = join(folder, file)
    const text = await readFile(path, 'utf8')
    const forgiven = text.replace(
      /^import (?:.* from )?'([^'./][^']*)';?$/gm,
      (line, name: string) =>
        Object.hasOwn(packageJson.peerDependencies, name)
          ? `// @ts-ignore: it is installed by those who use it.\n${line}`
          : line,
    )
    if (forgiven !== text) await writeFile(path, forgiven)
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

// The console of before stays until the next one is made: a service of this checkout may run on it.
for (const name of existsSync(dist) ? readdirSync(dist) : [])
  if (name !== 'console') rmSync(join(dist, name), { recursive: true, force: true })
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

writeBillOfMaterials(dist)

await declared
await leaveRoomForOwn(join(dist, 'client/generated'))
const entries = Object.values(ENTRY_FILES).flatMap((path) =>
  path.endsWith('.js') ? [join(root, path.replace(/\.js$/, '.d.ts'))] : [],
)
// Every program that connects reads these.
const isFirst = (path: string): boolean => /dist\/(index\.d\.ts$|connectors\/)/.test(path)
pruneDeclarations(dist, {
  first: entries.filter(isFirst),
  others: entries.filter((path) => !isFirst(path)),
})
await forgivePeers(dist)
process.exitCode = declarations.every(({ exitCode }) => exitCode === 0) ? 0 : 1
