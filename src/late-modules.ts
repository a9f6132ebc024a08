// Modules, threads and files that few calls need. Imported at the top of a file, each would cost every start of a client
// milliseconds. The build (scripts/late-files.ts) makes a file of its own for each `require`, `import`, `thread` and `text`
// of this one, which a host's bundler finds: what they are called with is a literal. What clients may need is asked for by
// `apart`, and may have to be waited for (`whenLoaded`); what is required is there at once.
import type * as Crypto from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type * as Zlib from 'node:zlib'

import type * as Ajv from 'ajv'
import type * as Re2 from 're2js'
import type * as Saxes from 'saxes'
import type * as Yaml from 'yaml'
import type * as Yauzl from 'yauzl'

import { apart, provideAtOnce } from './late-registry.ts'

export { isNotLoaded, onceLoaded, whenLoaded } from './late-registry.ts'

const require = createRequire(import.meta.url)
const thread = (path: string): ThreadProgram => new URL(path, import.meta.url)
const text = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
// In a checkout nothing is bundled, and everything is there.
loadAtOnce()

/** What a thread runs: a file of a checkout, or the text of a program that needs no other file. */
export type ThreadProgram = URL | string

let crypto: typeof Crypto | undefined
let zlib: typeof Zlib | undefined

/** `node:crypto`, loaded by the first call. */
export function nodeCrypto(): typeof Crypto {
  return (crypto ??= process.getBuiltinModule('node:crypto'))
}

/** `node:zlib`, loaded by the first call. */
export function nodeZlib(): typeof Zlib {
  return (zlib ??= process.getBuiltinModule('node:zlib'))
}

/** The XML parser, which stands apart. */
export function xmlParser(): typeof Saxes {
  return apart('saxes', () => import('saxes')) as typeof Saxes
}

/** The reader of zip archives, which stands apart. */
export function zipReader(): typeof Yauzl {
  return apart('yauzl', () => import('yauzl')) as typeof Yauzl
}

/** The linear engine of regular expressions, which stands apart. */
export function linearPatterns(): typeof Re2 {
  return apart('re2js', () => import('re2js')) as typeof Re2
}

/**
 * From now on what stands apart is loaded by the call that asks for it: for programs that read foreign manifests or serve,
 * which have it at hand anyway.
 */
export function loadAtOnce(): void {
  provideAtOnce({
    ajv: () => require('ajv') as unknown,
    re2js: () => require('re2js') as unknown,
    saxes: () => require('saxes') as unknown,
    yauzl: () => require('yauzl') as unknown,
  })
}

/** The reader of YAML, loaded by the first call. */
export function yamlReader(): typeof Yaml {
  return require('yaml') as typeof Yaml
}

/** The compiler of JSON Schema, which stands apart. */
export function schemaCompiler(): typeof Ajv {
  return apart('ajv', () => import('ajv')) as typeof Ajv
}

/** schemas/manifest.schema.json, read by the first call. */
export function manifestSchema(): object {
  return require('../schemas/manifest.schema.json') as object
}

/** schemas/demo.schema.json, read by the first call. */
export function demoDataSchema(): object {
  return require('../schemas/demo.schema.json') as object
}

export interface PackageFacts {
  readonly version: string
  readonly homepage?: string
  readonly peerDependencies: Readonly<Record<string, string>>
}

/** The package.json of this package, read by the first call. */
export function packageFacts(): PackageFacts {
  return require('../package.json') as PackageFacts
}

/** The thread that owns the file of the embedded store. */
export function storeThread(): ThreadProgram {
  return thread('./service/store/sqlite/sqlite-worker.ts')
}

/** The thread that owns and writes the files of copies. */
export function copyThread(): ThreadProgram {
  return thread('./copy/sqlite/sqlite-worker.ts')
}

/** The thread that searches them. */
export function searchThread(): ThreadProgram {
  return thread('./copy/sqlite/search-worker.ts')
}

/** The thread that makes rows of records. */
export function rowThread(): ThreadProgram {
  return thread('./copy/sqlite/row-worker.ts')
}

/** The thread that reads manifests which are being worked on. */
export function workshopThread(): ThreadProgram {
  return thread('./hosting/workshop/workshop-worker.ts')
}

/** What the connect page sends to browsers, by name. */
export function connectAssets(): Readonly<Record<'script' | 'typeface' | 'style', string>> {
  const style = `${text('./connect/colours.css')}\n${text('./connect/page.css')}`
  return { script: text('./connect/page.js'), typeface: text('./connect/typeface.css'), style }
}
