// The connectors that this service knows: their manifests by type.
import { ConnectorError } from '../errors.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import { didYouMean } from '../language/manifest/suggest.ts'

export interface Catalogue {
  /** Those that new instances are made with, one per type, in the order of their types. */
  readonly manifests: readonly Manifest[]
  /**
   * The manifest for new instances of a type, without regard to case. Throws `connector_unknown` with those there are in
   * `allowed`; `pointer` is where the type stands in the request.
   */
  get(type: string, pointer?: string): Manifest
  find(type: string): Manifest | undefined
  /** Whether the major of this version is loaded. */
  serves(type: string, version: string): boolean
  /** For an instance made with this version. Throws `connector_version_unavailable` when its major is not loaded. */
  forInstance(type: string, version: string): Manifest
  /** The one that a version names, whole or by its major. Throws `request_malformed` with those there are in `allowed`. */
  version(type: string, wanted: string): Manifest
}

/**
 * A catalogue of these manifests, narrowed to `types` where given. Of one type and major the last one counts, and of
 * several majors the last one is for new instances; the others go on with those that were made with them.
 */
export function createCatalogue(
  manifests: readonly Manifest[],
  types: readonly string[] | null,
): Catalogue {
  const loaded = manifests.filter(({ type }) => types === null || types.includes(type))
  const byMajor = new Map(loaded.map((manifest) => [majorKey(manifest), manifest]))
  const known = [...new Map(loaded.map((manifest) => [manifest.type, manifest])).values()].toSorted(
    (a, b) => (a.type < b.type ? -1 : 1),
  )
  const find = (type: string): Manifest | undefined => {
    const lower = type.toLowerCase()
    return known.find((manifest) => manifest.type === lower)
  }
  return {
    manifests: known,
    find,
    get(type, pointer = '/connector_type') {
      const manifest = find(type)
      if (manifest !== undefined) return manifest
      throw unknownType(
        type,
        known.map((each) => each.type),
        pointer,
      )
    },
    serves: (type, version) => byMajor.has(majorKey({ type, version })),
    forInstance(type, version) {
      const manifest = byMajor.get(majorKey({ type, version }))
      if (manifest !== undefined) return manifest
      throw new ConnectorError(
        'connector_version_unavailable',
        `this instance needs version ${majorOf(version)} of ${type}, and this process has ${find(type)?.version ?? 'none'}`,
        { retryAfterMs: 60_000 },
      )
    },
    version(type, wanted) {
      const manifest = byMajor.get(majorKey({ type, version: wanted }))
      if (manifest !== undefined && [manifest.version, majorOf(wanted)].includes(wanted))
        return manifest
      const allowed = [...byMajor.values()]
        .filter((each) => each.type === type)
        .map((each) => each.version)
      const detail = `version ${wanted} of ${type} is not loaded here, but ${allowed.join(', ')}`
      throw new ConnectorError('request_malformed', detail, {
        errors: [{ pointer: '/connector_version', code: 'unknown', detail, allowed }],
      })
    },
  }
}

/** Equal for versions of one connector that can take each other's place. */
export function majorKey({ type, version }: Pick<Manifest, 'type' | 'version'>): string {
  return `${type} ${majorOf(version)}`
}

function unknownType(type: string, allowed: readonly string[], pointer: string): ConnectorError {
  const detail = `unknown connector type${didYouMean(type, allowed, '?')}`
  return new ConnectorError('connector_unknown', detail, {
    errors: [{ pointer, code: 'unknown', detail, allowed }],
  })
}

/** Of `2.1.0` and of `2`: `2`. */
export function majorOf(version: string): string {
  return version.split('.')[0] ?? version
}
