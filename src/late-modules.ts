// Modules of Node that few calls need. Imported at the top of a file, each would cost every start of a client milliseconds.
import type * as Crypto from 'node:crypto'
import type * as Zlib from 'node:zlib'

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
