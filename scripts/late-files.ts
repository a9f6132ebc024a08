// What the package loads late (src/late-modules.ts), each as a file of its own, and the module that loads them: Node finds
// them from where that module is, and a host's bundler by the literal argument of `require`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

import { type OutputChunk, type Plugin, rolldown } from 'rolldown'
import { transformSync } from 'rolldown/utils'

import { forNode } from './for-node.ts'
import { NO_WARNINGS } from './warnings.ts'

/** The bundler's id of what src/late-modules.ts gives for a package that other files import by its name. */
const SHIM = '\0late:'

/** Packages that are loaded late and also imported, each with the function that gives it. */
const SHIMMED: Readonly<Record<string, string>> = { yaml: 'yamlReader' }

/** Optional peers, as they are imported. */
const PEERS: readonly string[] = [
  '@fastify/busboy',
  '@modelcontextprotocol/node',
  '@modelcontextprotocol/server',
  '@modelcontextprotocol/server/stdio',
  '@opentelemetry/api',
  '@opentelemetry/sdk-node',
  '@pollyjs/adapter',
  '@pollyjs/core',
  '@pollyjs/persister-fs',
  'json-schema-to-typescript',
  'kysely',
  'pg',
  'pino',
  'prom-client',
  'undici',
]

/** What only the build loads late: undici's parser for machines whose WebAssembly has no vectors. */
const OF_BUILD = `
export function plainParser() {
  return require('undici/lib/llhttp/llhttp-wasm.js')
}
`

/** Whether an import is one that `lateModules` resolves. */
export function isLate(id: string): boolean {
  return (
    id === 'late-modules.ts' ||
    id.startsWith(LOADER) ||
    Object.hasOwn(SHIMMED, id) ||
    PEERS.includes(id)
  )
}

/** A call that a build replaces: `require('yaml')`, `import('ajv')`, `thread('./copy/sqlite/row-worker.ts')`, `text('./connect/page.js')`. */
const CALL = /\b(require|import|thread|text)\('([^']+)'\)/g

/** The bundler's id of the file of such a function. */
const LOADER = 'late-loader:'

/** A function of src/late-modules.ts that the build puts into a file of its own. */
const LATE_FUNCTION = /^export function (\w+)[^]*?\n\}\n/gm

/**
 * Writes the late files below `late` of this folder: what is loaded, and for each function of src/late-modules.ts a module
 * with it, so that a host's bundler puts each with those who call it. Gives the modules that are in them.
 */
export async function writeLateFiles(root: string, folder: string): Promise<readonly string[]> {
  const source = join(root, 'src/late-modules.ts')
  const taken: string[] = []
  const files = new Map<string, string>()
  const text = readFileSync(source, 'utf8') + OF_BUILD
  mkdirSync(join(folder, 'late'), { recursive: true })
  for (const [, kind = '', argument = ''] of text.matchAll(CALL)) {
    if (argument.endsWith('.json')) files.set(argument, `../${argument}`)
    if (files.has(argument)) continue
    const name = `${argument.replace(/^\.\//, '').replaceAll('/', '-')}.cjs`
    files.set(argument, `./${name}`)
    const made = await {
      require: () => packageText(root, argument, taken),
      import: () => packageText(root, argument, taken),
      thread: async () => unpacked(await threadText(root, argument, taken)),
      text: async () => exported(readFileSync(join(root, 'src', argument), 'utf8')),
    }[kind as 'require' | 'import' | 'thread' | 'text']()
    writeFileSync(join(folder, 'late', name), made)
  }
  for (const [whole, name = ''] of text.matchAll(LATE_FUNCTION))
    if (isLateFunction(whole)) writeFileSync(loaderPath(folder, name), loaderText(whole, files))
  return taken
}

function isLateFunction(text: string): boolean {
  return new RegExp(CALL).test(text)
}

