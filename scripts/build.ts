// Builds the package into dist: JavaScript in few files, declarations, each connector as a module, and the console.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { buildConsole } from './build-console.ts'
import { writeBrowserModule, writeBundle } from './bundle.ts'
import {
  connectorModule,
  connectorModules,
  connectorTypes,
  readConnectors,
} from './connector-modules.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

/** The entries of the package, its command line, and the threads of its stores: by path in dist, without the ending. */
const ENTRIES = {
  index: 'src/index.ts',
  'sandbox/testing/index': 'src/sandbox/testing/index.ts',
  'tools/codegen/index': 'src/tools/codegen/index.ts',
  'agents/index': 'src/agents/index.ts',
  'agents/mcp/index': 'src/agents/mcp/index.ts',
  'hosting/index': 'src/hosting/index.ts',
  'cli/main': 'src/cli/main.ts',
  ...Object.fromEntries(
    globSync('src/**/*-worker.ts', { cwd: root }).map((path) => [
      path.slice('src/'.length, -'.ts'.length),
      path,
    ]),
  ),
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
await writeBundle({
  root,
  input: { ...ENTRIES, ...(Object.fromEntries(connectors) as Record<string, string>) },
  folder: dist,
  plugins: [connectorModules(manifests)],
})
for (const manifest of manifests) {
  const folder = join(dist, 'connectors', manifest.type)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index.d.ts'), connectorTypes(manifest))
}

await writeBrowserModule(join(root, 'src/connect/index.ts'), join(dist, 'connect/index.js'))
await buildConsole(join(dist, 'console'))

await declared
await leaveRoomForOwn(join(dist, 'client/generated'))
process.exitCode = declarations.every(({ exitCode }) => exitCode === 0) ? 0 : 1
