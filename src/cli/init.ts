// `tenon init`: a manifest to begin with, small and working, or drafted from a vendor's OpenAPI document or its MCP server.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, parse, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TYPE_PATTERN } from '../tools/authoring/manifest-template.ts'
import { newManifest } from '../tools/authoring/new-manifest.ts'
import { counted } from '../display/counted.ts'
import { packageFile } from '../package-file.ts'
import { type CommandContext, type Configure, jsonLines, leaf } from './command.ts'
import type { Draft, DraftOptions, DraftReport } from '../tools/authoring/openapi/draft-manifest.ts'
import type { Selection } from '../tools/authoring/openapi/select-operations.ts'
import { UsageError } from './exit-codes.ts'
import { writeWhole } from './written-files.ts'

export const docs = 'twenty-minutes'
export const examples: readonly string[] = [
  'tenon init acme-crm',
  'tenon init acme-crm --auth oauth2',
  "tenon init acme-crm --from-openapi acme.openapi.yaml --path 'GET /customers' 'GET /customers/{id}'",
  "tenon init github --from-openapi api.github.com.json --tag issues --path 'GET /repos/**'",
  'tenon init github --from-openapi api.github.com.json --split --auth bearer',
  'tenon init acme --from-mcp https://mcp.acme.com/mcp',
]

export const configure: Configure = leaf({
  arguments: { '<type>': 'connector type: lower-case words with hyphens, such as acme-crm' },
  options: {
    '--out <file>': 'where to write it; default: manifests/<type>.yaml; with --split a folder',
    '--force': 'replace a file that is there',
    '--from-openapi <file>':
      'draft it from an OpenAPI 3, Swagger 2 or Google discovery document, JSON or YAML',
    '--from-mcp <url>':
      'draft it from the tools of an MCP server over streamable HTTP; TENON_TRY_TOKEN is its bearer token',
    '--path <operation...>':
      'take these operations only, such as "GET /customers" or "GET /repos/**"',
    '--tag <tag...>': 'take the operations with these tags only',
    '--operations <id...>':
      'take these operations only, by operationId; * stands for any characters',
    '--split': 'write one manifest for each tag: <type>-<tag>.yaml',
    '--auth <method>': {
      text: 'how to sign in, where no document says it',
      choices: ['bearer', 'basic', 'header', 'oauth2'],
    },
    ...jsonLines('manifest'),
  },
  async run({ type, force, fromOpenapi, fromMcp, ...given }, context) {
    if (!TYPE_PATTERN.test(type))
      throw new UsageError(
        `"${type}" is no connector type: write lower-case words with hyphens, such as ${suggested(type)}`,
      )
    if (fromOpenapi === undefined)
      for (const option of ['path', 'tag', 'operations', 'split'] as const)
        if (given[option] !== undefined)
          throw new UsageError(`--${option} belongs to --from-openapi`)
    if (fromOpenapi !== undefined && fromMcp !== undefined)
      throw new UsageError('give --from-openapi or --from-mcp, not both')
    const split = given.split === true
    const name = given.out ?? (split ? 'manifests' : `manifests/${type}.yaml`)
    const path = resolve(context.folder, name)
    const claim = (file: string): string => {
      if (existsSync(resolve(context.folder, file)) && force !== true)
        throw new UsageError(
          `${file} is there already; --force replaces it, --out writes elsewhere`,
        )
      return resolve(context.folder, file)
    }
    if (!split) requireName(name, type)
    if (!split) claim(name)
    if (fromMcp !== undefined) {
      const { text, report } = await draftOfTools(
        { type, url: fromMcp, schema: schemaFor(path) },
        context,
      )
      await writeWhole(path, text)
      const one = { path: name, ...report }
      return { value: [one], shown: `${name}\n`, note: told(one) + nextSteps(name) }
    }
    if (fromOpenapi === undefined) {
      await writeWhole(path, newManifest(type, schemaFor(path), given.auth ?? null))
      return {
        value: [{ path: name, actions: 1, notes: [] }],
        shown: `${name}\n`,
        note: nextSteps(name),
      }
    }
    const wanted: Wanted = {
      type,
      auth: given.auth ?? null,
      selection: { paths: given.path ?? [], tags: given.tag ?? [], ids: given.operations ?? [] },
      split,
      nameOf: (one) => (split ? `${name}/${one}.yaml` : name),
      schemaOf: (file) => schemaFor(resolve(context.folder, file)),
    }
    const written: Written[] = []
    for await (const { file, text, report } of draftsFrom(fromOpenapi, wanted, context)) {
      await writeWhole(claim(file), text)
      written.push({ path: file, ...report })
    }
    const [first] = written
    const shown = written.map((one) => `${one.path}\n`).join('')
    return {
      value: written,
      shown,
      note: written.map(told).join('') + nextSteps(first?.path ?? name),
    }
  },
})

