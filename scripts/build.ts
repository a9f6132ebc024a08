// Builds the package into dist: JavaScript and declarations, and for each connector its manifest as JSON with one
// validator per input, so that a client loads neither YAML nor Ajv.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findManifests } from '../src/cli/manifest-files.ts'
import { standaloneValidator } from '../src/codegen/standalone-validator.ts'
import { compileManifest } from '../src/manifest/compiled.ts'
import { inputsOf } from '../src/manifest/inputs.ts'
import { loadManifestFile, requireManifest } from '../src/manifest/load.ts'
import { writeBundle } from './bundle.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

rmSync(dist, { recursive: true, force: true })
const { status } = spawnSync('tsc', ['-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

await writeBundle({ index: join(dist, 'index.js') }, join(dist, 'bundle'))

for (const { path } of findManifests(root, ['manifests'])) {
  const manifest = requireManifest(await loadManifestFile(path))
  const folder = join(dist, 'connectors', manifest.type)
  const validators = join(folder, 'validators')
  mkdirSync(validators, { recursive: true })
  writeFileSync(join(folder, 'manifest.json'), compileManifest(manifest))
  const patterns = relative(validators, join(dist, 'manifest', 'ajv-pattern.js')).replaceAll(
    '\\',
    '/',
  )
  const inputs = inputsOf(manifest)
  for (const { name, schema } of inputs) {
    writeFileSync(
      join(validators, `${name}.cjs`),
      standaloneValidator(schema, manifest.definitions, patterns),
    )
  }
  process.stdout.write(`${manifest.type} ${manifest.version}: ${inputs.length} validators\n`)
}
