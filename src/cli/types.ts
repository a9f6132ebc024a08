// `tenon types`: TypeScript files of manifests, written, compared or watched.
import { unlink } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { formatProblems } from '../language/manifest/format-problems.ts'
import { loadManifestFile, manifestError } from '../language/manifest/load.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import type { ManifestProblem } from '../language/manifest/problem.ts'
import type { CommandContext, CommandModule } from './command.ts'
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts'
import { findManifests } from './manifest-files.ts'
import { shortDiff } from './short-diff.ts'
import { watchManifests } from './watch-manifests.ts'
import { madeFiles, textAt, writeWhole } from './written-files.ts'

interface TypesFlags {
  readonly out?: string
  readonly check?: boolean
  readonly watch?: boolean
  readonly stdout?: boolean
  readonly json?: boolean
}

export const examples: CommandModule['examples'] = [
  'tenon types --out src/generated',
  'tenon types --out src/generated --check',
  'tenon types manifests/acme.yaml --stdout',
]

export const configure: CommandModule['configure'] = (command, context, done) => {
  command
    .argument(
      '[files...]',
      'manifests, folders or patterns, beside what the folder has already; default: the folder manifests, and nothing else',
    )
    .option('--out <folder>', 'where <type>.ts and index.ts are written')
    .option('--check', 'write nothing; exit code 1 when a file is not what it would be')
    .option('--watch', 'write again whenever a manifest changes')
    .option('--stdout', 'print the file of one manifest')
    .option('--json', 'print what was done as JSON')
    .action(async (files: readonly string[], flags: TypesFlags) =>
      done(await types(files, flags, context)),
    )
}

async function types(
  names: readonly string[],
  flags: TypesFlags,
  context: CommandContext,
): Promise<ExitCode> {
  if (flags.stdout === true) return await printOne(names, flags, context)
  const { out } = flags
  if (out === undefined)
    throw new UsageError('Say where to with --out <folder>, or print one file with --stdout')
  if (flags.watch === true && flags.check === true)
    throw new UsageError('--watch writes and --check does not; take one of them')
  const code = await runOnce(names, { ...flags, out }, context)
  if (flags.watch !== true) return code
  await watchManifests(context, names, () => runOnce(names, { ...flags, out }, context))
  return EXIT.interrupted
}

type State = 'fresh' | 'stale' | 'written' | 'removed'

interface TypeFile {
  readonly path: string
  readonly state: State
  /** null for index.ts. */
  readonly manifest: string | null
  readonly hash: string | null
}

async function runOnce(
  names: readonly string[],
  flags: TypesFlags & { readonly out: string },
  context: CommandContext,
): Promise<ExitCode> {
  const started = performance.now()
  const { out, err } = context.terminal
  const manifests = await load(names, flags, context)
  if (manifests === null) return EXIT.failed
  const folder = resolve(context.folder, flags.out)
  const files: TypeFile[] = []
  const diffs: string[] = []
  const nameOf = (path: string): string =>
    (relative(context.folder, path) || path).replaceAll('\\', '/')
  const others = await othersIn(folder, manifests)
  // Files that were named one by one say nothing of the others: those stay, and index.ts has them.
  const isWhole = names.length === 0
  const kept = isWhole ? [] : others.map(({ type }) => type)
  for (const wanted of await textsOf(manifests, kept, folder, flags.check === true)) {
    const { path, manifest, hash, before, text } = wanted
    const name = nameOf(path)
    const isFresh = text === null || text === before
    if (!isFresh && flags.check !== true) await writeWhole(path, text)
    const state: State = isFresh ? 'fresh' : flags.check === true ? 'stale' : 'written'
    files.push({ path: name, state, manifest, hash })
    if (state === 'stale') diffs.push(`stale ${name}\n${shortDiff(before ?? '', text ?? '')}`)
  }
  for (const { path, type } of isWhole ? others : []) {
    if (flags.check === true) diffs.push(`stale ${nameOf(path)}\n  its manifest is gone\n`)
    else await unlink(path)
    const state: State = flags.check === true ? 'stale' : 'removed'
    files.push({ path: nameOf(path), state, manifest: type, hash: null })
  }
  const tookMs = Math.round(performance.now() - started)
  const stale = files.filter(({ state }) => state === 'stale')
  if (flags.json === true) out.write(`${JSON.stringify({ files, took_ms: tookMs })}\n`)
  else {
    for (const { path, state } of files)
      if (state === 'written') out.write(`${path}\n`)
      else if (state === 'removed') out.write(`${path} removed, as its manifest is gone\n`)
    for (const diff of diffs) out.write(diff)
    const count =
      flags.check === true ? stale.length : files.filter(({ state }) => state === 'written').length
    err.write(
      `${count} of ${files.length} files ${flags.check === true ? 'stale' : 'written'} (${(tookMs / 1000).toFixed(1)} s)\n`,
    )
    if (stale.length > 0) err.write(`Write them with: tenon types --out ${flags.out}\n`)
  }
  return stale.length > 0 ? EXIT.failed : EXIT.done
}

