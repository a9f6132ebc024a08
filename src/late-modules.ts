// Modules, threads and files that few calls need. Imported at the top of a file, each would cost every start of a client
// milliseconds. The build (scripts/late-files.ts) makes a file of its own for each `require`, `thread` and `text` of this
// one, which a host's bundler finds: what they are called with is a literal.
import type * as Crypto from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type * as Zlib from 'node:zlib'

import type * as Ajv from 'ajv'
import type { DefinedFormats } from 'ajv-formats/dist/formats.js'
import type * as Re2 from 're2js'
import type * as Saxes from 'saxes'
import type * as Yaml from 'yaml'
import type * as Yauzl from 'yauzl'

const require = createRequire(import.meta.url)
const thread = (path: string): ThreadProgram => new URL(path, import.meta.url)
const text = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

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

/** The XML parser, loaded by the first call. */
export function xmlParser(): typeof Saxes {
  return require('saxes') as typeof Saxes
}

/** The reader of zip archives, loaded by the first call. */
export function zipReader(): typeof Yauzl {
  return require('yauzl') as typeof Yauzl
}

/** The linear engine of regular expressions, loaded by the first call. */
export function linearPatterns(): typeof Re2 {
  return require('re2js') as typeof Re2
}

/** The reader of YAML, loaded by the first call. */
export function yamlReader(): typeof Yaml {
  return require('yaml') as typeof Yaml
}

/** The compiler of JSON Schema, loaded by the first call. */
export function schemaCompiler(): typeof Ajv {
  return require('ajv') as typeof Ajv
}

/** The formats of JSON Schema, loaded by the first call. */
export function schemaFormats(): DefinedFormats {
  return (require('ajv-formats/dist/formats') as { readonly fullFormats: DefinedFormats })
    .fullFormats
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

/** What the connect page sends to browsers, by name. */
export function connectAssets(): { readonly script: string; readonly style: string } {
  const style = `${text('./connect/colours.css')}\n${text('./connect/page.css')}`
  return { script: text('./connect/page.js'), style }
}
