// Manifests that were published while the service runs: which of them are served, by every process.
import type { ServiceBase } from '../base.ts'
import { majorKey, majorOf } from '../catalogue.ts'
import { ConnectorError } from '../../errors.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import type { CurrentManifest, PublishedManifest } from '../store/manifests.ts'
import { type Principal, requireWhole } from '../tokens/principal.ts'
import type { ManifestReader } from './manifest-reader.ts'
import { denied, lintProblems } from './publish-problems.ts'

export interface PublishedPorts extends Pick<ServiceBase, 'store' | 'catalogue' | 'log'> {
  readonly reader: ManifestReader
  /** Whose people and programs may publish; null: nobody's, and nothing that was published is served. */
  readonly organization: string | null
  /** Those of the package, which published ones go before, and those of the operator's files, which go before them. */
  readonly packaged: readonly Manifest[]
  readonly own: readonly Manifest[]
  /** Told before others are served: local vendors follow what they are vendors of. */
  readonly follow: (manifests: readonly Manifest[]) => Promise<void>
}

/** A version of a connector. */
export interface Version {
  readonly type: string
  readonly version: string
}

export type Origin = 'packaged' | 'published' | 'file'

/** Why a published version does not serve, although it is the current one of its major. */
export type Hiding = 'file' | 'setting' | 'invalid'

export interface Publication extends Omit<PublishedManifest, 'manifest'> {
  readonly isCurrent: boolean
  readonly isServed: boolean
  readonly hiddenBy: Hiding | null
}

interface Current {
  readonly row: CurrentManifest
  /** Null: it cannot be read by this version of the program. */
  readonly manifest: Manifest | null
}

export class PublishedManifests {
  readonly #ports: PublishedPorts
  /** By type and major. */
  #current: ReadonlyMap<string, Current> = new Map()
  #looking: Promise<void> = Promise.resolve()
  #read: Manifest | null = null

  constructor(ports: PublishedPorts) {
    this.#ports = ports
  }

  get isAllowed(): boolean {
    return this.#ports.organization !== null
  }

  /** Whether an organisation may publish. */
  mayPublish(organizationId: string): boolean {
    return this.#ports.organization === organizationId
  }

  /** Throws `scope_denied` for a caller who may neither see nor publish versions. */
  requirePublisher(principal: Principal): void {
    if (!this.isAllowed)
      throw denied('publishing is off; the operator allows it with TENON_PUBLISH_ORGANIZATION')
    requireWhole(principal)
    if (!this.mayPublish(principal.organizationId))
      throw denied('manifests serve all organisations, and another one than yours publishes them')
  }

  /** Takes a manifest that was just read from the text of its version, which is about to be served. */
  remember(manifest: Manifest): void {
    this.#read = manifest
  }

  /**
   * Takes over what any process has published since it looked last. Calls at the same time follow each other. Throws
   * `store_unavailable`; then what was served goes on.
   */
  async refresh(): Promise<void> {
    if (!this.isAllowed) return
    const look = this.#looking.then(() => this.#look())
    this.#looking = look.catch(() => {})
    await look
  }

  /**
   * The text of a type, where the manifest for its new instances is a published one, or nothing of it is served and it was
   * published last; else null.
   */
  async textOf(type: string): Promise<string | null> {
    const { catalogue, store } = this.#ports
    if (!this.isAllowed) return null
    const served = catalogue.find(type)
    if (served !== undefined && this.originOf(served) !== 'published') return null
    const [newest] = await store.manifests.list({ connectorType: type, limit: 1 })
    const version = served?.version ?? newest?.version
    if (version === undefined) return null
    return (await store.manifests.find(served?.type ?? type, version))?.manifest ?? null
  }

  /** The newest first. */
  async list(
    filter: Parameters<ServiceBase['store']['manifests']['list']>[0],
  ): Promise<readonly Publication[]> {
    await this.refresh()
    const rows = await this.#ports.store.manifests.list(filter)
    return rows.map((row) => this.shown(row))
  }

