// Modules that few calls need. Imported at the top of a file, each would cost every start of a client milliseconds.
import type * as Crypto from 'node:crypto'
import { createRequire } from 'node:module'
import type * as Zlib from 'node:zlib'

import type * as Saxes from 'saxes'
import type * as Yauzl from 'yauzl'

let crypto: typeof Crypto | undefined
let zlib: typeof Zlib | undefined
let saxes: typeof Saxes | undefined
let yauzl: typeof Yauzl | undefined

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
  return (saxes ??= createRequire(import.meta.url)('saxes') as typeof Saxes)
}

/** The reader of zip archives, loaded by the first call. */
export function zipReader(): typeof Yauzl {
  return (yauzl ??= createRequire(import.meta.url)('yauzl') as typeof Yauzl)
}
