// `tenon test`: the suite that holds for every manifest, for authors without a test runner.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { loadManifestFile, requireManifest } from '../language/manifest/load.ts'
import { loadDemo } from '../sandbox/open-sandbox.ts'
import { manifestCases } from '../sandbox/testing/manifest-cases.ts'
import { type Configure, jsonLines, leaf } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { findManifest, findManifests } from './manifest-files.ts'
import { type Channel, writeLines } from './terminal.ts'

export const docs = 'twenty-minutes'
export const examples: readonly string[] = [
  'tenon test',
  'tenon test jira --json',
  'tenon test manifests/acme.yaml --recordings recordings',
]

export const configure: Configure = leaf({
  arguments: {
    '[types...]': 'connector types, or paths of manifests; default: the folder manifests',
  },
  options: {
    '--recordings <folder>': {
      text: 'recordings to replay, as tenon try --record writes them',
      default: 'test/recordings',
    },
    ...jsonLines('case'),
  },
  async run({ types, json, ...given }, context) {
    const { folder, signal, terminal } = context
    const paths =
      types.length === 0
        ? findManifests(folder, []).map(({ path }) => path)
        : await Promise.all(types.map(async (name) => (await findManifest(name, folder)).path))
    const started = performance.now()
    const recordings = resolve(folder, given.recordings)
    const counts = { passed: 0, failed: 0 }
    for (const path of paths) {
      const manifest = requireManifest(await loadManifestFile(path))
      let warnings: string[] = []
      const cases = manifestCases(manifest, {
        demo: await loadDemo(path, manifest),
        ...(existsSync(recordings) ? { recordings } : {}),
        onWarning: (warning) => warnings.push(warning),
      })
      for (const { name, run } of cases) {
        if (signal.aborted) return EXIT.interrupted
        warnings = []
        const problem = await outcomeOf(run)
        counts[problem === null ? 'passed' : 'failed']++
        const outcome = { case: name, ok: problem === null, problem }
        if (json === true)
          writeLines(terminal.out, [{ ...outcome, ...(warnings.length > 0 && { warnings }) }])
        else tell(terminal.out, name, problem, warnings)
      }
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    terminal.err.write(`${counts.passed} passed, ${counts.failed} failed (${seconds} s)\n`)
    return counts.failed > 0 ? EXIT.failed : EXIT.done
  },
})

function tell(
  out: Channel,
  name: string,
  problem: string | null,
  warnings: readonly string[],
): void {
  const write = (title: string, text: string): void =>
    out.write(`${title}  ${name}\n        ${text}\n`)
  if (problem !== null) write(out.paint('red', 'failed'), problem.replaceAll('\n', '\n        '))
  for (const warning of warnings) write(out.paint('yellow', 'warning'), warning)
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
