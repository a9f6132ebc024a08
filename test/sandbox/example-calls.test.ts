// Examples without a running sandbox: the same that a running one gives.
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadManifestFile, requireManifest } from '../../src/language/manifest/load.ts'
import { createExampleCalls } from '../../src/sandbox/example-calls.ts'
import { loadDemo } from '../../src/sandbox/open-sandbox.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'

test.for(['gong', 'jira', 'facebook-marketing'])('%s: as its sandbox gives them', async (type) => {
  const path = fileURLToPath(new URL(`../../manifests/${type}.yaml`, import.meta.url))
  const manifest = requireManifest(await loadManifestFile(path))
  const demo = await loadDemo(path, manifest)
  const exampleParams = createExampleCalls(manifest, demo)
  await using vendor = await createSandbox(manifest, demo)
  for (const entity of manifest.entities)
    for (const { name } of entity.actions) {
      const operation = `${entity.name}.${name}`
      expect([operation, exampleParams(operation)]).toEqual([operation, vendor.example(operation)])
    }
  expect(() => exampleParams('users.fly')).toThrow(TypeError)
})