/** A connector is found by the name of its file. Throws UsageError. */
function requireName(name: string, type: string): void {
  const { dir, ext, name: called } = parse(name)
  // As lint has it: other texts have no name to differ.
  if (called === type || !/^\.(?:ya?ml|json)$/.test(ext)) return
  const other = TYPE_PATTERN.test(called) ? `, or begin with tenon init ${called} …` : ''
  throw new UsageError(
    `a manifest of "${type}" is found by the name of its file, which lint demands: --out ${join(dir, `${type}.yaml`)}${other}`,
  )
}

interface Wanted {
  readonly type: string
  readonly auth: DraftOptions['auth']
  readonly selection: Selection
  readonly split: boolean
  readonly nameOf: (type: string) => string
  readonly schemaOf: (file: string) => string
}
type Written = { readonly path: string } & DraftReport

function nextSteps(name: string): string {
  return `Next:\n  tenon lint ${name} --watch\n  tenon describe ${name}\n  tenon try ${name} <entity.action> --sandbox\n  tenon types ${name} --out src/generated\n`
}

/** The report of one draft. */
function told({ path, entities, actions, guessed, undecided, missing }: Written): string {
  const section = (title: string, lines: readonly string[]): string =>
    lines.length === 0
      ? ''
      : `${title} (${lines.length}):\n${lines.map((line) => `  ${line}\n`).join('')}`
  return [
    `${path}: ${counted(entities, 'entity', 'entities')}, ${counted(actions, 'action', 'actions')} drafted; compare them with the vendor's documentation\n`,
    section('guessed', guessed),
    section('to decide, before lint accepts it: how these listings go on', undecided),
    section('missing', missing),
  ].join('')
}

/** One draft after the other, so that no two are held at once. */
async function* draftsFrom(
  file: string,
  { type, auth, selection, split, nameOf, schemaOf }: Wanted,
  context: CommandContext,
): AsyncGenerator<{ readonly file: string } & Draft> {
  const { OpenApiError, readOpenApi } = await import('../tools/authoring/openapi/document.ts')
  const { draftManifest } = await import('../tools/authoring/openapi/draft-manifest.ts')
  const { byTag, selectOperations } =
    await import('../tools/authoring/openapi/select-operations.ts')
  let text: string
  try {
    text = await readFile(resolve(context.folder, file), 'utf8')
  } catch {
    throw new UsageError(`${file} cannot be read`)
  }
  try {
    const document = readOpenApi(text, file)
    const chosen = selectOperations(document, selection)
    const parts = split
      ? [...byTag(chosen)].map(([tag, operations]) => [`${type}-${slug(tag)}`, operations] as const)
      : [[type, chosen] as const]
    for (const [name, operations] of parts) {
      const out = nameOf(name)
      yield {
        file: out,
        ...draftManifest(document, { type: name, schema: schemaOf(out), operations, auth }),
      }
    }
  } catch (error) {
    if (error instanceof OpenApiError) throw new UsageError(error.message)
    throw error
  }
}

async function draftOfTools(
  { type, url, schema }: { readonly type: string; readonly url: string; readonly schema: string },
  { env }: CommandContext,
): Promise<Draft> {
  const { askTools } = await import('./live-tools.ts')
  const { draftFromTools } = await import('../tools/authoring/mcp/draft-manifest.ts')
  const { authorization, isOpen, ...offer } = await askTools(url, env)
  const draft = draftFromTools(offer, { type, schema, url, authorization, isOpen })
  if (draft === null) throw new UsageError(`${url} offers no tool that a manifest can call`)
  return draft
}

function slug(text: string): string {
  const name = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return name === '' ? 'other' : name
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
