// `tenon diff`: what changed between two versions of a manifest, and whether its version says so.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { CHANGE_WORDS } from '../display/change-classes.ts'
import type { ChangeClass } from '../tools/authoring/change-words.ts'
import { compareManifests, type Comparison } from '../tools/authoring/compare-manifests.ts'
import { loadManifest, loadManifestFile, requireManifest } from '../language/manifest/load.ts'
import type { Manifest } from '../language/manifest/manifest.ts'
import { type Configure, JSON_OPTION, leaf } from './command.ts'
import { EXIT, UsageError } from './exit-codes.ts'
import type { Channel, Style } from './terminal.ts'

export const notes = `Exit code 1 when something breaks and the version makes no major step (below 1.0.0: no minor one).`

export const examples: readonly string[] = [
  'tenon diff origin/main:manifests/acme.yaml manifests/acme.yaml',
  'tenon diff old.yaml new.yaml --json',
]

export const configure: Configure = leaf({
  arguments: {
    '<old>': 'a manifest, or revision:path as git knows it (origin/main:manifests/acme.yaml)',
    '<new>': 'the manifest that takes its place',
  },
  options: JSON_OPTION,
  async run({ old, new: next }, { folder, terminal }) {
    const before = await manifestAt(old, folder)
    const comparison = compareManifests(before, await manifestAt(next, folder))
    const { changes, needed, made, from, to, isRefused } = comparison
    const value = { from, to, needed, made, ok: !isRefused, changes }
    const shown = asText(comparison, terminal.out)
    return { value, shown, code: isRefused ? EXIT.failed : EXIT.done }
  },
})

/** A file, else a revision of git. */
async function manifestAt(name: string, folder: string): Promise<Manifest> {
  const path = resolve(folder, name)
  if (existsSync(path)) return requireManifest(await loadManifestFile(path))
  if (!name.includes(':')) throw new UsageError(`there is no file ${name}`)
  const { status, stdout, stderr } = spawnSync('git', ['show', name], { cwd: folder })
  if (status !== 0) {
    const reason = stderr.toString().trim().split('\n')[0] ?? 'git failed'
    throw new UsageError(`there is no ${name}: ${reason}`)
  }
  return requireManifest(loadManifest({ text: stdout, file: name.slice(name.indexOf(':') + 1) }))
}

const STYLES: Readonly<Record<ChangeClass, Style>> = {
  breaking: 'red',
  additive: 'green',
  cosmetic: 'gray',
}

function asText({ changes, needed, made, from, to, isRefused }: Comparison, out: Channel): string {
  if (changes.length === 0) return `no change (${from})\n`
  const lines = (['breaking', 'additive', 'cosmetic'] as const).flatMap((kind) =>
    changes
      .filter((change) => change.class === kind)
      .map(
        ({ path, change }) =>
          `${out.paint(STYLES[kind], CHANGE_WORDS[kind].padEnd(8))}  ${path}: ${change}`,
      ),
  )
  const verdict = isRefused
    ? `${from} → ${to} does not say that something breaks; it needs a major step`
    : `${from} → ${to} (${made === 'none' ? 'no step' : made}); the changes ask for ${needed === 'none' ? 'none' : `a ${needed} one`}`
  return `${lines.join('\n')}\n\n${verdict}\n`
}
