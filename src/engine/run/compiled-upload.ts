// What is compiled of a block `upload`, apart from what runs it: few actions send a file in parts.
import { compilePath, type Pick as PickValue } from '../../language/expression/pick.ts'
import type { Upload } from '../../language/manifest/manifest.ts'
import { compileStatus } from '../response/error-rules.ts'

/** The closures of a block `upload`. */
export interface CompiledUpload {
  readonly upload: Upload
  readonly addressIn: PickValue
  readonly receivedIn: PickValue
  /** Statuses by which the vendor waits for more, of a part and of a question. */
  readonly isMore: Readonly<Record<'chunk' | 'ask', (status: number) => boolean>>
  /** Statuses of a part that is asked about. */
  readonly isMisplaced: (status: number) => boolean
  /** Of one attempt, the sending of its part not counted. */
  readonly timeoutMs: number
}

/** Compiles a block `upload`. */
export function compileUpload(upload: Upload, timeoutMs: number): CompiledUpload {
  const { address, received, chunk, ask } = upload
  return {
    upload,
    addressIn: compilePath(address),
    receivedIn: compilePath(received.at),
    isMore: { chunk: compileStatus(chunk.more), ask: compileStatus(ask.more) },
    isMisplaced: ask.on.length === 0 ? () => false : compileStatus(ask.on),
    timeoutMs,
  }
}
