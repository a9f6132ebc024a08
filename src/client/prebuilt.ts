// A manifest as a value of the program: what the package's build writes for `tenon/<type>`.
import { deepFreeze } from '../language/manifest/freeze.ts'
import { inputsOf } from '../language/manifest/inputs.ts'
import { type IsValid, provideValidator } from '../language/manifest/made-validators.ts'
import type { Manifest as LoadedManifest } from '../language/manifest/manifest.ts'
import type { Manifest, Settings } from './connectors.ts'

/**
 * A manifest that was written by this package's build, with its validators by the names of `inputsOf`.
 * It passed every check when it was built, so nothing is checked again.
 */
export function prebuilt<T, S extends Settings>(
  manifest: object,
  validators: Readonly<Record<string, () => unknown>>,
): Manifest<T, S> {
  // The build wrote it in this form.
  const loaded = manifest as LoadedManifest
  for (const { name, schema } of inputsOf(loaded)) {
    const load = validators[name]
    if (load !== undefined) provideValidator(schema, () => load() as IsValid)
  }
  return deepFreeze(loaded)
}
