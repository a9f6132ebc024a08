// A manifest as a value of the program: what the package's build writes for `tenon/<type>`.
import type { Json } from '../language/json/json.ts'
import { inputsOf } from '../language/manifest/inputs.ts'
import { type IsValid, provideValidator } from '../language/manifest/made-validators.ts'
import type { Manifest as LoadedManifest } from '../language/manifest/manifest.ts'
import type { Manifest, Settings } from './connectors.ts'

/** What names the place of a part in `Packed.parts`: no member of a manifest is called so. */
export const PLACE = '='

/** JSON in which parts that occur several times stand once; each may name those before it. */
export interface Packed {
  readonly value: Json
  readonly parts: readonly Json[]
}

/** The value, frozen, with the parts that are written once at every place where they belong: the same objects. */
export function unpacked({ value, parts }: Packed): Json {
  const known: Json[] = []
  for (const part of parts) known.push(filledIn(part, known))
  return filledIn(value, known)
}

/** Fills in and freezes what was just parsed and nobody else has, in one walk: every start of a client waits for it. */
function filledIn(part: Json, known: readonly Json[]): Json {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) {
    // By number: with names, those of all elements would be made as texts first.
    const list = part as Json[]
    for (let index = 0; index < list.length; index++)
      list[index] = filledIn(list[index] as Json, known)
    return Object.freeze(list)
  }
  const members = part as { [name: string]: Json }
  const place = members[PLACE]
  if (typeof place === 'number') return known[place] as Json
  for (const name in members) {
    const member = members[name]
    if (typeof member === 'object' && member !== null) members[name] = filledIn(member, known)
  }
  return Object.freeze(members)
}

/**
 * A manifest that was written by this package's build, with its validators by the names of `inputsOf`.
 * It passed every check when it was built, so nothing is checked again. `needs`: see `needsOf`.
 */
export function prebuilt<T, S extends Settings>(
  manifest: Packed,
  validators: Readonly<Record<string, () => unknown>>,
  needs: readonly (() => unknown)[] = [],
): Manifest<T, S> {
  // The build wrote it in this form.
  const loaded = unpacked(manifest) as unknown as LoadedManifest
  for (const { name, schema } of inputsOf(loaded)) {
    const load = validators[name]
    if (load !== undefined) provideValidator(schema, () => load() as IsValid)
  }
  if (needs.length > 0) needed.set(loaded, needs)
  return loaded
}

const needed = new WeakMap<LoadedManifest, readonly (() => unknown)[]>()

/** What of src/late-modules.ts must be there before a client of the manifest reads an answer. */
export function needsOf(manifest: LoadedManifest): readonly (() => unknown)[] {
  return needed.get(manifest) ?? []
}
