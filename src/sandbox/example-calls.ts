// Calls that a sandbox answers, for documents: without starting one.
import type { JsonObject } from '../language/json/json.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import { exampleParams } from './answer/example-params.ts'
import { createChance } from './data/chance.ts'
import type { Demo } from './data/demo-types.ts'
import { emptyDemo } from './data/read-demo.ts'
import { DEFAULT_SEED, openWorld, startOf } from './open-world.ts'

/**
 * Parameters by operation, as `Sandbox.example` gives them on a sandbox that was just started without options. The same
 * manifest and demo data give the same parameters. The function throws TypeError for an operation that there is not.
 */
export function createExampleCalls(
  manifest: Manifest,
  demo: Demo | null,
): (operation: string) => JsonObject {
  const data = demo ?? emptyDemo(manifest)
  const seed = String(DEFAULT_SEED)
  const chance = createChance(seed)
  const opened = openWorld(manifest, data, { chance, seed, clock: () => startOf(data), sizes: {} })
  return (operation) => exampleParams(operation, { manifest, demo: data, ...opened })
}
