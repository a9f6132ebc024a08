// The manifests that are served: those of the package and of files, what is published over them, and local vendors of both.
import type { Sandbox } from '../sandbox/sandbox.ts'
import { Catalogue } from '../service/catalogue.ts'
import {
  PublishedManifests,
  type PublishedPorts,
} from '../service/manifests/published-manifests.ts'
import type { ServiceSettings } from '../service/settings.ts'
import { filesByType, isPackaged, type ServedManifest } from './catalogue-files.ts'
import type { Vendors, VendorsOptions } from './vendors.ts'
import { WorkshopThread } from './workshop/workshop-thread.ts'

export interface Serving {
  /** Of served manifests, by type. */
  readonly files: Readonly<Record<string, string>>
  readonly published: PublishedManifests
  /** Reads the texts of manifests. */
  readonly workshopThread: WorkshopThread
  /** In the mode `sandbox` the vendor of each type, with what to connect with. */
  readonly sandboxes: ReadonlyMap<string, Sandbox> | null
  /** The operator's, and those of local vendors. */
  readonly givenClients: ServiceSettings['oauthClients']
}

export interface ServedOptions extends Pick<PublishedPorts, 'store' | 'catalogue' | 'log'> {
  readonly settings: ServiceSettings
  readonly served: readonly ServedManifest[]
}

/** Starts local vendors where they are asked for, and takes over what is published. Throws `store_unavailable`. */
export async function serveManifests(
  { settings, served, ...ports }: ServedOptions,
  opened: AsyncDisposableStack,
): Promise<Serving> {
  const { mode, connectors, publishOrganization } = settings
  const { catalogue } = ports
  const files = filesByType(served)
  const givenClients = { ...settings.oauthClients }
  const options = { served, files, clients: givenClients }
  const vendors =
    mode === 'sandbox' ? opened.adopt(await openVendors(options), (own) => own.close()) : null
  await vendors?.follow(catalogue.manifests)
  const workshopThread = opened.adopt(new WorkshopThread(), (own) => own.close())
  const published = new PublishedManifests({
    ...ports,
    reader: workshopThread,
    organization: publishOrganization,
    packaged: served.filter(isPackaged).map(({ manifest }) => manifest),
    own: served.filter((each) => !isPackaged(each)).map(({ manifest }) => manifest),
    follow: async (others) => await vendors?.follow(new Catalogue(others, connectors).manifests),
  })
  await published.refresh()
  const sandboxes = vendors?.running ?? null
  return { files, published, workshopThread, sandboxes, givenClients }
}

async function openVendors(options: VendorsOptions): Promise<Vendors> {
  const { Vendors } = await import('./vendors.ts')
  return new Vendors(options)
}
