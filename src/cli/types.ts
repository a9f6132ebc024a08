// `tenon types`: TypeScript files of manifests, written, compared or watched.
import { join, resolve } from 'node:path'
import { formatProblems } from '../language/manifest/format-problems.ts'
import { manifestError } from '../language/manifest/load.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import { type CommandContext, type Configure, type FlagsOf, JSON_OPTION, leaf } from './command.ts'
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts'
import { findManifests, loadManifests, watchManifests } from './manifest-files.ts'
import { print, writeLines } from './terminal.ts'
import { type MadeFile, madeFiles, settleFiles, textAt } from './written-files.ts'

export const examples: readonly string[] = [
  'tenon types --out src/generated',
  'tenon types --out src/generated --check',
  'tenon types manifests/acme.yaml --stdout',
]

const OPTIONS = {
  '--out <folder>': 'where <type>.ts and index.ts are written',
  '--check': 'write nothing; exit code 1 when a file is not what it would be',
  '--watch': 'write again whenever a manifest changes',
  '--stdout': 'print the file of one manifest',
  ...JSON_OPTION,
} as const

type TypesFlags = FlagsOf<typeof OPTIONS>

export const configure: Configure = leaf({
  arguments: {
    '[files...]':
      'manifests, folders or patterns, in addition to what the folder has already; default: the folder manifests, and nothing else',
  },
  options: OPTIONS,
  async run({ files, ...flags }, context) {
    if (flags.stdout === true) return await printOne(files, flags, context)
    const { out, watch, check } = flags
    if (out === undefined)
      throw new UsageError('Say where to with --out <folder>, or print one file with --stdout')
    if (watch === true && check === true)
      throw new UsageError('--watch writes and --check does not; take one of them')
    const code = await runOnce(files, { ...flags, out }, context)
    if (watch !== true) return code
    await watchManifests(context, files, () => runOnce(files, { ...flags, out }, context))
    return EXIT.interrupted
  },
})

async function runOnce(
  names: readonly string[],
  flags: TypesFlags & { readonly out: string },
  context: CommandContext,
): Promise<ExitCode> {
  const started = performance.now()
  const { check = false, json, out } = flags
  const manifests = await load(names, flags, context)
  if (manifests === null) return EXIT.failed
  const isWhole = names.length === 0
  const made = await typeFiles(manifests, resolve(context.folder, out), { isWhole, check })
  const command = `tenon types --out ${out}`
  const settled = await settleFiles(context.folder, made, { check, command })
  const { files } = settled.value
  const tookMs = Math.round(performance.now() - started)
  const counted = check ? 'stale' : 'written'
  const count = files.filter(({ state }) => state === counted).length
  const seconds = (tookMs / 1000).toFixed(1)
  const note = `${count} of ${files.length} files ${counted} (${seconds} s)\n${settled.note}`
  await print(context.terminal, json, { ...settled, value: { files, took_ms: tookMs }, note })
  return settled.code ?? EXIT.done
}

interface TypeFile extends MadeFile {
  /** null for index.ts. */
  readonly manifest: string | null
  readonly hash: string | null
}

/**
 * The files that a folder should have. A file that names its manifest's hash is believed, except by a check. Files of
 * other manifests go where the folder is written as a `whole`; else they stay, and index.ts has them.
 */
async function typeFiles(
  manifests: readonly Manifest[],
  folder: string,
  { isWhole, check }: { readonly isWhole: boolean; readonly check: boolean },
): Promise<readonly TypeFile[]> {
  const { hashInTypes, typeInTypes } = await import('../tools/codegen/types-header.ts')
  const { generateIndex } = await import('../tools/codegen/types-index.ts')
  const types = manifests.map(({ type }) => type)
  const others = (await madeFiles(folder, '.ts', (text) => typeInTypes(text) !== null))
    .map(({ path, text }) => ({ path, before: text, manifest: typeInTypes(text) ?? '' }))
    .filter(({ manifest }) => !types.includes(manifest))
  const files: TypeFile[] = []
  for (const manifest of manifests) {
    const { type, hash } = manifest
    const path = join(folder, `${type}.ts`)
    const before = await textAt(path)
    const isKnown = !check && before !== null && hashInTypes(before) === hash
    const text = isKnown ? null : await generated(manifest)
    files.push({ path, before, text, manifest: type, hash })
  }
  const path = join(folder, 'index.ts')
  const kept = isWhole ? [] : others.map(({ manifest }) => manifest)
  const text = generateIndex([...types, ...kept])
  files.push({ path, before: await textAt(path), text, manifest: null, hash: null })
  const gone = isWhole ? others : []
  return [...files, ...gone.map((each) => ({ ...each, text: null, hash: null, isGone: true }))]
}

/** The generator takes a while to load, and mostly nothing has changed. */
async function generated(manifest: Manifest): Promise<string> {
  const { generateTypes } = await import('../tools/codegen/generate-types.ts')
  return await generateTypes(manifest)
}

/** All manifests, or null after telling what is wrong with them. */
async function load(
  names: readonly string[],
  { json }: TypesFlags,
  { folder, terminal: { out, err } }: CommandContext,
): Promise<readonly Manifest[] | null> {
  const found = await loadManifests(findManifests(folder, names))
  const errors = found.problems.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return found.loaded
  // As `run-command.ts` tells an error; a command that watches goes on.
  if (json === true) writeLines(out, [{ error: manifestError(errors).toJSON() }])
  err.write(formatProblems({ ...found, color: err.isColoured }, 'human'))
  return null
}

async function printOne(
  names: readonly string[],
  flags: TypesFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const manifests = await load(names, flags, context)
  if (manifests === null) return EXIT.failed
  const [only] = manifests
  if (only === undefined || manifests.length > 1)
    throw new UsageError(`--stdout prints one file; name one manifest, not ${manifests.length}`)
  context.terminal.out.write(await generated(only))
  return EXIT.done
}
