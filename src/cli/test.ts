// `tenon test`: the suite that holds for every manifest, for authors without a test runner.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { loadManifestFile, requireManifest } from '../language/manifest/load.ts'
import { loadDemo } from '../sandbox/open-sandbox.ts'
import { manifestCases } from '../sandbox/testing/manifest-cases.ts'
import type { CommandContext, CommandModule } from './command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { findManifest } from './find-manifest.ts'
import { findManifests } from './manifest-files.ts'

interface TestFlags {
  readonly recordings: string
  readonly json?: boolean
}

export const examples: CommandModule['examples'] = [
  'tenon test',
  'tenon test jira --json',
  'tenon test manifests/acme.yaml --recordings recordings',
]

export const configure: CommandModule['configure'] = (command, context, done) => {
  command
    .argument('[types...]', 'connector types, or paths of manifests; default: the folder manifests')
    .option(
      '--recordings <folder>',
      'recordings to replay, as tenon try --record writes them',
      'test/recordings',
    )
    .option('--json', 'print one line per case as JSON')
    .action(async (types: readonly string[], flags: TestFlags) =>
      done(await test(types, flags, context)),
    )
}

async function test(
  names: readonly string[],
  flags: TestFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const { out, err } = context.terminal
  const paths =
    names.length === 0
      ? findManifests(context.folder, []).map(({ path }) => path)
      : await Promise.all(
          names.map(async (name) => (await findManifest(name, context.folder)).path),
        )
  const started = performance.now()
  let [passed, failed] = [0, 0]
  let warnings: string[] = []
  for (const path of paths) {
    const manifest = requireManifest(await loadManifestFile(path))
    const recordings = resolve(context.folder, flags.recordings)
    const cases = manifestCases(manifest, {
      demo: await loadDemo(path, manifest),
      ...(existsSync(recordings) ? { recordings } : {}),
      onWarning: (warning) => warnings.push(warning),
    })
    for (const { name, run } of cases) {
      if (context.signal.aborted) return EXIT.interrupted
      warnings = []
      const problem = await outcomeOf(run)
      if (problem === null) passed++
      else failed++
      if (flags.json === true)
        out.write(
          `${JSON.stringify({ case: name, ok: problem === null, problem, ...(warnings.length > 0 && { warnings }) })}\n`,
        )
      else if (problem !== null)
        out.write(
          `${out.paint('red', 'failed')}  ${name}\n        ${problem.replaceAll('\n', '\n        ')}\n`,
        )
      if (flags.json !== true)
        for (const warning of warnings)
          out.write(`${out.paint('yellow', 'warning')}  ${name}\n        ${warning}\n`)
    }
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  err.write(`${passed} passed, ${failed} failed (${seconds} s)\n`)
  return failed > 0 ? EXIT.failed : EXIT.done
}

/** What is wrong, in words; null: nothing. */
async function outcomeOf(run: () => Promise<void>): Promise<string | null> {
  try {
    await run()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
