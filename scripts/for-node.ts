// What makes of the sources a package for the oldest Node of the engines in package.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** What makes the sources run on the oldest Node of package.json's engines. */
export function forNode(root: string): {
  readonly target: string
  readonly inject: Record<string, [file: string, name: string]>
} {
  const stack = join(root, 'scripts/disposable-stack.ts')
  return {
    target: 'node22.19',
    inject: { AsyncDisposableStack: [stack, 'AsyncDisposableStack'] },
  }
}

/**
 * Has each entry begin with a look at the version of Node: what it imports runs first, so that an old Node says what is
 * needed, and not which of its functions is missing.
 */
export function askForNode(root: string, folder: string, entries: readonly string[]): void {
  for (const entry of entries) {
    const file = join(folder, `${entry}.js`)
    const path = relative(dirname(file), join(root, 'bin/needs-node.js')).replaceAll('\\', '/')
    writeFileSync(file, `import '${path}';${readFileSync(file, 'utf8')}`)
  }
}
