// `tenon lint`: what is wrong with manifests, each problem at its place, with the way out.
import { fixManifest } from '../tools/authoring/fix-manifest.ts'
import { formatProblems, type ProblemFormat } from '../language/manifest/format-problems.ts'
import { type CommandContext, type Configure, type FlagsOf, leaf } from './command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import {
  findManifests,
  loadManifests,
  type ManifestFile,
  watchManifests,
} from './manifest-files.ts'
import type { Channel } from './terminal.ts'
import { textAt, writeWhole } from './written-files.ts'

export const docs = 'twenty-minutes'
export const notes = `All that can be told is told at once: what is wrong with the form of one part hides no mistakes of others. Where it may
hide some, the last line says that more is checked once it is mended.`

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
  '--json': 'print one JSON document; short for --format json',
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
  { terminal, folder }: CommandContext,
): Promise<ExitCode> {
  const files = findManifests(folder, names)
  if (fix === true) for (const file of files) await fixFile(file, terminal.err)
  const found = await loadManifests(files)
  const { isColoured: color, isTerminal: isIndented } = terminal.out
  const report = { ...found, color, isIndented }
  terminal.out.write(formatProblems(report, json === true ? 'json' : format))
  return found.problems.some(({ severity }) => severity === 'error') ? EXIT.failed : EXIT.done
}

async function fixFile({ name, path }: ManifestFile, err: Channel): Promise<void> {
  const { text, fixes } = fixManifest((await textAt(path)) ?? '', name)
  if (fixes.length === 0) return
  await writeWhole(path, text)
  for (const line of fixes) err.write(`fixed ${name}:${line}\n`)
}
