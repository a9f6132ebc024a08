// How the package's JavaScript is made of the sources: few files, because reading and linking modules is most of the time
// before a client's first call.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { type Plugin, rolldown } from 'rolldown'

import { withoutBlanks } from './blanks.ts'
import { forNode } from './for-node.ts'
import { isLate } from './late-files.ts'
import { byLines, type SourceMap } from './line-maps.ts'
import { NO_WARNINGS } from './warnings.ts'

/**
 * Packages that become part of the bundle: a client loads them at once, and from their many files that takes longer; and
 * the bundler's own helpers, which are no package of anybody's. All other packages stay where they are.
 */
const TAKEN_IN =
  /^(@oxc-project\/runtime|undici\/lib|ipaddr\.js|ajv-formats\/dist\/formats(\.js)?|commander|handlebars\/dist\/cjs)(\/|$)/

export interface BundleOptions {
  /** The folder that paths of entries are relative to. */
  readonly root: string
  /** What to bundle, by the path of its file in `folder` without the ending. */
  readonly input: Readonly<Record<string, string>>
  readonly folder: string
  readonly plugins: readonly Plugin[]
  /** Modules in files that were written before, whose licences are needed as well. */
  readonly late: readonly string[]
}

/** Writes the entries, what they share in `chunks`, source maps, and the licences of the packages taken in. */
export async function writeBundle({
  root,
  input,
  folder,
  plugins,
  late,
}: BundleOptions): Promise<void> {
  const bundle = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    // undici's own switch for bundles: without the second parser, which nobody asks for here.
    transform: { ...forNode(root), define: { esbuildDetection: 'true' } },
    external: (id) =>
      /^[^./\0]/.test(id) && !/^(node:|src\/)/.test(id) && !TAKEN_IN.test(id) && !isLate(id),
    plugins: [...plugins, undiciClient, nodeModules],
    ...NO_WARNINGS,
  })
  const { output } = await bundle.write({
    dir: folder,
    chunkFileNames: 'chunks/[name]-[hash].js',
    // With all that it imports: whoever imports a client reads its entry, this, and later what sends.
    codeSplitting: {
      groups: [
        // The late files import it, and must not lead to those who load them.
        { name: 'late-registry', test: /[\\/]src[\\/]late-registry\.ts$/, priority: 3 },
        // Before the client: a host that only verifies webhooks bundles this alone.
        {
          name: 'webhooks',
          test: /[\\/]src[\\/](errors|late-modules|client[\\/]webhooks[\\/][^\\/]+)\.ts$/,
          priority: 2,
        },
        {
          name: 'client',
          priority: 1,
          test: /[\\/]src[\\/]client[\\/][^\\/]+\.ts$|[\\/]src[\\/]engine[\\/]exchange[\\/]|[\\/]ajv-formats[\\/]/,
        },
        // What the first request loads, and nothing before it.
        {
          name: 'transport',
          test: /[\\/]src[\\/]engine[\\/]adapters[\\/](undici-transport|proxy|outgoing-guard|address)\.ts$|[\\/]ipaddr\.js[\\/]/,
        },
        { name: 'undici', test: /[\\/]undici[\\/]lib[\\/]/ },
      ],
    },
    sourcemap: true,
    // The sources themselves are in the repository.
    sourcemapExcludeSources: true,
    comments: false,
    // Lines stay: Node prints the one that an uncaught error comes from.
    minify: { compress: true, mangle: true, codegen: { removeWhitespace: false } },
  })
  await bundle.close()
  for (const file of output) {
    const path = join(folder, file.fileName)
    if (file.type === 'chunk') writeFileSync(path, withoutBlanks(readFileSync(path, 'utf8')))
    if (!file.fileName.endsWith('.map')) continue
    writeFileSync(
      path,
      JSON.stringify(byLines(JSON.parse(readFileSync(path, 'utf8')) as SourceMap)),
    )
  }
  writeLicences(
    [...late, ...output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))],
    join(folder, 'LICENSES.txt'),
  )
}

