// The Nodes that the package is tried on next to the one that runs the tests.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export interface OtherNode {
  readonly path: string
  readonly version: string
}

/** Those that `TENON_TEST_NODES` names, with the separator of PATH between them, else those of PATH; each version once. */
export function findNodes(): readonly OtherNode[] {
  const named = process.env['TENON_TEST_NODES']
  const paths =
    named === undefined
      ? (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'))
      : named.split(delimiter)
  const found = new Map<string, OtherNode>()
  for (const path of paths) {
    if (named === undefined && !existsSync(path)) continue
    const version = execFileSync(path, ['--version'], { encoding: 'utf8' }).trim().slice(1)
    if (version !== process.versions.node) found.set(version, { path, version })
  }
  return [...found.values()]
}
