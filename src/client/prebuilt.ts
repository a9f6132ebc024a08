// A manifest as a value of the program: what the package's build writes for `tenon/<type>`.
import { deepFreeze } from '../language/manifest/freeze.ts'
import { inputsOf } from '../language/manifest/inputs.ts'
import { type IsValid, provideValidator } from '../language/manifest/made-validators.ts'
import type { Manifest as LoadedManifest } from '../language/manifest/manifest.ts'
import type { Manifest, Settings } from './connectors.ts'

/**
 * A manifest that was written by this package's build, with its validators by the names of `inputsOf`.
 * It passed every check when it was built, so nothing is checked again. `needs`: see `needsOf`.
 */
export function prebuilt<T, S extends Settings>(
  manifest: object,
  validators: Readonly<Record<string, () => unknown>>,
  needs: readonly (() => unknown)[] = [],
): Manifest<T, S> {
  // The build wrote it in this form.
  const loaded = manifest as LoadedManifest
  for (const { name, schema } of inputsOf(loaded)) {
    const load = validators[name]
    if (load !== undefined) provideValidator(schema, () => load() as IsValid)
  }
  if (needs.length > 0) needed.set(loaded, needs)
  return deepFreeze(loaded)
}

const needed = new WeakMap<LoadedManifest, readonly (() => unknown)[]>()

/** What of src/late-modules.ts must be there before a client of the manifest reads an answer. */
export function needsOf(manifest: LoadedManifest): readonly (() => unknown)[] {
  return needed.get(manifest) ?? []
}
