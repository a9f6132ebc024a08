// Sees from the bytes of a JSON text that nothing about it needs care, 64 bytes at a time. The program is plain-json.wat.
import { isUtf8 } from 'node:buffer'

import { PLAIN_JSON_WASM } from './plain-json-wasm.ts'

/** Makes texts that JSON.parse alone may read. */
export interface PlainJsonReader {
  /**
   * The JSON text in these bytes, if it is one, nested at most `maxDepth` deep, whose numbers a double keeps as they
   * are written: none has an exponent or more than 15 digits. Characters may have become escapes, so that a place in
   * the text is none in the bytes.
   *
   * Null says nothing about the bytes: they are to be read in the ordinary way. No UTF-8 and more than 1 MiB are null.
   */
  textOf(bytes: Buffer, maxDepth: number): string | null
}

/** What the program exports. Places are those in its memory. */
interface Program {
  readonly memory: { readonly buffer: ArrayBuffer }
  survey(start: number, end: number, maxDepth: number): number
  narrow(start: number, end: number, target: number): number
}

/** Where a text lies in the program's memory, and where what is made of it. */
const TEXT = 64
const NARROWED = 0x110000
/** Fits between the two; what is made of it is at most half longer. */
const LONGEST = 1 << 20
/** Beyond one character in so many, escapes cost more than a string of two bytes per character. */
const FEW = 16

/** Null where no WebAssembly with vectors is to be had: under `--jitless`, on old processors, without memory. */
export function createPlainJsonReader(): PlainJsonReader | null {
  const program = startProgram()
  if (program === null) return null
  const memory = Buffer.from(program.memory.buffer)
  return {
    textOf(bytes, maxDepth) {
      const { length } = bytes
      if (length > LONGEST || !isUtf8(bytes)) return null
      memory.set(bytes, TEXT)
      const wide = program.survey(TEXT, TEXT + length, maxDepth)
      if (wide === -1) return null
      // Strings of one byte per character are made and parsed in less time; some characters must be escaped for that.
      if (wide === 0 || wide * FEW > length) return bytes.toString()
      const size = program.narrow(TEXT, TEXT + length, NARROWED)
      return size === 0 ? null : memory.toString('latin1', NARROWED, NARROWED + size)
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
    const module = new assembly.Module(Buffer.from(PLAIN_JSON_WASM, 'base64'))
    // These are the exports of the text beside this file.
    return new assembly.Instance(module).exports as Program
  } catch {
    // There is another way to read JSON, and why this one is closed changes nothing.
    return null
  }
}
