// Builds the pages of the service, the console and the reference of its API: `node scripts/build-console.ts [folder]`, by default into dist/console. With `--if-needed` only
// when it is missing or older than its sources.
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'

import { build, createLogger, type Logger } from 'vite'

import { NO_WARNINGS } from './warnings.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = join(root, 'src/console')
/** What the pages read of the rest of the house. */
const shared = ['src/language/manifest/actions.ts', 'src/errors.ts'].map((file) => join(root, file))

/**
 * Makes the console's files in a folder, in place of what is there: a service that runs on it goes on with the files of
 * before until all new ones are made.
 */
export async function buildConsole(folder: string): Promise<void> {
  await replaceFolder(folder, writeConsole)
}

/** Writes a folder next to its place, and takes it there as a whole. What is there stays where the writing fails. */
export async function replaceFolder(
  folder: string,
  write: (made: string) => Promise<void>,
): Promise<void> {
  const [made, earlier] = ['new', 'old'].map((state) => `${folder}.${process.pid}.${state}`) as [
    string,
    string,
  ]
  try {
    await write(made)
    if (existsSync(folder)) renameSync(folder, earlier)
    renameSync(made, folder)
  } finally {
    for (const each of [made, earlier]) rmSync(each, { recursive: true, force: true })
  }
}

async function writeConsole(folder: string): Promise<void> {
  // Whoever runs tests builds what is shipped, too.
  const environment = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production'
  await build({
    configFile: false,
    root: sources,
    // A service may lie below any path: it writes into the page where that is, and files name each other.
    base: './',
    logLevel: 'warn',
    customLogger: loggerThatRefuses(),
    build: {
      outDir: folder,
      emptyOutDir: true,
      // The console, and the reference of the API.
      rolldownOptions: {
        input: ['index.html', 'reference.html'].map((page) => join(sources, page)),
        // What marks modules for servers means nothing here.
        ...NO_WARNINGS,
        checks: { ...NO_WARNINGS.checks, moduleLevelDirective: false },
      },
      target: ['chrome125', 'firefox135', 'safari18.4'],
      // The page's policy allows no data: scripts or styles, and the browsers above preload modules themselves.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      license: { fileName: 'LICENSES.md' },
      // The editor, which is large, is loaded when it is opened.
      chunkSizeWarningLimit: 700,
    },
  })
  addFontLicence(join(folder, 'LICENSES.md'))
  writeLicencesOnce(join(folder, 'LICENSES.md'))
  packAssets(join(folder, 'assets'))
  if (environment === undefined) delete process.env['NODE_ENV']
  else process.env['NODE_ENV'] = environment
}

/** A warning of Vite's own fails the build as one of the bundler does. */
function loggerThatRefuses(): Logger {
  const refuse = (message: string): never => {
    throw new Error(message)
  }
  return { ...createLogger('warn'), warn: refuse, warnOnce: refuse }
}

/** The type face is a file and no module, so the bundler does not know its licence. */
function addFontLicence(file: string): void {
  const name = '@fontsource-variable/inter'
  const place = join(root, 'node_modules', name)
  // What every package has.
  const { version } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as {
    readonly version: string
  }
  const text = readFileSync(join(place, 'LICENSE'), 'utf8')
  appendFileSync(file, `\n\n## ${name} - ${version} (OFL-1.1)\n\n${text}`)
}

/** Packages of one author have the same licence to the letter: it stands once, below their names. */
function writeLicencesOnce(file: string): void {
  const [title = '', ...sections] = readFileSync(file, 'utf8').split(/^(?=## \S+ - )/m)
  const namesOf = new Map<string, string[]>()
  for (const section of sections) {
    const [name = '', ...lines] = section.split('\n')
    const text = lines.join('\n').trim()
    namesOf.set(text, [...(namesOf.get(text) ?? []), name])
  }
  const texts = [...namesOf].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`)
  writeFileSync(file, [title, ...texts].join('\n'))
}

/** Leaves of each file of text what browsers take, as small as it can be; the service unpacks it for others. */
function packAssets(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => /\.(?:js|css|svg)$/.test(each))) {
    const file = join(folder, name)
    const bytes = readFileSync(file)
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    const packed = brotliCompressSync(bytes, { params })
    if (packed.length >= bytes.length) continue
    writeFileSync(`${file}.br`, packed)
    rmSync(file)
  }
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2).filter((word) => !word.startsWith('--'))
  const target = folder === undefined ? join(root, 'dist/console') : resolve(folder)
  if (!process.argv.includes('--if-needed') || isStale(join(target, 'index.html'))) {
    process.stderr.write('Building the console …\n')
    await buildConsole(target)
  }
}

function isStale(page: string): boolean {
  if (!existsSync(page)) return true
  const builtAt = statSync(page).mtimeMs
  const files = readdirSync(sources, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  return [...files, ...shared].some((file) => statSync(file).mtimeMs > builtAt)
}