interface Wanted {
  readonly path: string
  readonly manifest: string | null
  readonly hash: string | null
  /** null: there is no such file. */
  readonly before: string | null
  /** null: known to be as it is, without being made. */
  readonly text: string | null
}

/** Files in the folder that were made from other manifests. */
async function othersIn(
  folder: string,
  manifests: readonly Manifest[],
): Promise<readonly { readonly path: string; readonly type: string }[]> {
  const { typeInTypes } = await import('../tools/codegen/types-header.ts')
  const made = await madeFiles(folder, '.ts', (text) => typeInTypes(text) !== null)
  return made
    .map(({ path, text }) => ({ path, type: typeInTypes(text) ?? '' }))
    .filter(({ type }) => !manifests.some((manifest) => manifest.type === type))
}

/** The texts that the files should have, `kept` types having theirs. A file that names its manifest's hash is believed, except by a check. */
async function textsOf(
  manifests: readonly Manifest[],
  kept: readonly string[],
  folder: string,
  checks: boolean,
): Promise<readonly Wanted[]> {
  const befores = await Promise.all(
    manifests.map(async ({ type }) => await textAt(join(folder, `${type}.ts`))),
  )
  const wanted: Wanted[] = []
  for (const [index, manifest] of manifests.entries()) {
    const before = befores[index] ?? null
    const { hashInTypes } = await import('../tools/codegen/types-header.ts')
    const isKnown = !checks && before !== null && hashInTypes(before) === manifest.hash
    wanted.push({
      path: join(folder, `${manifest.type}.ts`),
      manifest: manifest.type,
      hash: manifest.hash,
      before,
      text: isKnown ? null : await generated(manifest),
    })
  }
  const { generateIndex } = await import('../tools/codegen/types-index.ts')
  const index = join(folder, 'index.ts')
  wanted.push({
    path: index,
    manifest: null,
    hash: null,
    before: await textAt(index),
    text: generateIndex([...manifests.map(({ type }) => type), ...kept]),
  })
  return wanted
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
  context: CommandContext,
): Promise<readonly Manifest[] | null> {
  const started = performance.now()
  const files = findManifests(context.folder, names)
  const manifests: Manifest[] = []
  const problems: ManifestProblem[] = []
  const texts = new Map<string, string>()
  for (const { name, path } of files) {
    const result = await loadManifestFile(path)
    if (result.manifest !== null) {
      manifests.push(result.manifest)
      continue
    }
    problems.push(...result.problems.map((problem) => ({ ...problem, file: name })))
    texts.set(name, (await textAt(path)) ?? '')
  }
  if (problems.length === 0) return manifests
  const { out, err } = context.terminal
  // As `run-command.ts` tells an error; a command that watches goes on.
  if (json === true) out.write(`${JSON.stringify({ error: manifestError(problems).toJSON() })}\n`)
  err.write(
    formatProblems(
      {
        problems,
        manifests: files.length,
        texts,
        elapsedMs: performance.now() - started,
        color: err.isColoured,
      },
      'human',
    ),
  )
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
