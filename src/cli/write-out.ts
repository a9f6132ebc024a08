// Long texts, written while they come: to a new file, or to the output.
import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { CommandContext } from './command.ts'
import { UsageError } from './exit-codes.ts'

export const OUT_OPTION = {
  '--out <file>': 'a new file, for its owner only; default: the output',
} as const

/** What is written to the output is the export alone. */
export const JSON_OF_EXPORT = { '--json': 'with --out: print one JSON document' } as const

/** `out` undefined: the output. Throws UsageError where the file is there, or cannot be made. */
export async function writeOut(
  source: AsyncIterable<string | Uint8Array>,
  out: string | undefined,
  { terminal, folder }: Pick<CommandContext, 'terminal' | 'folder'>,
): Promise<void> {
  const decoder = new TextDecoder()
  const output = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      terminal.out.write(decoder.decode(chunk, { stream: true }))
      done()
    },
  })
  const file =
    out === undefined
      ? output
      : createWriteStream(resolve(folder, out), { flags: 'wx', mode: 0o600 })
  await pipeline(source, file).catch((error: NodeJS.ErrnoException) => {
    if (out === undefined || error.syscall !== 'open') throw error
    throw new UsageError(
      error.code === 'EEXIST'
        ? `there is a file ${out} already; --out takes a new one`
        : `--out ${out} cannot be made (${error.code}): is its folder there, and yours to write?`,
    )
  })
}
