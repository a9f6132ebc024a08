// `tenon lint`: every problem of every manifest, at its place, with the way out.
import { readFileSync } from 'node:fs'
import { Option } from 'commander'
import { formatProblems, type ProblemFormat } from '../manifest/format-problems.ts'
import { loadManifestFile } from '../manifest/load.ts'
import type { ManifestProblem } from '../manifest/problem.ts'
import type { CommandContext, CommandModule } from './command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { findManifests } from './manifest-files.ts'

interface LintFlags {
  readonly format: ProblemFormat
  readonly json?: boolean
}

const FORMATS: readonly ProblemFormat[] = ['human', 'json', 'github', 'sarif']

export const configure: CommandModule['configure'] = (command, context, done) => {
  command
    .argument('[files...]', 'manifests, folders or patterns; default: the folder manifests')
    .addOption(
      new Option('--format <format>', 'for people, programs or code review')
        .choices(FORMATS)
        .default('human'),
    )
    .option('--json', 'short for --format json')
    .action(async (files: readonly string[], flags: LintFlags) =>
      done(await lint(files, flags, context)),
    )
}

/** All problems of all files at once. Warnings alone are no failure. */
async function lint(
  names: readonly string[],
  flags: LintFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const started = performance.now()
  const files = findManifests(context.folder, names)
  const problems: ManifestProblem[] = []
  const texts = new Map<string, string>()
  for (const { name, path } of files) {
    const result = await loadManifestFile(path)
    problems.push(...result.problems.map((problem) => ({ ...problem, file: name })))
    if (result.problems.length > 0) texts.set(name, textOf(path))
  }
  const format = flags.json === true ? 'json' : flags.format
  const report = formatProblems(
    {
      problems,
      manifests: files.length,
      texts,
      elapsedMs: performance.now() - started,
      color: context.terminal.out.isColoured,
    },
    format,
  )
  context.terminal.out.write(report)
  return problems.some(({ severity }) => severity === 'error') ? EXIT.failed : EXIT.done
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // That it cannot be read is one of the problems already; it has no frame then.
    return ''
  }
}
