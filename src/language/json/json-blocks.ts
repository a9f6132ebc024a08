// Looks at the bytes of JSON texts 64 at a time, where there is WebAssembly. The program is json-blocks.wat.
import { isUtf8 } from 'node:buffer'
import { JSON_BLOCKS_WASM } from './json-blocks-wasm.ts'

/** Both look at texts of up to 1 MiB. */
export interface JsonBlocks {
  /**
   * The JSON text that these pieces are, if they are one, nested at most `maxDepth` deep, whose numbers a double keeps as they
   * are written: none has an exponent or more than 15 digits. Characters may have become escapes, so that a place in
   * the text is none in the bytes.
   *
   * Null says nothing about the bytes: they are to be read in the ordinary way. So are those that are no UTF-8.
   */
  plainText(pieces: readonly Buffer[], maxDepth: number): string | null
  /**
   * One bit per byte, that of the first byte being the lowest of the first number: whether it is a quotation mark, a
   * backslash or below 0x20. The bit behind the last byte is set. Valid until anything else is asked for; null: the
   * text is too long.
   */
  marks(bytes: Uint8Array): Uint32Array | null
}

/** What the program exports. Places are those in its memory. */
interface Program {
  readonly memory: { readonly buffer: ArrayBuffer }
  survey(start: number, end: number, maxDepth: number): number
  narrow(start: number, end: number, target: number): number
  mark(start: number, end: number, target: number): void
}

/** Where a text lies in the program's memory, and where what is made of it. */
const TEXT = 64
const MADE = 0x110000
/** Fits between the two; what is made of it is at most half longer. */
const MAX_LENGTH = 1 << 20
/** Beyond one character in so many, escapes cost more than a string of two bytes per character. */
const FEW = 16

/** Shorter texts are read at once in any way. */
const SHORT = 1024
/** Starting the program takes as long as reading this much without it. */
const WORTH_STARTING = 64 * 1024

/** Undefined: not started yet; null: there is none. */
let blocks: JsonBlocks | null | undefined
/** Bytes that it would have been given. */
let missed = 0

/** The blocks of this thread, where they are worth while for a text of so many bytes; null for short and first ones. */
export function jsonBlocksFor(length: number): JsonBlocks | null {
  if (length < SHORT || length > MAX_LENGTH) return null
  if (blocks === undefined) {
    missed += length
    if (missed < WORTH_STARTING) return null
    blocks = createJsonBlocks()
  }
  return blocks
}

/** Null where no WebAssembly with vectors is to be had: under `--jitless`, on old processors, without memory. */
export function createJsonBlocks(): JsonBlocks | null {
  const program = startProgram()
  if (program === null) return null
  const memory = Buffer.from(program.memory.buffer)
  const marks = new Uint32Array(program.memory.buffer, MADE, MAX_LENGTH / 32 + 2)
  return {
    plainText(pieces, maxDepth) {
      let end = TEXT
      for (const piece of pieces) {
        if (end + piece.length > TEXT + MAX_LENGTH) return null
        memory.set(piece, end)
        end += piece.length
      }
      const wide = program.survey(TEXT, end, maxDepth)
      if (wide === -1 || !isUtf8(memory.subarray(TEXT, end))) return null
      // Strings of one byte per character are made and parsed in less time; some characters must be escaped for that.
      if (wide === 0 || wide * FEW > end - TEXT) return memory.toString('utf8', TEXT, end)
      const size = program.narrow(TEXT, end, MADE)
      return size === 0 ? null : memory.toString('latin1', MADE, MADE + size)
    },
    marks(bytes) {
      if (bytes.length > MAX_LENGTH) return null
      memory.set(bytes, TEXT)
      program.mark(TEXT, TEXT + bytes.length, MADE)
      return marks
    },
  }
}

/** As much of WebAssembly as is used here: the library has its types among those of browsers only. */
interface Assembly {
  readonly Module: new (program: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: unknown }
}

function startProgram(): Program | null {
  const { WebAssembly: assembly } = globalThis as { readonly WebAssembly?: Assembly }
  if (assembly === undefined) return null
  try {
    const module = new assembly.Module(Buffer.from(JSON_BLOCKS_WASM, 'base64'))
    // These are the exports of json-blocks.wat.
    return new assembly.Instance(module).exports as Program
  } catch {
    // There is another way to read JSON, and why this one is closed changes nothing.
    return null
  }
}
