// The connectors that this service knows: their manifests by type.
import { ConnectorError } from '../errors.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { nearest } from '../manifest/suggest.ts'

export interface Catalogue {
  /** In the order of their types. */
  readonly manifests: readonly Manifest[]
  /** The manifest of a type, without regard to case. Throws `connector_unknown` with those there are in `allowed`. */
  get(type: string): Manifest
  find(type: string): Manifest | undefined
  /** For an instance made with this version. Throws `connector_version_unavailable` when its major is not loaded. */
  forInstance(type: string, version: string): Manifest
}

/** A catalogue of these manifests, narrowed to `types` where given. */
export function createCatalogue(
  manifests: readonly Manifest[],
  types: readonly string[] | null,
): Catalogue {
  const byType = new Map(manifests.map((manifest) => [manifest.type, manifest]))
  const known = [...byType.values()]
    .filter(({ type }) => types === null || types.includes(type))
    .toSorted((a, b) => (a.type < b.type ? -1 : 1))
  const find = (type: string): Manifest | undefined => {
    const lower = type.toLowerCase()
    return known.find((manifest) => manifest.type === lower)
  }
  return {
    manifests: known,
    find,
    get(type) {
      const manifest = find(type)
      if (manifest !== undefined) return manifest
      throw unknownType(
        type,
        known.map((each) => each.type),
      )
    },
    forInstance(type, version) {
      const manifest = find(type)
      if (manifest !== undefined && majorOf(manifest.version) === majorOf(version)) return manifest
      throw new ConnectorError(
        'connector_version_unavailable',
        `this instance needs version ${majorOf(version)} of ${type}, and this process has ${manifest?.version ?? 'none'}`,
        { retryAfterMs: 60_000 },
      )
    },
  }
}

function unknownType(type: string, allowed: readonly string[]): ConnectorError {
  const near = nearest(type, allowed)
  const detail = `unknown connector type${near === null ? '' : `, did you mean "${near}"?`}`
  return new ConnectorError('connector_unknown', detail, {
    errors: [{ pointer: '/connector_type', code: 'unknown', detail, allowed }],
  })
}

function majorOf(version: string): string {
  return version.split('.')[0] ?? version
}
