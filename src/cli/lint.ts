// `tenon lint`: every problem of every manifest, at its place, with the way out.
import { readFileSync } from 'node:fs'
import { fixManifest } from '../tools/authoring/fix-manifest.ts'
import { formatProblems, type ProblemFormat } from '../language/manifest/format-problems.ts'
import { loadManifestFile } from '../language/manifest/load.ts'
import type { ManifestProblem } from '../language/manifest/problem.ts'
import { type CommandContext, type Configure, type FlagsOf, leaf } from './command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { findManifests } from './manifest-files.ts'
import { watchManifests } from './watch-manifests.ts'
import { writeWhole } from './written-files.ts'

export const examples: readonly string[] = [
  'tenon lint',
  'tenon lint manifests/acme.yaml --fix',
  'tenon lint --watch',
  'tenon lint --format github',
]

const FORMATS: readonly ProblemFormat[] = ['human', 'json', 'github', 'sarif']

const OPTIONS = {
  '--format <format>': {
    text: 'for people, programs or code review',
    choices: FORMATS,
    default: 'human',
  },
  '--json': 'short for --format json',
  '--fix': 'correct what has one obvious correction: misspelt names, missing quotes',
  '--watch': 'check again whenever a manifest changes',
} as const

export const configure: Configure = leaf({
  arguments: { '[files...]': 'manifests, folders or patterns; default: the folder manifests' },
  options: OPTIONS,
  async run({ files, ...flags }, context) {
    const code = await lint(files, flags, context)
    if (flags.watch !== true) return code
    await watchManifests(context, files, () => lint(files, flags, context))
    return EXIT.interrupted
  },
})

/** All problems of all files at once. Warnings alone are no failure. */
async function lint(
  names: readonly string[],
  { fix, format, json }: FlagsOf<typeof OPTIONS>,
  context: CommandContext,
): Promise<ExitCode> {
  const started = performance.now()
  const files = findManifests(context.folder, names)
  const problems: ManifestProblem[] = []
  const texts = new Map<string, string>()
  for (const { name, path } of files) {
    if (fix === true) await fixFile(name, path, context)
    const result = await loadManifestFile(path)
    problems.push(...result.problems.map((problem) => ({ ...problem, file: name })))
    if (result.problems.length > 0) texts.set(name, textOf(path))
  }
  const report = formatProblems(
    {
      problems,
      manifests: files.length,
      texts,
      elapsedMs: performance.now() - started,
      color: context.terminal.out.isColoured,
    },
    json === true ? 'json' : format,
  )
  context.terminal.out.write(report)
  return problems.some(({ severity }) => severity === 'error') ? EXIT.failed : EXIT.done
}

async function fixFile(name: string, path: string, { terminal }: CommandContext): Promise<void> {
  const before = textOf(path)
  const { text, fixes } = fixManifest(before, name)
  if (fixes.length === 0) return
  await writeWhole(path, text)
  for (const line of fixes) terminal.err.write(`fixed ${name}:${line}\n`)
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // That it cannot be read is one of the problems already; it has no frame then.
    return ''
  }
}
