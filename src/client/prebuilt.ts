// A manifest as a value of the program: what the package's build writes for `tenon/<type>`.
import type { Json } from '../language/json/json.ts'
import { setOwn } from '../language/json/own.ts'
import type { Manifest as LoadedManifest } from '../language/manifest/manifest.ts'
import type { Manifest, Settings } from './connectors.ts'

/**
 * JSON in which parts that occur several times stand once, and names of members once for all maps that have the same ones.
 * A list begins with a number: 0 before its elements; the number of a form (from 1) before the values of a map of that
 * form; and alone, below 0, that of a part (from -1), which stands before those that name it.
 */
export interface Packed {
  readonly value: Json
  readonly parts: readonly Json[]
  readonly forms: readonly (readonly string[])[]
}

/** The value, frozen, with the parts that are written once at every place where they belong: the same objects. */
export function unpacked({ value, parts, forms }: Packed): Json {
  const known: Json[] = []
  const read = (part: Json): Json => {
    if (!Array.isArray(part)) return part
    const written = part as readonly Json[]
    const number = written[0] as number
    if (number < 0) return known[-number - 1] as Json
    const names = forms[number - 1]
    if (names === undefined) {
      const list: Json[] = []
      for (let at = 1; at < written.length; at++) list.push(read(written[at] as Json))
      return Object.freeze(list)
    }
    const map: Record<string, Json> = {}
    for (let at = 1; at < written.length; at++)
      setOwn(map, names[at - 1] as string, read(written[at] as Json))
    return Object.freeze(map)
  }
  for (const part of parts) known.push(read(part))
  return read(value)
}

/**
 * A manifest that was written by this package's build. It passed every check when it was built, so nothing is checked
 * again. `needs`: see `needsOf`.
 */
export function prebuilt<T, S extends Settings>(
  manifest: Packed,
  needs: readonly (() => unknown)[] = [],
): Manifest<T, S> {
  // The build wrote it in this form.
  const loaded = unpacked(manifest) as unknown as LoadedManifest
  if (needs.length > 0) needed.set(loaded, needs)
  return loaded
}

const needed = new WeakMap<LoadedManifest, readonly (() => unknown)[]>()

/** What of src/late-modules.ts must be there before a client of the manifest reads an answer. */
export function needsOf(manifest: LoadedManifest): readonly (() => unknown)[] {
  return needed.get(manifest) ?? []
}
