// The module of each packaged connector: its manifest as a value, made of the YAML.
import { fileURLToPath } from 'node:url'

import type { Plugin } from 'rolldown'

import { findManifests } from '../src/cli/manifest-files.ts'
import { constantName } from '../src/client/packaged.ts'
import { pascalCase } from '../src/tools/codegen/type-names.ts'
import { compileManifest } from '../src/language/manifest/compiled.ts'
import { loadManifestFile, requireManifest } from '../src/language/manifest/load.ts'
import type { Manifest } from '../src/language/manifest/manifest.ts'
import { needsLinearEngine } from '../src/language/expression/pattern.ts'

import { packed } from './shared-parts.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = (path: string): string => JSON.stringify(`${root}src/${path}`)

/** Every manifest in `manifests/`. Throws `manifest_invalid`. */
export async function readConnectors(): Promise<readonly Manifest[]> {
  return await Promise.all(
    findManifests(root, ['manifests']).map(async ({ path }) =>
      requireManifest(await loadManifestFile(path)),
    ),
  )
}

const CONNECTOR = '\0connector:'

/** The id of a connector's module, for the bundler. */
export function connectorModule({ type }: Manifest): string {
  return CONNECTOR + type
}

/** Makes the modules when the bundler asks for them: they are never files. */
export function connectorModules(manifests: readonly Manifest[]): Plugin {
  const texts = new Map(
    manifests.map((manifest) => [connectorModule(manifest), moduleText(manifest)]),
  )
  return {
    name: 'connector-modules',
    resolveId: (id) => (texts.has(id) ? id : null),
    load: (id) => texts.get(id) ?? null,
  }
}

/** The declarations beside it: the connector's types, and its manifest as a value. */
export function connectorTypes({ type, title }: Manifest): string {
  const name = pascalCase(type)
  return [
    `import type { Manifest } from '../../index.js'`,
    `import type { ${name}, ${name}Settings } from '../../client/generated/${type}.js'`,
    `export type * from '../../client/generated/${type}.js'`,
    `/** The manifest of ${title}, for \`connect(${constantName(type)}, …)\`. */`,
    `export declare const ${constantName(type)}: Manifest<${name}, ${name}Settings>`,
    '',
  ].join('\n')
}

function moduleText(manifest: Manifest): string {
  // Text of JSON is read several times faster than the same as a literal.
  // Words in other languages are for the connect page of a service, which reads the YAML: a client loads none.
  const { translations: _, ...whole } = JSON.parse(compileManifest(manifest)) as Partial<Manifest>
  const text = JSON.stringify(JSON.stringify(packed(whole)))
  const needs = needsOf(manifest)
  return [
    `import { prebuilt } from ${source('client/prebuilt.ts')}`,
    `import { ${needs.join(', ')} } from ${source('late-modules.ts')}`,
    `export const ${constantName(manifest.type)} = prebuilt(JSON.parse(${text}), [${needs.join(', ')}])`,
  ].join('\n')
}

/**
 * What of src/late-modules.ts reading records takes: patterns that the platform cannot run. Parameters,
 * credentials, answers and errors wait for what they need.
 */
function needsOf(manifest: Manifest): readonly string[] {
  const needs = new Set<string>()
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { matches, helper, args } = value as Readonly<Record<string, unknown>>
    if (typeof matches === 'string' && needsLinearEngine(matches, 'test'))
      needs.add('linearPatterns')
    if (helper === 'match') {
      const [, pattern] = args as readonly { readonly value?: unknown }[]
      const { value: text } = pattern ?? {}
      if (typeof text !== 'string' || needsLinearEngine(text, 'group')) needs.add('linearPatterns')
    }
    for (const [name, part] of Object.entries(value)) if (!WAITING.has(name)) look(part)
  }
  look(manifest)
  return [...needs]
}

/** Blocks of a manifest that are read where what they need is waited for, or by services only. */
const WAITING: ReadonlySet<string> = new Set(['errors', 'webhooks'])