function loaderPath(folder: string, name: string): string {
  return join(folder, 'late', `load-${name}.js`)
}

/** Writes the modules that stand for the optional peers: they load them, or say how they are installed. */
export async function writePeerFiles(folder: string): Promise<void> {
  for (const name of PEERS) {
    const names = await namesOf(name)
    const text = `import { requirePackage } from '../optional-packages.js'
const found = requirePackage('${name}', () => {
  try {
    return require('${name}')
  } catch (error) {
    // A program given by -e has a require for all modules, which looks elsewhere.
    if (!(error instanceof ReferenceError) && error.code !== 'MODULE_NOT_FOUND') throw error
    return process.getBuiltinModule('node:module').createRequire(import.meta.url)('${name}')
  }
})
export default found[Symbol.toStringTag] === 'Module' ? found.default : found
export const { ${names.join(', ')} } = found
`
    mkdirSync(join(folder, 'late'), { recursive: true })
    writeFileSync(join(folder, peerFile(name)), text)
  }
}

function peerFile(name: string): string {
  return `late/${name.replace('@', '').replaceAll('/', '-')}.js`
}

/** The names that a package exports. */
async function namesOf(name: string): Promise<readonly string[]> {
  const found = (await import(name)) as object
  return Object.keys(found).filter((each) => /^(?!default$)[A-Za-z_]\w*$/.test(each))
}

/** Has a bundle import the late files instead of what they stand for. */
export function lateModules(root: string, folder: string): Plugin {
  const source = join(root, 'src/late-modules.ts')
  return {
    name: 'late-modules',
    resolveId(id) {
      if (Object.hasOwn(SHIMMED, id)) return SHIM + id
      if (PEERS.includes(id)) return { id: join(folder, peerFile(id)), external: 'relative' }
      if (id.startsWith(LOADER))
        return { id: loaderPath(folder, id.slice(LOADER.length)), external: 'relative' }
      return id === 'late-modules.ts' ? source : null
    },
    async load(id) {
      if (!id.startsWith(SHIM)) return null
      const name = id.slice(SHIM.length)
      return `import { ${SHIMMED[name]} as load } from 'late-modules.ts'
        export const { ${(await namesOf(name)).join(', ')} } = load()`
    },
    transform(code, id) {
      if (id !== source) return null
      const text = readFileSync(source, 'utf8')
      const names = [...text.matchAll(LATE_FUNCTION)].flatMap(([whole, name = '']) =>
        isLateFunction(whole) ? [name] : [],
      )
      // The rest is written as it is, on the lines that it has; `code` has no types any more.
      const rest = code
        .replaceAll(
          /^(?:import .*createRequire.*|import .*readFileSync.*|const (?:require|thread|text) = .*|loadAtOnce\(\).*)$/gm,
          '',
        )
        .replaceAll(/^export function (\w+)[^]*?\n\}$/gm, (whole, name: string) =>
          names.includes(name)
            ? `export { ${name} } from '${LOADER}${name}'${'\n'.repeat(whole.split('\n').length - 1)}`
            : whole,
        )
      return { code: rest, map: null }
    },
  }
}

/** Node's own modules as calls, so that no `import` or `require` of them is left. */
const builtins: Plugin = {
  name: 'builtins',
  resolveId: (id) => (isBuiltin(id) ? `\0builtin:${id}` : null),
  load: (id) =>
    id.startsWith('\0builtin:')
      ? `module.exports = process.getBuiltinModule(${JSON.stringify(id.slice('\0builtin:'.length))})`
      : null,
}

async function packageText(root: string, name: string, taken: string[]): Promise<string> {
  const entry = '\0entry'
  const given: Plugin = {
    name: 'entry',
    resolveId(id, importer) {
      if (id === entry) return id
      return importer === entry ? this.resolve(id, join(root, 'package.json')) : null
    },
    load: (id) => (id === entry ? `module.exports = require(${JSON.stringify(name)})` : null),
  }
  return await bundled(entry, [given, builtins], taken)
}

