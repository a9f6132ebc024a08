// Types of a large manifest, beside the schema compiler called on each of its schemas.
import { readFileSync } from 'node:fs'
import { compile } from 'json-schema-to-typescript'
import { generateTypes } from '../src/tools/codegen/generate-types.ts'
import { hashInTypes } from '../src/tools/codegen/types-header.ts'
import { loadManifestFile, requireManifest } from '../src/language/manifest/load.ts'
import type { JsonSchema, Manifest } from '../src/language/manifest/manifest.ts'
import { withDefinitions } from '../src/language/manifest/json-schema.ts'
import { measureSides } from './measure.ts'
import type { Row } from './row.ts'
import { ratioOf, spreadOf } from './statistics.ts'

const OPTIONS = { bannerComment: '', format: false, ignoreMinAndMaxItems: true, unknownAny: true }

/** Every schema that `tenon types` writes a type of. */
function schemasOf(manifest: Manifest): readonly JsonSchema[] {
  const schemas = manifest.entities.flatMap((entity) => [
    ...(entity.record === null ? [] : [entity.record]),
    ...entity.actions.flatMap(({ params, result }) => [
      params.schema,
      ...(result === null ? [] : [result]),
    ]),
  ])
  return [...schemas, ...Object.values(manifest.definitions)].map((schema) =>
    withDefinitions(schema, manifest.definitions),
  )
}

export const typesRow: Row = {
  name: 'types',
  about: 'types of the packaged connector with the most schemas',
  async run() {
    const manifest = requireManifest(await loadManifestFile('manifests/facebook-marketing.yaml'))
    const schemas = schemasOf(manifest)
    const written = readFileSync('src/client/generated/facebook-marketing.ts', 'utf8')
    const samples = await measureSides(
      [
        { name: 'tenon types', call: () => generateTypes(manifest) },
        {
          name: 'json-schema-to-typescript',
          call: async () => {
            for (const [index, schema] of schemas.entries()) {
              // A copy: the compiler writes into what it is given.
              await compile(structuredClone(schema), `Schema${index}`, OPTIONS)
            }
          },
        },
        {
          name: 'unchanged',
          call: async () => {
            if (hashInTypes(written) !== manifest.hash) throw new Error('the types are stale')
          },
        },
      ],
      { callers: 1, calls: 1, rounds: 9, warmUp: 3 },
    )
    const milliseconds = (name: string): number[] =>
      (samples.get(name) ?? []).map(({ wallUs }) => wallUs / 1000)
    const [ours, theirs, unchanged] = ['tenon types', 'json-schema-to-typescript', 'unchanged'].map(
      milliseconds,
    )
    return [
      {
        title: `${schemas.length} schemas`,
        unit: 'ms',
        sides: [
          { name: 'tenon types', ...spreadOf(ours ?? []) },
          { name: 'json-schema-to-typescript', ...spreadOf(theirs ?? []) },
          { name: 'unchanged manifest', ...spreadOf(unchanged ?? []) },
        ],
        figures: [
          {
            name: 'tenon types / json-schema-to-typescript',
            unit: '×',
            ...ratioOf(ours ?? [], theirs ?? []),
            must: { atMost: 1.5 },
            goal: null,
          },
          {
            name: 'unchanged manifest',
            unit: 'ms',
            ...spreadOf(unchanged ?? []),
            must: { atMost: 30 },
            goal: null,
          },
        ],
      },
    ]
  },
}
