// `tenon docs`: the Markdown reference of connectors, written or compared.
import { basename, join, resolve } from 'node:path'
import { generateReference, isReference } from '../tools/codegen/reference.ts'
import { createExampleCalls } from '../sandbox/example-calls.ts'
import { loadDemo } from '../sandbox/open-sandbox.ts'
import { type Configure, JSON_OPTION, leaf } from './command.ts'
import { UsageError } from './exit-codes.ts'
import { findManifest, findManifests } from './manifest-files.ts'
import { type MadeFile, madeFiles, settleFiles, textAt } from './written-files.ts'

export const examples: readonly string[] = [
  'tenon docs jira',
  'tenon docs --out docs/connectors',
  'tenon docs --out docs/connectors --check',
]

export const configure: Configure = leaf({
  arguments: {
    '[types...]': 'connector types, or paths of manifests; default: the folder manifests',
  },
  options: {
    '--out <folder>': 'write <type>.md there; without it one reference is printed',
    '--check': 'write nothing; exit code 1 when a file is not what it would be',
    ...JSON_OPTION,
  },
  async run({ types, out: folder, check }, context) {
    const isWhole = types.length === 0
    const named = isWhole ? findManifests(context.folder, []).map(({ path }) => path) : types
    const references = await Promise.all(named.map((name) => referenceOf(name, context.folder)))
    if (folder === undefined) {
      const [only] = references
      if (only === undefined || references.length > 1 || check === true)
        throw new UsageError('Say where to with --out <folder>, or name one connector to print')
      return { value: only, shown: only.text }
    }
    const place = resolve(context.folder, folder)
    const wanted: MadeFile[] = await Promise.all(
      references.map(async ({ type, text }) => {
        const path = join(place, `${type}.md`)
        return { path, text, before: await textAt(path) }
      }),
    )
    const known = new Set(references.map(({ type }) => `${type}.md`))
    const made = isWhole ? await madeFiles(place, '.md', isReference) : []
    const gone = made
      .filter(({ path }) => !known.has(basename(path)))
      .map(({ path, text }) => ({ path, text: null, before: text, isGone: true }))
    const command = `tenon docs --out ${folder}`
    return await settleFiles(context.folder, [...wanted, ...gone], { check, command })
  },
})

async function referenceOf(
  name: string,
  folder: string,
): Promise<{ readonly type: string; readonly text: string }> {
  const { manifest, path } = await findManifest(name, folder)
  const exampleParams = createExampleCalls(manifest, await loadDemo(path, manifest))
  return { type: manifest.type, text: generateReference(manifest, exampleParams) }
}
