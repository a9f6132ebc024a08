// The connectors that this service knows: their manifests by type.
import { ConnectorError, problemError } from '../errors.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import { didYouMean } from '../language/manifest/suggest.ts'

interface Loaded {
  readonly manifests: readonly Manifest[]
  readonly byMajor: ReadonlyMap<string, Manifest>
  readonly byName: ReadonlyMap<string, Manifest>
}

/**
 * A catalogue of these manifests, narrowed to `types` where given. Of one type and major the last one counts, and of
 * several majors the last one is for new instances; the others go on with those that were made with them.
 */
export class Catalogue {
  readonly #types: readonly string[] | null
  #loaded: Loaded
  /** How often others were taken. */
  #generation = 0

  constructor(manifests: readonly Manifest[], types: readonly string[] | null) {
    this.#types = types
    this.#loaded = this.#read(manifests)
  }

  /** Those that new instances are made with, one per type, in the order of their types. */
  get manifests(): readonly Manifest[] {
    return this.#loaded.manifests
  }

  /** Takes others, in the same order. Who holds one of before goes on with it until asking again. */
  /** Those of every major. */
  get majors(): readonly Manifest[] {
    return [...this.#loaded.byMajor.values()]
  }

  replace(manifests: readonly Manifest[]): void {
    this.#generation += 1
    this.#loaded = this.#read(manifests)
  }

  /** What was made of a manifest under the same number is as it would be made now. */
  get generation(): number {
    return this.#generation
  }

  /** Whether the settings let a type be used. */
  offers(type: string): boolean {
    return this.#types === null || this.#types.includes(type)
  }

  #read(manifests: readonly Manifest[]): Loaded {
    const loaded = manifests.filter(({ type }) => this.offers(type))
    const newest = new Map(loaded.map((manifest) => [manifest.type, manifest]))
    const sorted = [...newest.values()].toSorted((a, b) => (a.type < b.type ? -1 : 1))
    const named = sorted.flatMap((manifest) =>
      (manifest.aliases ?? []).map((alias) => [alias.toLowerCase(), manifest] as const),
    )
    return {
      manifests: sorted,
      byMajor: new Map(loaded.map((manifest) => [majorKey(manifest), manifest])),
      // What is a type is nothing else's alias.
      byName: new Map([...named, ...newest]),
    }
  }

  /** The manifest for new instances of a type, which an alias may name too; without regard to case. */
  find(type: string): Manifest | undefined {
    return this.#loaded.byName.get(type.toLowerCase())
  }

  /** The same. Throws `connector_unknown` with those there are in `allowed`; `pointer` is where the type stands in the request. */
  get(type: string, pointer = '/connector_type'): Manifest {
    const manifest = this.find(type)
    if (manifest !== undefined) return manifest
    const allowed = this.manifests.map((each) => each.type)
    const detail = `unknown connector type${didYouMean(type, allowed, '?')}`
    throw problemError('connector_unknown', { pointer, code: 'unknown', detail, allowed })
  }

  /** Whether the major of this version is loaded. */
  serves(type: string, version: string): boolean {
    return this.ofMajor({ type, version }) !== undefined
  }

  /** What instances of the major of a version run by. */
  ofMajor(place: Pick<Manifest, 'type' | 'version'>): Manifest | undefined {
    return this.#loaded.byMajor.get(majorKey(place))
  }

  /** For an instance made with this version. Throws `connector_version_unavailable` when its major is not loaded. */
  forInstance(type: string, version: string): Manifest {
    const manifest = this.ofMajor({ type, version })
    if (manifest !== undefined) return manifest
    throw new ConnectorError(
      'connector_version_unavailable',
      `this instance needs version ${majorOf(version)} of ${type}, and this process has ${this.find(type)?.version ?? 'none'}`,
      { retryAfterMs: 60_000 },
    )
  }

  /** The one that a version names, whole or by its major. Throws `request_malformed` with those there are in `allowed`. */
  version(type: string, wanted: string): Manifest {
    const manifest = this.ofMajor({ type, version: wanted })
    if (manifest !== undefined && [manifest.version, majorOf(wanted)].includes(wanted))
      return manifest
    const ofType = [...this.#loaded.byMajor.values()].filter((each) => each.type === type)
    const allowed = ofType.map((each) => each.version)
    const detail = `version ${wanted} of ${type} is not loaded here, but ${allowed.join(', ')}`
    const pointer = '/connector_version'
    throw problemError('request_malformed', { pointer, code: 'unknown', detail, allowed })
  }
}

/** Equal for versions of one connector that can take each other's place. */
export function majorKey({ type, version }: Pick<Manifest, 'type' | 'version'>): string {
  return `${type} ${majorOf(version)}`
}

/** Of `2.1.0` and of `2`: `2`. */
export function majorOf(version: string): string {
  return version.split('.')[0] ?? version
}
