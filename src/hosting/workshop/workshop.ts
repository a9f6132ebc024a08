// What connector authors do in the console: lint, types, a run against a local vendor, all from the text of a manifest.
import { readFile } from 'node:fs/promises'
import { ConnectorError } from '../../errors.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import { packageFile } from '../../package-file.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Catalogue } from '../../service/catalogue.ts'
import type { Workshop } from '../../service/console/manifest-routes.ts'
import type { ServedManifest } from '../catalogue-files.ts'
import { WorkshopThread } from './workshop-thread.ts'

const RUN_MS = 10_000
/** For one call of the thread, those before it included. */
const MAX_MS = 60_000

/** The workshop of a service in development; `served` says where the texts are. */
export function createWorkshop(
  served: readonly ServedManifest[],
  catalogue: Catalogue,
): Workshop & { close(): Promise<void> } {
  const thread = new WorkshopThread(MAX_MS)
  const sound = async (text: string): Promise<Manifest> => {
    const { manifest } = await thread.call('load', { text })
    if (manifest !== null) return manifest
    const detail = 'the manifest has errors; mend them first'
    throw new ConnectorError('request_malformed', detail, {
      errors: [{ pointer: '/text', code: 'manifest', detail }],
    })
  }
  return {
    close: () => thread.close(),

    async textOf(type) {
      const source = fileOf(served, type)
      // A host's bundle has no such files.
      return source === null ? null : await readFile(source, 'utf8').catch(() => null)
    },

    draft: (text, file) => thread.call('draft', { text, file }),

    async check(text) {
      const { problems, connector } = await thread.call('check', { text })
      const before = connector === null ? undefined : catalogue.find(connector.connector_type)
      return {
        problems: problems.map(({ file: _file, ...problem }) => problem),
        connector,
        changes: before === undefined ? null : await thread.call('compare', { text, before }),
      }
    },

    async types(text) {
      const { generateTypes } = await import('../../tools/codegen/generate-types.ts')
      return await generateTypes(await sound(text))
    },

    async preview(text, { entity, action, params }) {
      const manifest = await sound(text)
      await using vendor = await openVendor(served, manifest)
      // Without the local vendor's address: the request as the third party would get it.
      const { serverUrl: _, allowHosts: __, ...options } = vendor.options()
      const given = params ?? vendor.example(`${entity}.${action}`)
      const { connect } = await import('../../client/connect.ts')
      await using client = await connect(manifest, options)
      const { requests } = await client.preview(entity, action, given)
      return { params: given, requests: requests.map(({ curl, after }) => ({ curl, after })) }
    },

    async run(text, { entity, action, params }) {
      const manifest = await sound(text)
      await using vendor = await openVendor(served, manifest)
      const { connect } = await import('../../client/connect.ts')
      const { Download } = await import('../../client/download.ts')
      await using client = await connect(manifest, { ...vendor.options(), timeoutMs: RUN_MS })
      const answer = await client.execute(entity, action, params ?? {})
      if (!(answer instanceof Download)) return { answer: { data: answer.data, meta: answer.meta } }
      answer.cancel()
      return { answer: { data: null, meta: { content_type: answer.contentType } } }
    },
  }
}

function fileOf(served: readonly ServedManifest[], type: string): string | null {
  const found = served.find(({ manifest }) => manifest.type === type)
  if (found === undefined) return null
  return found.source === type ? packageFile(`manifests/${type}.yaml`).pathname : found.source
}

/** A vendor of its own for one call: nothing stays, and nothing leaves this machine. */
async function openVendor(served: readonly ServedManifest[], manifest: Manifest): Promise<Sandbox> {
  const { createSandbox } = await import('../../sandbox/sandbox.ts')
  const { loadDemo } = await import('../../sandbox/open-sandbox.ts')
  const file = fileOf(served, manifest.type)
  // Demo data of the served version may not fit what is being written; then records are made up.
  const demo = file === null ? null : await loadDemo(file, manifest).catch(() => null)
  return await createSandbox(manifest, demo)
}
