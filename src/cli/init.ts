// `tenon init`: a manifest to begin with, small and working, or drafted from a vendor's OpenAPI document.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newManifest, TYPE_PATTERN } from '../tools/authoring/new-manifest.ts'
import { packageFile } from '../package-file.ts'
import type { CommandContext, CommandModule } from './command.ts'
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts'
import { writeWhole } from './written-files.ts'

interface InitFlags {
  readonly out?: string
  readonly force?: boolean
  readonly fromOpenapi?: string
  readonly path?: readonly string[]
  readonly json?: boolean
}

export const examples: CommandModule['examples'] = [
  'tenon init acme-crm',
  "tenon init acme-crm --from-openapi acme.openapi.yaml --path 'GET /customers' 'GET /customers/{id}'",
]

export const configure: CommandModule['configure'] = (command, context, done) => {
  command
    .argument('<type>', 'connector type: lower-case words with hyphens, such as acme-crm')
    .option('--out <file>', 'where to write it; default: manifests/<type>.yaml')
    .option('--force', 'replace a file that is there')
    .option(
      '--from-openapi <file>',
      'draft it from an OpenAPI 3 or Swagger 2 document, JSON or YAML',
    )
    .option('--path <operation...>', 'take these operations only, such as "GET /customers"')
    .option('--json', 'print what was done as JSON')
    .action(async (type: string, flags: InitFlags) => done(await init(type, flags, context)))
}

async function init(type: string, flags: InitFlags, context: CommandContext): Promise<ExitCode> {
  if (!TYPE_PATTERN.test(type))
    throw new UsageError(
      `"${type}" is no connector type: write lower-case words with hyphens, such as ${suggested(type)}`,
    )
  const name = flags.out ?? `manifests/${type}.yaml`
  const path = resolve(context.folder, name)
  if (existsSync(path) && flags.force !== true)
    throw new UsageError(`${name} is there already; --force replaces it, --out writes elsewhere`)
  const schema = schemaFor(path)
  const { out, err } = context.terminal
  if (flags.fromOpenapi === undefined) {
    if (flags.path !== undefined) throw new UsageError('--path belongs to --from-openapi')
    await writeWhole(path, newManifest(type, schema))
    out.write(
      flags.json === true
        ? `${JSON.stringify({ path: name, actions: 1, notes: [] })}\n`
        : `${name}\n`,
    )
  } else {
    const draft = await draftFrom(
      flags.fromOpenapi,
      { type, schema, paths: flags.path ?? [] },
      context,
    )
    await writeWhole(path, draft.text)
    if (flags.json === true)
      out.write(`${JSON.stringify({ path: name, actions: draft.actions, notes: draft.notes })}\n`)
    else {
      out.write(`${name}\n`)
      for (const note of draft.notes) err.write(`review: ${note}\n`)
      err.write(`${draft.actions} actions drafted; compare them with the vendor's documentation\n`)
    }
  }
  if (flags.json !== true)
    err.write(
      `Next:\n  tenon lint ${name} --watch\n  tenon describe ${name}\n  tenon try ${name} <entity.action> --sandbox\n  tenon types ${name} --out src/generated\n`,
    )
  return EXIT.done
}

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
