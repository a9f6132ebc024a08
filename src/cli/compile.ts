// `tenon compile`: manifests as resolved JSON, for programs that should load neither YAML nor a template parser.
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { compileManifest } from '../language/manifest/compiled.ts'
import { loadManifestFile, requireManifest } from '../language/manifest/load.ts'
import type { CommandContext, CommandModule } from './command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { findManifests } from './manifest-files.ts'

interface CompileFlags {
  readonly out: string
  readonly json?: boolean
}

export const examples: CommandModule['examples'] = [
  'tenon compile --out dist/manifests',
  'tenon compile manifests/acme.yaml --out dist/manifests --json',
]

export const configure: CommandModule['configure'] = (command, context, done) => {
  command
    .argument('[files...]', 'manifests, folders or patterns; default: the folder manifests')
    .requiredOption('--out <folder>', 'where to write <type>.json')
    .option('--json', 'print what was written as JSON')
    .action(async (files: readonly string[], flags: CompileFlags) =>
      done(await compile(files, flags, context)),
    )
}

async function compile(
  names: readonly string[],
  flags: CompileFlags,
  context: CommandContext,
): Promise<ExitCode> {
  // All are loaded before the first is written: a faulty one leaves everything as it was.
  const manifests = await Promise.all(
    findManifests(context.folder, names).map(async ({ path }) =>
      requireManifest(await loadManifestFile(path)),
    ),
  )
  const folder = resolve(context.folder, flags.out)
  await mkdir(folder, { recursive: true })
  const files = []
  for (const manifest of manifests) {
    const path = join(folder, `${manifest.type}.json`)
    const temporary = `${path}.${process.pid}.part`
    await writeFile(temporary, compileManifest(manifest))
    await rename(temporary, path)
    files.push({ path, type: manifest.type, version: manifest.version, hash: manifest.hash })
  }
  const { out } = context.terminal
  if (flags.json === true) out.write(`${JSON.stringify({ files })}\n`)
  else for (const { path, hash } of files) out.write(`${path}  ${hash}\n`)
  return EXIT.done
}
