// How long the files of an operation take to be sent: that time is the file's, and moves the deadline of the operation.
import type { FilesByMark, FileSource, OpenFile } from '../../language/expression/file-source.ts'
import type { Clock } from '../exchange/clock.ts'

export interface TimedFiles {
  readonly files: FilesByMark
  /** What their sending took until now, in milliseconds. */
  readonly sentMs: () => number
}

/** The files, watched. */
export function timeFiles(files: FilesByMark, clock: Pick<Clock, 'monotonic'>): TimedFiles {
  let sentMs = 0
  const watched = (opened: OpenFile): OpenFile => {
    const began = clock.monotonic()
    async function* read(): AsyncGenerator<Uint8Array> {
      try {
        yield* opened
      } finally {
        sentMs += clock.monotonic() - began
      }
    }
    return { [Symbol.asyncIterator]: read, destroy: (error) => opened.destroy(error) }
  }
  const timed = (file: FileSource): FileSource => {
    const { openAt } = file
    return {
      ...file,
      canOpen: () => file.canOpen(),
      open: () => watched(file.open()),
      openAt: openAt === null ? null : (offset) => watched(openAt(offset)),
    }
  }
  return {
    files: new Map([...files].map(([mark, file]) => [mark, timed(file)])),
    sentMs: () => sentMs,
  }
}
