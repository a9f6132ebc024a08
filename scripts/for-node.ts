// What makes of the sources a package for the oldest Node of the engines in package.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

import { rolldown } from 'rolldown'

import { REQUIRED_FILES } from './entries.ts'
import { NO_WARNINGS } from './warnings.ts'

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

/**
 * Writes what `require` gets where Node knows no condition `module-sync`, because it has no `require` of modules: the same
 * sentence. To a bundler it is the module.
 */
export async function writeRequired(root: string, folder: string): Promise<void> {
  const asking = join(folder, 'needs-node.cjs')
  const bundle = await rolldown({
    input: join(root, 'bin/needs-node.js'),
    platform: 'node',
    ...NO_WARNINGS,
  })
  await bundle.write({ file: asking, format: 'cjs' })
  await bundle.close()
  for (const [path, module] of REQUIRED_FILES) {
    const file = join(root, path)
    const from = (to: string): string => {
      const found = relative(dirname(file), to).replaceAll('\\', '/')
      return found.startsWith('.') ? found : `./${found}`
    }
    const text = `require('${from(asking)}')\nmodule.exports = require('${from(join(root, module))}')\n`
    writeFileSync(file, text)
    // The types are those of the module: a checker that knows `module-sync` finds them there.
    writeFileSync(file.replace(/cjs$/, 'd.cts'), `export * from '${from(join(root, module))}'\n`)
  }
}
