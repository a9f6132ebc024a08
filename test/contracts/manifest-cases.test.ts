// The suite that authors run on their manifests (`tenon test`, `manifestCases`) holds for ours.
import { describe, test } from 'vitest'
import { loadManifestFile, requireManifest } from '../../src/language/manifest/load.ts'
import { loadDemo } from '../../src/sandbox/open-sandbox.ts'
import { manifestCases } from '../../src/sandbox/testing/manifest-cases.ts'
import { manifestTypes } from './case-file.ts'

const suites = await Promise.all(
  manifestTypes().map(async (type) => {
    const file = `manifests/${type}.yaml`
    const manifest = requireManifest(await loadManifestFile(file))
    return { type, cases: manifestCases(manifest, { demo: await loadDemo(file, manifest) }) }
  }),
)

describe.for(suites)('$type', ({ cases }) => {
  // oxlint-disable-next-line vitest/expect-expect -- the cases assert
  test.for(cases)('$name', async ({ run }) => {
    await run()
  })
})
