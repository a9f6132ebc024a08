// `tenon compile`: manifests as resolved JSON, for programs that should load neither YAML nor a template parser.
import { join, resolve } from 'node:path'
import { compileManifest } from '../language/manifest/compiled.ts'
import { loadManifestFile, requireManifest } from '../language/manifest/load.ts'
import { type Configure, JSON_OPTION, leaf } from './command.ts'
import { findManifests } from './manifest-files.ts'
import { writeWhole } from './written-files.ts'

export const examples: readonly string[] = [
  'tenon compile --out dist/manifests',
  'tenon compile manifests/acme.yaml --out dist/manifests --json',
]

export const configure: Configure = leaf({
  arguments: { '[files...]': 'manifests, folders or patterns; default: the folder manifests' },
  options: {
    '--out <folder>': { text: 'where to write <type>.json', isRequired: true },
    ...JSON_OPTION,
  },
  async run({ files: names, out }, { folder }) {
    // All are loaded before the first is written: a faulty one leaves everything as it was.
    const manifests = await Promise.all(
      findManifests(folder, names).map(async ({ path }) =>
        requireManifest(await loadManifestFile(path)),
      ),
    )
    const files = []
    for (const manifest of manifests) {
      const { type, version, hash } = manifest
      const path = join(resolve(folder, out), `${type}.json`)
      await writeWhole(path, compileManifest(manifest))
      files.push({ path, type, version, hash })
    }
    const shown = files.map(({ path, hash }) => `${path}  ${hash}\n`).join('')
    return { value: { files }, shown }
  },
})