  /** With its text. Throws `manifest_unknown`. */
  async get({ type, version }: Version): Promise<Publication & { readonly text: string }> {
    await this.refresh()
    const row = await this.#ports.store.manifests.find(type, version)
    if (row === null)
      throw new ConnectorError('manifest_unknown', `${type} ${version} was never published`)
    const { manifest: text, ...facts } = row
    return { ...this.shown(facts), text }
  }

  shown(row: Omit<PublishedManifest, 'manifest'>): Publication {
    const place = { type: row.connectorType, version: row.version }
    const current = this.#current.get(majorKey(place))
    if (current === undefined || current.row.version !== row.version)
      return { ...row, isCurrent: false, isServed: false, hiddenBy: null }
    const hiddenBy = this.hidingOf(place) ?? (current.manifest === null ? 'invalid' : null)
    return { ...row, isCurrent: true, isServed: hiddenBy === null, hiddenBy }
  }

  /** What would keep a version from being served although it is published; null: nothing. */
  hidingOf(place: Version): Exclude<Hiding, 'invalid'> | null {
    const { own, catalogue } = this.#ports
    if (!catalogue.offers(place.type)) return 'setting'
    return own.some((each) => majorKey(each) === majorKey(place)) ? 'file' : null
  }

  /** The current version of a major, whether it is served or not. */
  currentOf(
    place: Version,
  ): { readonly version: string; readonly manifest: Manifest | null } | null {
    const current = this.#current.get(majorKey(place))
    return current === undefined
      ? null
      : { version: current.row.version, manifest: current.manifest }
  }

  /** What is served for a major without what is published. */
  withoutPublished(place: Version): Manifest | null {
    const { packaged, own } = this.#ports
    return [...packaged, ...own].findLast((each) => majorKey(each) === majorKey(place)) ?? null
  }

  originOf(manifest: Manifest): Origin {
    const { own, packaged } = this.#ports
    if (own.includes(manifest)) return 'file'
    return packaged.includes(manifest) ? 'packaged' : 'published'
  }

  async #look(): Promise<void> {
    const { store, catalogue, own, packaged, follow } = this.#ports
    const rows = await store.manifests.current()
    const before = this.#current
    const isKnown = (row: CurrentManifest): boolean =>
      before.get(keyOf(row))?.row.version === row.version
    if (rows.length === before.size && rows.every(isKnown)) return
    const current = new Map<string, Current>()
    for (const row of rows) {
      const known = isKnown(row) ? before.get(keyOf(row)) : undefined
      current.set(keyOf(row), known ?? (await this.#load(row)))
    }
    const published = [...current.values()].flatMap(({ manifest }) => manifest ?? [])
    const owned = new Set(own.map(majorKey))
    // New instances get the highest major, but for types that the operator has files of.
    const others = [...packaged, ...published]
      .filter((each) => !owned.has(majorKey(each)))
      .toSorted((a, b) => Number(majorOf(a.version)) - Number(majorOf(b.version)))
    await follow([...others, ...own])
    this.#current = current
    catalogue.replace([...others, ...own])
  }

  async #load(row: CurrentManifest): Promise<Current> {
    const { store, reader, log } = this.#ports
    const { connectorType, version } = row
    const read = this.#read
    if (read?.type === connectorType && read.version === version) return { row, manifest: read }
    const found = await store.manifests.find(connectorType, version)
    const loaded = found && (await reader.load(found.manifest))
    if (loaded !== null && loaded.manifest !== null) return { row, manifest: loaded.manifest }
    const [first] = loaded === null ? [] : lintProblems(loaded)
    log.error(
      { connector_type: connectorType, version, problem: first?.detail ?? 'its row is missing' },
      'a published manifest cannot be read by this version of the program and is not served',
    )
    return { row, manifest: null }
  }
}

/** Each of several processes looks so often for what others have changed. */
export const LOOK_EVERY_MS = 2000
/** After so long all of them serve by a change, whose looks come up to a tenth later. */
export const TAKEN_OVER_MS: number = LOOK_EVERY_MS * 1.25

/** What a repeated look tells the log when it fails. */
export const LOOK_FAILURE = 'published manifests could not be looked for; what is served goes on'

function keyOf({ connectorType, version }: CurrentManifest): string {
  return majorKey({ type: connectorType, version })
}
