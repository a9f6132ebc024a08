// Publishing a version, making an earlier one current again, and ending one: each compared with what it takes the place of.
import { auditOf } from '../audit.ts'
import type { ServiceBase } from '../base.ts'
import { majorOf } from '../catalogue.ts'
import type { Problem } from '../../errors.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import type { AuditEntry } from '../store/audit.ts'
import type { ManifestChange } from '../store/manifests.ts'
import { uuidv7 } from '../store/uuid.ts'
import { type Principal, requireManage } from '../tokens/principal.ts'
import { breaks, type ManifestComparison, type ManifestReader } from './manifest-reader.ts'
import {
  lintProblems,
  problemOf,
  refused,
  stepProblems,
  takenProblem,
  unconfirmed,
} from './publish-problems.ts'
import type { Origin, Publication, PublishedManifests, Version } from './published-manifests.ts'

export interface PublishingPorts extends Pick<ServiceBase, 'store' | 'catalogue' | 'clock'> {
  readonly published: PublishedManifests
  readonly reader: ManifestReader
  /** Told when instances of the major of a version run by another one than before. */
  readonly othersServe: (place: Version) => void
}

export interface Intent {
  readonly principal: Principal
  readonly requestId: string
  /** Whether running instances may lose what callers rely on. */
  readonly acceptsBreaking: boolean
  /** Says what would become of it, and changes nothing. */
  readonly isTrial: boolean
}

/** What a change means for the instances of a major. */
export interface Replacement {
  /** What they run by so far; null: nothing. */
  readonly before: Replaced | null
  /** What they run by then; null: nothing. */
  readonly after: Replaced | null
  /** From what it follows; null: it follows nothing. */
  readonly comparison: ManifestComparison | null
  /** How many there are, of all organisations; null: a part of the store does not answer. */
  readonly instances: number | null
  /** What keeps it from being done. */
  readonly refusals: readonly Problem[]
  readonly warnings: readonly string[]
}

interface Replaced {
  readonly version: string
  readonly origin: Origin
}

export interface Done {
  readonly publication: Publication
  readonly replacement: Replacement
}

export class Publishing {
  readonly #ports: PublishingPorts

  constructor(ports: PublishingPorts) {
    this.#ports = ports
  }

