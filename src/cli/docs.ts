// `tenon docs`: the Markdown reference of connectors, written or compared.
import { unlink } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { generateReference, isReference } from '../tools/codegen/reference.ts'
import { createExampleCalls } from '../sandbox/example-calls.ts'
import { loadDemo } from '../sandbox/open-sandbox.ts'
import type { CommandContext, CommandModule } from './command.ts'
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts'
import { findManifest } from './find-manifest.ts'
import { findManifests } from './manifest-files.ts'
import { shortDiff } from './short-diff.ts'
import { madeFiles, textAt, writeWhole } from './written-files.ts'

interface DocsFlags {
  readonly out?: string
  readonly check?: boolean
  readonly json?: boolean
}

export const examples: CommandModule['examples'] = [
  'tenon docs jira',
  'tenon docs --out docs/connectors',
  'tenon docs --out docs/connectors --check',
]

export const configure: CommandModule['configure'] = (command, context, done) => {
  command
    .argument('[types...]', 'connector types, or paths of manifests; default: the folder manifests')
    .option('--out <folder>', 'write <type>.md there; without it one reference is printed')
    .option('--check', 'write nothing; exit code 1 when a file is not what it would be')
    .option('--json', 'print what was done as JSON')
    .action(async (types: readonly string[], flags: DocsFlags) =>
      done(await docs(types, flags, context)),
    )
}

async function docs(
  names: readonly string[],
  flags: DocsFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const { out, err } = context.terminal
  const named =
    names.length === 0 ? findManifests(context.folder, []).map(({ path }) => path) : names
  const references = await Promise.all(
    named.map(async (name) => await referenceOf(name, context.folder)),
  )
  if (flags.out === undefined) {
    const [only] = references
    if (only === undefined || references.length > 1 || flags.check === true)
      throw new UsageError('Say where to with --out <folder>, or name one connector to print')
    out.write(only.text)
    return EXIT.done
  }
  const files = []
  for (const { type, text } of references) {
    const path = join(resolve(context.folder, flags.out), `${type}.md`)
    const name = relative(context.folder, path).replaceAll('\\', '/')
    const before = await textAt(path)
    const isFresh = before === text
    if (!isFresh && flags.check !== true) await writeWhole(path, text)
    files.push({
      path: name,
      state: isFresh ? 'fresh' : flags.check === true ? 'stale' : 'written',
    })
    if (flags.json === true || isFresh) continue
    out.write(
      flags.check === true ? `stale ${name}\n${shortDiff(before ?? '', text)}` : `${name}\n`,
    )
  }
  const isKnown = new Set(references.map(({ type }) => `${type}.md`))
  const made = await madeFiles(resolve(context.folder, flags.out), '.md', isReference)
  for (const { path } of names.length === 0 ? made : []) {
    if (isKnown.has(basename(path))) continue
    const name = relative(context.folder, path).replaceAll('\\', '/')
    if (flags.check !== true) await unlink(path)
    files.push({ path: name, state: flags.check === true ? 'stale' : 'removed' })
    if (flags.json === true) continue
    out.write(
      flags.check === true
        ? `stale ${name}\n  its manifest is gone\n`
        : `${name} removed, as its manifest is gone\n`,
    )
  }
  const stale = files.filter(({ state }) => state === 'stale')
  if (flags.json === true) out.write(`${JSON.stringify({ files })}\n`)
  else if (stale.length > 0) err.write(`Write them with: tenon docs --out ${flags.out}\n`)
  return stale.length > 0 ? EXIT.failed : EXIT.done
}

async function referenceOf(
  name: string,
  folder: string,
): Promise<{ readonly type: string; readonly text: string }> {
  const { manifest, path } = await findManifest(name, folder)
  const exampleParams = createExampleCalls(manifest, await loadDemo(path, manifest))
  return { type: manifest.type, text: generateReference(manifest, exampleParams) }
}
