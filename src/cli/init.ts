// `tenon init`: a manifest to begin with, small and working, or drafted from a vendor's OpenAPI document.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newManifest, TYPE_PATTERN } from '../tools/authoring/new-manifest.ts'
import { packageFile } from '../package-file.ts'
import { type CommandContext, type Configure, leaf } from './command.ts'
import { UsageError } from './exit-codes.ts'
import { writeWhole } from './written-files.ts'

export const docs = 'twenty-minutes'
export const examples: readonly string[] = [
  'tenon init acme-crm',
  "tenon init acme-crm --from-openapi acme.openapi.yaml --path 'GET /customers' 'GET /customers/{id}'",
]

export const configure: Configure = leaf({
  arguments: { '<type>': 'connector type: lower-case words with hyphens, such as acme-crm' },
  options: {
    '--out <file>': 'where to write it; default: manifests/<type>.yaml',
    '--force': 'replace a file that is there',
    '--from-openapi <file>': 'draft it from an OpenAPI 3 or Swagger 2 document, JSON or YAML',
    '--path <operation...>': 'take these operations only, such as "GET /customers"',
    '--json': 'print what was done as JSON',
  },
  async run({ type, force, fromOpenapi, path: paths, ...given }, context) {
    if (!TYPE_PATTERN.test(type))
      throw new UsageError(
        `"${type}" is no connector type: write lower-case words with hyphens, such as ${suggested(type)}`,
      )
    const name = given.out ?? `manifests/${type}.yaml`
    const path = resolve(context.folder, name)
    if (existsSync(path) && force !== true)
      throw new UsageError(`${name} is there already; --force replaces it, --out writes elsewhere`)
    if (fromOpenapi === undefined && paths !== undefined)
      throw new UsageError('--path belongs to --from-openapi')
    const schema = schemaFor(path)
    const { text, actions, notes } =
      fromOpenapi === undefined
        ? { text: newManifest(type, schema), actions: 1, notes: [] }
        : await draftFrom(fromOpenapi, { type, schema, paths: paths ?? [] }, context)
    await writeWhole(path, text)
    const review = notes.map((note) => `review: ${note}\n`)
    if (fromOpenapi !== undefined)
      review.push(`${actions} actions drafted; compare them with the vendor's documentation\n`)
    const next = `Next:\n  tenon lint ${name} --watch\n  tenon describe ${name}\n  tenon try ${name} <entity.action> --sandbox\n  tenon types ${name} --out src/generated\n`
    return {
      value: { path: name, actions, notes },
      shown: `${name}\n`,
      note: review.join('') + next,
    }
  },
})

async function draftFrom(
  file: string,
  options: { readonly type: string; readonly schema: string; readonly paths: readonly string[] },
  context: CommandContext,
): Promise<{ readonly text: string; readonly notes: readonly string[]; readonly actions: number }> {
  const { OpenApiError, readOpenApi } = await import('../tools/authoring/openapi/document.ts')
  const { draftManifest } = await import('../tools/authoring/openapi/draft-manifest.ts')
  let text: string
  try {
    text = await readFile(resolve(context.folder, file), 'utf8')
  } catch {
    throw new UsageError(`${file} cannot be read`)
  }
  try {
    return draftManifest(readOpenApi(text, file), options)
  } catch (error) {
    if (error instanceof OpenApiError) throw new UsageError(error.message)
    throw error
  }
}

/** The schema as an editor finds it from the manifest. */
function schemaFor(manifest: string): string {
  const schema = fileURLToPath(packageFile('schemas/manifest.schema.json'))
  const path = relative(dirname(manifest), schema).replaceAll('\\', '/')
  return path.includes('node_modules/tenon')
    ? `${path.slice(0, path.indexOf('node_modules/tenon'))}node_modules/tenon/schemas/manifest.schema.json`
    : path
}

function suggested(text: string): string {
  const name = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
  return name === '' ? 'acme-crm' : `"${name}"`
}