  /** Throws `manifest_refused` with all that keeps the text from being published, and `scope_denied`. */
  async publish(
    { text, note }: { readonly text: string; readonly note: string | null },
    intent: Intent,
  ): Promise<Done> {
    this.#requireRight(intent)
    const { reader, store, clock, published } = this.#ports
    const loaded = await reader.load(text)
    const { manifest } = loaded
    if (manifest === null) throw refused(lintProblems(loaded))
    await published.refresh()
    const { type, version, hash } = manifest
    const id = { connectorType: type, version, manifestId: uuidv7(clock.now()), hash, note }
    const found = loaded.problems.map(
      ({ line, message, hint }) => `line ${line}: ${message}${hint === null ? '' : `; ${hint}`}`,
    )
    const replacement = await this.#toPublish(manifest, text, intent)
    const told = { ...replacement, warnings: [...replacement.warnings, ...found] }
    const audit = auditFor('publish', manifest, { intent, replacement })
    await this.#commit(manifest, { intent, replacement, manifest }, (place) =>
      store.manifests.publish({ ...id, manifest: text }, place, audit),
    )
    const publication = intent.isTrial
      ? published.shown({ ...id, publishedBy: audit.actor, publishedAt: clock.now() })
      : await this.#shown(manifest)
    this.#tell(manifest, intent, replacement)
    return { publication, replacement: told }
  }

  /** Makes a version that was published before the current one of its major. Throws the same, and `manifest_unknown`. */
  async rollBack(version: Version, intent: Intent): Promise<Done> {
    this.#requireRight(intent)
    const { reader, catalogue, published, store } = this.#ports
    const { text, isCurrent } = await published.get(version)
    if (isCurrent) throw refused([problemOf('current', `${nameOf(version)} is current already`)])
    const loaded = await reader.load(text)
    if (loaded.manifest === null) throw refused(lintProblems(loaded))
    const before = catalogue.ofMajor(version) ?? null
    const isHidden = published.hidingOf(version) !== null
    const replacement = await this.#replacement(version, intent, {
      before,
      after: isHidden ? before : loaded.manifest,
      comparison: before === null || isHidden ? null : await reader.compare(before, text),
    })
    const audit = auditFor('rollback', version, { intent, replacement })
    await this.#commit(
      version,
      { intent, replacement, manifest: loaded.manifest },
      ({ major, before: current }) =>
        store.manifests.makeCurrent(
          { connectorType: version.type, major, before: current },
          version.version,
          audit,
        ),
    )
    const publication = await this.#shown(version)
    this.#tell(version, intent, replacement)
    return { publication, replacement }
  }

  /**
   * Ends the serving of a current version: its major is served as the package or a file has it, or not at all. Throws the
   * same as `rollBack`.
   */
  async unpublish(version: Version, intent: Intent): Promise<Done> {
    this.#requireRight(intent)
    const { reader, catalogue, published, store } = this.#ports
    const { isCurrent } = await published.get(version)
    if (!isCurrent)
      throw refused([problemOf('not_current', `${nameOf(version)} is not the current version`)])
    const before = catalogue.ofMajor(version) ?? null
    const after = published.withoutPublished(version)
    const isSame = before === null || after === null || before.hash === after.hash
    const replacement = await this.#replacement(version, intent, {
      before,
      after,
      comparison: isSame ? null : await reader.compare(before, after),
    })
    const audit = auditFor('unpublish', version, { intent, replacement })
    await this.#commit(version, { intent, replacement }, ({ major, before: current }) =>
      store.manifests.makeCurrent(
        { connectorType: version.type, major, before: current },
        null,
        audit,
      ),
    )
    const publication = await this.#shown(version)
    this.#tell(version, intent, replacement)
    return { publication, replacement }
  }

  #requireRight({ principal }: Intent): void {
    this.#ports.published.requirePublisher(principal)
    requireManage(principal)
  }

  async #toPublish(manifest: Manifest, text: string, intent: Intent): Promise<Replacement> {
    const { catalogue, reader, store, published } = this.#ports
    const before = catalogue.ofMajor(manifest) ?? null
    const isHidden = published.hidingOf(manifest) !== null
    // A published version that a file hides is what the next one follows all the same.
    const followed = published.currentOf(manifest)?.manifest ?? before
    const comparedTo = followed ?? lower(catalogue.find(manifest.type), manifest)
    const comparison = comparedTo === null ? null : await reader.compare(comparedTo, text)
    const replacement = await this.#replacement(manifest, intent, {
      before,
      after: isHidden ? before : manifest,
      comparison,
    })
    const known = await store.manifests.find(manifest.type, manifest.version)
    const steps = followed === null || comparison === null ? [] : stepProblems(manifest, comparison)
    // What another major breaks reaches nobody, and what a file hides neither.
    const isReached = followed !== null && !isHidden && steps.length === 0
    return {
      ...replacement,
      refusals: [
        ...this.#nameProblems(manifest),
        ...(known === null || known.manifest === text ? [] : [takenProblem(manifest)]),
        ...steps,
        ...(isReached ? replacement.refusals : []),
      ],
    }
  }

  async #replacement(
    version: Version,
    { acceptsBreaking }: Intent,
    found: {
      readonly before: Manifest | null
      readonly after: Manifest | null
      readonly comparison: ManifestComparison | null
    },
  ): Promise<Replacement> {
    const { before, after, comparison } = found
    const instances = await this.#instancesOf(version)
    const isLost = before !== null && after === null && instances !== 0
    const takesAway = isLost || (comparison !== null && breaks(comparison))
    return {
      before: this.#replaced(before),
      after: this.#replaced(after),
      comparison,
      instances,
      refusals: takesAway && !acceptsBreaking ? [unconfirmed(version, { isLost, instances })] : [],
      warnings: this.#hidden(version, after),
    }
  }

  async #instancesOf({ type, version }: Version): Promise<number | null> {
    const { versions, isWhole } = await this.#ports.store.manifests.instances(type)
    const ofMajor = versions.filter((each) => majorOf(each.version) === majorOf(version))
    return isWhole ? ofMajor.reduce((sum, { count }) => sum + count, 0) : null
  }

  #replaced(manifest: Manifest | null): Replaced | null {
    if (manifest === null) return null
    return { version: manifest.version, origin: this.#ports.published.originOf(manifest) }
  }

  /** What stands behind what. */
  #hidden({ type, version }: Version, after: Manifest | null): readonly string[] {
    const { published } = this.#ports
    const other = published.withoutPublished({ type, version })
    if (other === null || after === other) {
      return published.hidingOf({ type, version }) === 'file'
        ? [
            `a file of the operator (TENON_MANIFESTS) has ${type} ${other?.version ?? ''} and goes before what is published`,
          ]
        : []
    }
    return [`${type} ${other.version} of the package is not served while this version is published`]
  }

  #nameProblems({ type, aliases = [] }: Manifest): readonly Problem[] {
    const { catalogue } = this.#ports
    if (!catalogue.offers(type))
      return [
        problemOf('type', `the settings of this service (TENON_CONNECTORS) leave ${type} out`),
      ]
    return [type, ...aliases].flatMap((name) => {
      const other = catalogue.find(name)?.type
      return other === undefined || other === type
        ? []
        : [problemOf('name', `"${name}" is a name of ${other} already; take another one`)]
    })
  }

  async #commit(
    version: Version,
    {
      intent,
      replacement,
      manifest,
    }: {
      readonly intent: Intent
      readonly replacement: Replacement
      /** Of the version, as it was read. */
      readonly manifest?: Manifest
    },
    write: (place: {
      readonly major: string
      readonly before: string | null
    }) => Promise<ManifestChange>,
  ): Promise<void> {
    if (intent.isTrial) return
    if (replacement.refusals.length > 0) throw refused(replacement.refusals)
    const { published } = this.#ports
    const before = published.currentOf(version)?.version ?? null
    const change = await write({ major: majorOf(version.version), before })
    if (change === 'taken') throw refused([takenProblem(version)])
    if (change === 'moved')
      throw refused([
        problemOf('moved', 'somebody else has changed it just now; look at it, and try again'),
      ])
    if (manifest !== undefined) published.remember(manifest)
  }

  /** Once this process serves by it. */
  #tell(version: Version, { isTrial }: Intent, { before, after }: Replacement): void {
    const isSame = before?.version === after?.version && before?.origin === after?.origin
    if (!isTrial && !isSame) this.#ports.othersServe(version)
  }

  async #shown(version: Version): Promise<Publication> {
    const { text: _, ...publication } = await this.#ports.published.get(version)
    return publication
  }
}

function auditFor(
  verb: 'publish' | 'rollback' | 'unpublish',
  version: Version,
  { intent, replacement }: { readonly intent: Intent; readonly replacement: Replacement },
): AuditEntry {
  const { before, after, comparison } = replacement
  const members = [
    ...(before === null ? [] : [`from ${before.origin} ${before.version}`]),
    `to ${after === null ? 'nothing' : `${after.origin} ${after.version}`}`,
    ...(comparison !== null && breaks(comparison) ? ['breaking'] : []),
  ]
  const about = { target: nameOf(version), members }
  return auditOf(intent.principal, intent.requestId, `manifest.${verb}`, about)
}

function nameOf({ type, version }: Version): string {
  return `${type} ${version}`
}

/** Of a lower major than the other one; null: it is not. */
function lower(manifest: Manifest | undefined, other: Version): Manifest | null {
  if (manifest === undefined) return null
  return Number(majorOf(manifest.version)) < Number(majorOf(other.version)) ? manifest : null
}