/** Writes a module for browsers into one file that imports nothing. */
export async function writeBrowserModule(input: string, file: string): Promise<void> {
  const bundle = await rolldown({ input, platform: 'browser', ...NO_WARNINGS })
  await bundle.write({ file, sourcemap: true, sourcemapExcludeSources: true, minify: true })
  await bundle.close()
}

/**
 * Node's own modules without the detour of `import`, which reads every member of a module and thereby loads what `fs`,
 * `util` and `dns` load on demand: workers, readline, promises.
 */
const nodeModules: Plugin = {
  name: 'node-modules',
  resolveId(id, _importer, { kind }) {
    if (!id.startsWith('node:')) return null
    // The bundler's own few lines need node:module before any other module can be there.
    const isPlain = id === 'node:module' || kind === 'dynamic-import'
    return isPlain ? { id, external: true } : `\0${id}`
  },
  load: (id) =>
    id.startsWith('\0node:')
      ? `module.exports = process.getBuiltinModule(${JSON.stringify(id.slice(1))})`
      : null,
}

/**
 * undici's client for HTTP/1. The transport never allows HTTP/2, and Node's module for it is half of what loading undici
 * takes. Its other parser is a file of its own, and what it loads for forms nobody asks for.
 */
const undiciClient: Plugin = {
  name: 'undici-client',
  resolveId(id, importer = '') {
    const inside = /[\\/]node_modules[\\/](undici[\\/]lib[\\/].*)$/.exec(importer)?.[1]
    if (inside === undefined) return null
    if (id === 'node:http') return '\0no-http'
    if (id === 'node:assert') return '\0late-assert'
    if (!id.startsWith('.')) return null
    const path = join(dirname(inside), id).replaceAll('\\', '/')
    if (/\/(web|milo)\//.test(path)) return '\0no-web'
    if (path.endsWith('/llhttp-wasm.js')) return '\0plain-parser'
    return path.endsWith('/client-h2.js') ? '\0no-http2' : null
  },
  load: (id) => REPLACED[id] ?? null,
}

const REPLACED: Readonly<Record<string, string>> = {
  '\0no-web': `module.exports = () => { throw new Error('what fetch is made of is not part of this bundle') }`,
  // For machines whose WebAssembly has no vectors.
  '\0plain-parser': `import { plainParser } from 'late-loader:plainParser'
    const parser = plainParser()
    export { parser as 'module.exports' }`,
  '\0no-http2': `module.exports = () => { throw new Error('HTTP/2 is not part of this bundle') }`,
  // Its default for a size that the transport always names, and the class of a body that it never sends.
  '\0no-http': `module.exports = { maxHeaderSize: 16384, IncomingMessage: class IncomingMessage {} }`,
  // The reports of failed assertions are loaded when one fails.
  '\0late-assert': `module.exports = (value, message) => {
    if (!value) process.getBuiltinModule('node:assert')(value, message)
  }`,
}

/** The licences of the packages that were taken in, as they ask for. */
function writeLicences(modules: readonly string[], file: string): void {
  const roots = new Set(
    modules.flatMap((id) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []),
  )
  const texts = [...roots].toSorted().map((root) => {
    const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly name: string
      readonly version: string
    }
    const licence = [
      ...['LICENSE', 'LICENSE.md', 'license'].map((each) => join(root, each)),
      // Of packages that name their licence and leave it in their repository.
      join(import.meta.dirname, 'licences', `${name}.txt`),
    ].find(existsSync)
    if (licence === undefined) throw new Error(`${name} has no licence file in ${dirname(root)}`)
    return `${name} ${version}\n\n${readFileSync(licence, 'utf8').trim()}\n`
  })
  writeFileSync(file, texts.join(`\n${'-'.repeat(80)}\n\n`))
}
