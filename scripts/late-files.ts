// What the package loads late (src/late-modules.ts), each as a file of its own, and the module that loads them: Node finds
// them from where that module is, and a host's bundler by the literal argument of `require`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, dirname, join } from 'node:path'

import { type OutputChunk, type Plugin, rolldown } from 'rolldown'
import { transformSync } from 'rolldown/utils'

import packageJson from '../package.json' with { type: 'json' }

const dependencies: object = packageJson.dependencies

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
  'json-schema-to-typescript',
  'kysely',
  'pg',
  'pino',
  'prom-client',
]

/** Whether an import is one that `lateModules` resolves. */
export function isLate(id: string): boolean {
  return id.endsWith('late-modules.ts') || Object.hasOwn(SHIMMED, id) || PEERS.includes(id)
}

/** A call that a build replaces: `require('yaml')`, `thread('./copy/sqlite/row-worker.ts')`, `text('./connect/page.js')`. */
const CALL = /\b(require|thread|text)\('([^']+)'\)/g

/** Writes the late files below `late` of this folder, and `late-modules.js` beside it. Gives the modules that are in them. */
export async function writeLateFiles(root: string, folder: string): Promise<readonly string[]> {
  const source = join(root, 'src/late-modules.ts')
  const taken: string[] = []
  const files = new Map<string, string>()
  const text = readFileSync(source, 'utf8')
  for (const [, kind = '', argument = ''] of text.matchAll(CALL)) {
    // What is installed with the package, or a file of it.
    if (argument.endsWith('.json') || Object.hasOwn(dependencies, argument)) continue
    const name = `${argument.replace(/^\.\//, '').replaceAll('/', '-')}.cjs`
    files.set(argument, `./late/${name}`)
    const made = await {
      require: () => packageText(root, argument, taken),
      thread: async () => exported(await threadText(join(root, 'src', argument), source, taken)),
      text: async () => exported(readFileSync(join(root, 'src', argument), 'utf8')),
    }[kind as 'require' | 'thread' | 'text']()
    mkdirSync(join(folder, 'late'), { recursive: true })
    writeFileSync(join(folder, 'late', name), made)
  }
  writeFileSync(join(folder, basename(source, '.ts') + '.js'), loaderText(text, files))
  return taken
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
    if (!(error instanceof ReferenceError)) throw error
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

/** Leaves src/late-modules.ts and the optional peers out of a bundle and names the files that stand for them. */
export function lateModules(root: string, folder: string): Plugin {
  const source = join(root, 'src/late-modules.ts')
  return {
    name: 'late-modules',
    async resolveId(id, importer) {
      if (Object.hasOwn(SHIMMED, id)) return SHIM + id
      if (PEERS.includes(id)) return { id: join(folder, peerFile(id)), external: 'relative' }
      if (!id.endsWith('late-modules.ts')) return null
      const path = id.startsWith('.') ? join(dirname(importer ?? root), id) : join(root, 'src', id)
      return path === source ? { id: join(folder, 'late-modules.js'), external: 'relative' } : null
    },
    async load(id) {
      if (!id.startsWith(SHIM)) return null
      const name = id.slice(SHIM.length)
      return `import { ${SHIMMED[name]} as load } from 'late-modules.ts'
        export const { ${(await namesOf(name)).join(', ')} } = load()`
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

async function threadText(file: string, source: string, taken: string[]): Promise<string> {
  const inlined: Plugin = {
    name: 'inlined',
    // Without the function of that name, the bundler takes in what is required.
    transform: (code, id) => (id === source ? code.replace(/^const require = .*$/m, '') : null),
  }
  return await bundled(file, [inlined, builtins], taken)
}

async function bundled(input: string, plugins: Plugin[], taken: string[]): Promise<string> {
  const bundle = await rolldown({ input, platform: 'node', plugins })
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

function exported(text: string): string {
  return `module.exports = ${JSON.stringify(text)}\n`
}

/**
 * The module that loads them. In Node a module has no `require`, so that calling it throws; a bundler has put what is
 * required in its place. Nothing of this happens before a function is called.
 */
function loaderText(text: string, files: ReadonlyMap<string, string>): string {
  const calls = text
    .replace(/^const (require|thread|text) = .*\n/gm, '')
    .replaceAll(CALL, (_, _kind: string, argument: string) => {
      const path = files.get(argument) ?? argument
      return `late(() => require('${path}'), '${path}')`
    })
  return `${transformSync('late-modules.ts', calls).code.trim()}

const loaded = new Map()

function late(load, path) {
  if (!loaded.has(path)) loaded.set(path, loadNow(load, path))
  return loaded.get(path)
}

function loadNow(load, path) {
  try {
    return load()
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error
    return process.getBuiltinModule('node:module').createRequire(import.meta.url)(path)
  }
}
`
}
