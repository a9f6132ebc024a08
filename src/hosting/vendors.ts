// Local vendors of the mode `sandbox`, each on a free port of 127.0.0.1: everything works with no account anywhere.
import { registersClient } from '../language/manifest/access/consent.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import { loadDemo, sandbox } from '../sandbox/open-sandbox.ts'
import { createSandbox, type Sandbox } from '../sandbox/sandbox.ts'
import type { ServiceSettings } from '../service/settings.ts'
import type { ServedManifest } from './catalogue-files.ts'

type OAuthClient = ServiceSettings['oauthClients'][string]

export interface VendorsOptions {
  readonly served: readonly ServedManifest[]
  /** Of served manifests, by type. */
  readonly files: Readonly<Record<string, string>>
  /** By type: gets the client of each vendor, but where the operator gives one. */
  readonly clients: Record<string, OAuthClient>
}

export class Vendors {
  /** By type. */
  readonly running: Map<string, Sandbox> = new Map()
  readonly #options: VendorsOptions
  readonly #given: ReadonlySet<string>
  readonly #manifests = new Map<string, Manifest>()
  readonly #ended: Sandbox[] = []

  constructor(options: VendorsOptions) {
    this.#options = options
    this.#given = new Set(Object.keys(options.clients))
  }

  /** Has a vendor for each of these, the last one of a type, and for no other. Those that are there stay. */
  async follow(manifests: readonly Manifest[]): Promise<void> {
    const wanted = new Map(manifests.map((manifest) => [manifest.type, manifest]))
    for (const [type, manifest] of wanted) {
      if (this.#manifests.get(type) === manifest) continue
      const vendor = await this.#start(manifest)
      this.#end(type)
      this.#manifests.set(type, manifest)
      this.running.set(type, vendor)
      if (!this.#given.has(type) && !registersClient(manifest))
        this.#options.clients[type] = { ...vendor.client, givenBy: ['sandbox'] }
    }
    for (const type of this.running.keys()) if (!wanted.has(type)) this.#end(type)
  }

  async close(): Promise<void> {
    await Promise.all([...this.running.values(), ...this.#ended].map((vendor) => vendor.close()))
  }

  async #start(manifest: Manifest): Promise<Sandbox> {
    const { served, files } = this.#options
    const file = served.find((each) => each.manifest === manifest)
    if (file !== undefined) return await sandbox(file.source)
    const source = files[manifest.type]
    // Demo data of another version may not fit; then records are made up.
    const demo = source === undefined ? null : await loadDemo(source, manifest).catch(() => null)
    return await createSandbox(manifest, demo)
  }

  /** Calls that are under way end as they began: it listens until the service ends. */
  #end(type: string): void {
    const vendor = this.running.get(type)
    if (vendor !== undefined) this.#ended.push(vendor)
    this.running.delete(type)
    this.#manifests.delete(type)
    if (!this.#given.has(type)) delete this.#options.clients[type]
  }
}
