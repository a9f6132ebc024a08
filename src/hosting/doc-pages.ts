// The pages of the documentation as this service has them: the files of the package, the API from the document that is
// served, and the connectors from the manifests that run.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isConnectorError } from '../errors.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import { packageFile } from '../package-file.ts'
import { type DocPage, type DocPages, pageOf, readGuides } from '../service/docs/doc-pages.ts'
import { apiReference, operationPages } from '../tools/codegen/api-reference.ts'
import { generateReference } from '../tools/codegen/reference.ts'
import type { Service } from './service.ts'

const API = 'reference/api'

/** What is served is what is written: nothing here is kept longer than the manifests that it is made of. */
export function docPagesOf(service: Pick<Service, 'catalogue' | 'openApi'>): () => DocPages {
  let guides: DocPages | null = null
  let made: { readonly generation: number; readonly docs: DocPages } | null = null
  return () => {
    const { generation } = service.catalogue
    guides ??= readGuides(fileURLToPath(packageFile('.')))
    if (made?.generation !== generation) made = { generation, docs: docsNow(service, guides) }
    return made.docs
  }
}

function docsNow(
  { catalogue, openApi }: Pick<Service, 'catalogue' | 'openApi'>,
  guides: DocPages,
): DocPages {
  const document = openApi()
  if (document === null) throw new TypeError('the service has no document of its own')
  const api = apiReference(document, ABOUT_API, 'errors.md')
  const operations = operationPages(document, { errorsPage: '../errors.md', isFull: true })
  const texts = new Map<string, () => Promise<string | null> | string | null>([
    ...guides.pages.map(({ path }) => [path, () => guides.textOf(path)] as const),
    [API, () => api],
    ...operations.map(({ id, text }) => [`operations/${id}`, () => `${text.slice(1)}\n`] as const),
    ...catalogue.manifests.map(
      (manifest) => [`connectors/${manifest.type}`, () => connectorText(manifest)] as const,
    ),
  ])
  const pages: readonly DocPage[] = [
    ...guides.pages.filter(({ path }) => path !== API),
    pageOf(API, 'Reference', api),
    ...operations.map(({ id, group, summary, request }) => ({
      path: `operations/${id}`,
      group: `API: ${group}`,
      title: summary,
      about: `\`${request}\`.`,
    })),
    ...catalogue.manifests.map(({ type, title, version, entities }) => ({
      path: `connectors/${type}`,
      group: 'Connectors',
      title,
      about: `Version ${version}: ${entities.length} entities with their actions, parameters, fields and limits.`,
    })),
  ]
  return { pages, textOf: (path) => texts.get(path)?.() ?? null }
}

const ABOUT_API = 'Everything this service does over HTTP, made from its own `/openapi.json`.'

async function connectorText(manifest: Manifest): Promise<string> {
  const [{ createExampleCalls }, { loadDemo }] = await Promise.all([
    import('../sandbox/example-calls.ts'),
    import('../sandbox/open-sandbox.ts'),
  ])
  const path = fileURLToPath(packageFile(`manifests/${manifest.type}.yaml`))
  try {
    const demo = existsSync(path) ? await loadDemo(path, manifest) : null
    return generateReference(manifest, createExampleCalls(manifest, demo))
  } catch (error) {
    // Demo data of the package fit the manifest of the package; an operator's may be another one.
    if (!isConnectorError(error)) throw error
    return generateReference(manifest, createExampleCalls(manifest, null))
  }
}
