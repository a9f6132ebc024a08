// The records of a sandbox before anybody calls: of the demo data, and made up for entities it says nothing about.
import type { Scope } from '../language/expression/syntax.ts'
import type { Json } from '../language/json/json.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import { knownConfig } from './auth/demo-credentials.ts'
import type { Chance } from './data/chance.ts'
import { defaultSets } from './data/default-sets.ts'
import type { Demo } from './data/demo-types.ts'
import type { SetRules } from './data/read-demo.ts'
import { World } from './data/world.ts'

/** What all demo data follows from without a seed. */
export const DEFAULT_SEED = 1
/** Where the demo data name no time. */
const DEFAULT_START_MS = Date.UTC(2026, 5, 1, 9)
const MAX_RECORDS = 1_000_000

/** When a sandbox of this demo data begins, in milliseconds since 1970. */
export function startOf(demo: Demo): number {
  return demo.now === undefined ? DEFAULT_START_MS : Date.parse(demo.now)
}

/**
 * The records, and what their values know of settings and maps. `sizes`: records per set, where it is not for the demo
 * data to say. Throws TypeError for sizes of what there is not.
 */
export function openWorld(
  manifest: Manifest,
  demo: Demo,
  {
    chance,
    seed,
    clock,
    sizes,
  }: {
    readonly chance: Chance
    /** What \`chance\` follows from. */
    readonly seed: string
    readonly clock: () => number
    readonly sizes: Readonly<Record<string, number>>
  },
): { readonly world: World; readonly known: Scope } {
  const known = {
    config: knownConfig(manifest, demo),
    maps: { ...manifest.maps, ...demo.maps } as Readonly<Record<string, Json>>,
  }
  const sets = setsOf(manifest, demo)
  const counts = readSizes(sizes, sets)
  const world = new World({
    sets,
    sizes: counts,
    chance,
    base: known,
    clock,
    // Rows of another number are not those of the next sandbox.
    ...(counts.size === 0 && { seed }),
  })
  return { world, known }
}

const SETS = new WeakMap<Manifest, WeakMap<Demo, readonly SetRules[]>>()

/** The sets of a manifest and its demo data: the same ones for each of their sandboxes. */
function setsOf(manifest: Manifest, demo: Demo): readonly SetRules[] {
  const byDemo = SETS.get(manifest) ?? new WeakMap<Demo, readonly SetRules[]>()
  const declared = (): readonly SetRules[] =>
    [...demo.sets].map(([name, set]): SetRules => ({ name, ...set }))
  const sets = byDemo.get(demo) ?? [...declared(), ...defaultSets(manifest, demo.sets)]
  SETS.set(manifest, byDemo.set(demo, sets))
  return sets
}

function readSizes(
  sizes: Readonly<Record<string, number>>,
  sets: readonly SetRules[],
): ReadonlyMap<string, number> {
  const names = sets.map(({ name }) => name)
  for (const [name, size] of Object.entries(sizes)) {
    if (!names.includes(name))
      throw new TypeError(`there are no ${name} to size; there are ${names.join(', ')}`)
    if (!Number.isSafeInteger(size) || size < 0 || size > MAX_RECORDS)
      throw new TypeError(`the size of ${name} must be a whole number from 0 to ${MAX_RECORDS}`)
  }
  return new Map(Object.entries(sizes))
}