async function threadText(root: string, path: string, taken: string[]): Promise<string> {
  const file = join(root, 'src', path)
  const source = join(root, 'src/late-modules.ts')
  const inlined: Plugin = {
    name: 'inlined',
    // Without the function of that name, the bundler takes in what is required.
    transform: (code, id) => (id === source ? code.replace(/^const require = .*$/m, '') : null),
  }
  return await bundled(file, [inlined, installed(join(root, 'src')), builtins], taken)
}

/**
 * Packages that a thread needs and that are not taken in: the program of a thread is no file that they could be found
 * from, so it is started with one (`packagesFrom`).
 */
function installed(sources: string): Plugin {
  return {
    name: 'installed',
    resolveId: (id) => (PEERS.includes(id) ? `\0installed:${id}` : null),
    async load(id) {
      if (!id.startsWith('\0installed:')) return null
      const name = id.slice('\0installed:'.length)
      return `import { requirePackage } from ${JSON.stringify(join(sources, 'optional-packages.ts'))}
        const { workerData } = process.getBuiltinModule('node:worker_threads')
        const found = requirePackage('${name}', () =>
          process.getBuiltinModule('node:module').createRequire(workerData.packagesFrom)('${name}'))
        export default found[Symbol.toStringTag] === 'Module' ? found.default : found
        export const { ${(await namesOf(name)).join(', ')} } = found`
    },
  }
}

async function bundled(input: string, plugins: Plugin[], taken: string[]): Promise<string> {
  const bundle = await rolldown({
    input,
    platform: 'node',
    plugins,
    ...NO_WARNINGS,
    transform: forNode(join(import.meta.dirname, '..')),
  })
  const { output } = await bundle.generate({
    format: 'cjs',
    codeSplitting: false,
    comments: false,
    minify: true,
  })
  await bundle.close()
  const [{ code, moduleIds }]: readonly [OutputChunk, ...unknown[]] = output
  taken.push(...moduleIds)
  return code
}

/** A program of a thread is text, and has in it what the rest of the package has, too: packed, it is a fifth. */
function unpacked(program: string): string {
  const packed = brotliCompressSync(program).toString('base64')
  return `const { brotliDecompressSync } = process.getBuiltinModule('node:zlib')
module.exports = brotliDecompressSync(Buffer.from('${packed}', 'base64')).toString()
`
}

function exported(text: string): string {
  return `module.exports = ${JSON.stringify(text)}\n`
}

/**
 * The module of one function. In Node a module has no `require`, so that calling it throws; a bundler has put what is
 * required in its place. Nothing of this happens before the function is called.
 */
function loaderText(text: string, files: ReadonlyMap<string, string>): string {
  const calls = text.replaceAll(CALL, (_, kind: string, argument: string) => {
    const path = files.get(argument) ?? argument
    return kind === 'import' ? `import('${path}')` : `late(() => require('${path}'), '${path}')`
  })
  const code = transformSync('late.ts', calls).code.trim()
  const names = ['apart', 'provideAtOnce'].filter((name) => code.includes(`${name}(`))
  const imports =
    names.length === 0 ? '' : `import { ${names.join(', ')} } from '../late-registry.js'\n`
  if (!code.includes('late(() =>')) return `${imports}${code}\n`
  return `${imports}${code}

const loaded = new Map()

function late(load, path) {
  if (!loaded.has(path)) loaded.set(path, loadNow(load, path))
  return loaded.get(path)
}

function loadNow(load, path) {
  try {
    return load()
  } catch (error) {
    // A program given by -e has a require for all modules, which looks elsewhere.
    if (!(error instanceof ReferenceError) && error.code !== 'MODULE_NOT_FOUND') throw error
    return process.getBuiltinModule('node:module').createRequire(import.meta.url)(path)
  }
}
`
}
