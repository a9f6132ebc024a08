// What connector authors do in the console: lint, types, a run against a local vendor, all from the text of a manifest.
import { readFile } from 'node:fs/promises'
import type { Catalogue } from '../../service/catalogue.ts'
import type { Workshop } from '../../service/console/manifest-routes.ts'
import type { PublishedManifests } from '../../service/manifests/published-manifests.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import { showComparison } from '../../service/manifests/manifest-reader.ts'
import type { WorkshopThread } from './workshop-thread.ts'

export interface WorkshopPorts {
  /** Of served manifests, by type. */
  readonly files: Readonly<Record<string, string>>
  readonly catalogue: Catalogue
  readonly published: Pick<PublishedManifests, 'textOf'>
  readonly thread: Pick<WorkshopThread, 'call'>
}

export function createWorkshop({ files, catalogue, published, thread }: WorkshopPorts): Workshop {
  return {
    async textOf(type) {
      const text = await published.textOf(type)
      if (text !== null) return text
      const file = files[type]
      // A host's bundle has no such files.
      return file === undefined ? null : await readFile(file, 'utf8').catch(() => null)
    },

    draft: (text, file) => thread.call('draft', { text, file }),

    async check(text) {
      const { problems, isPart, connector } = await thread.call('check', { text })
      const before = connector === null ? undefined : catalogue.find(connector.connector_type)
      const compared =
        before === undefined ? null : await thread.call('compare', { before, after: text })
      return {
        problems: problems.map(({ file: _file, ...problem }) => problem),
        is_part: isPart,
        connector,
        changes: compared && showComparison(compared),
      }
    },

    types: (text) => thread.call('types', { text }),

    preview: (text, operation) => thread.call('preview', { text, ...operation, files }),

    async narrowed(text, { entity, action }) {
      const { compiled } = await thread.call('narrow', { text, entity, action })
      return JSON.parse(compiled) as Manifest // as the thread wrote it
    },

    run: (text, operation) => thread.call('run', { text, ...operation, files }),
  }
}
