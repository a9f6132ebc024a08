// Tells a SQLite file that is open from another one, also where another one was written over it.
//
// SQLite does not notice that: it goes on with the pages that it remembers and with its log, and mixes them into the new
// content. So the one that owns a file marks it: with a tag of this run and a number that grows with every checkpoint, in
// the `user_version` of the header, which is read from the disk when the file has changed.
import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs'

/** Source: sqlite.org/fileformat2.html, section 1.3. */
const HEADER_BYTES = 100
const MARK_AT = 60

const NUMBERS = 0x8000
/** SQLITE_CANTOPEN */
const CANNOT_OPEN = 14

export type FileState = 'same' | 'gone' | 'overwritten'

/** Tells one file from another one of the same name; null: there is none. */
export function identityOf(path: string): string | null {
  return identityIn(statSync(path, { throwIfNoEntry: false }))
}

function identityIn(stats: Stats | undefined): string | null {
  return stats === undefined ? null : `${stats.dev} ${stats.ino}`
}

export class WatchedFile {
  readonly identity: string | null
  readonly #path: string
  /** Of this run and this path, so that neither an earlier state nor the file of another path has it. */
  readonly #tag: number
  /** Found when the file was opened; marks of this run take its place. null: there was no header yet. */
  #first: number | null
  /** The number of this run that was last seen in the file. */
  #seen = 0
  /** The number that was last given away. */
  #given = 0
  #sizeBytes: number
  #changedMs: number
  /** Whether it is written once more, without its free pages. */
  #mayShrink = false
  /** Whether the file was changed since it got its mark. */
  #needsMark: boolean

  /** `run`: the same in all threads of a run. */
  constructor(path: string, run: number) {
    this.#path = path
    this.#tag = tagOf(`${run} ${path}`)
    const stats = statSync(path, { throwIfNoEntry: false })
    this.identity = identityIn(stats)
    this.#sizeBytes = stats?.size ?? 0
    this.#changedMs = stats?.mtimeMs ?? 0
    this.#first = stats === undefined ? null : readMark(path)
    this.#needsMark = !this.#isOfThisRun(this.#first)
    if (this.#isOfThisRun(this.#first)) this.#seen = this.#given = this.#first % NUMBERS
  }

  /** What is wrong with the file that is open, by one look at its facts, and at its header when they have changed. */
  look(): FileState {
    const stats = statSync(this.#path, { throwIfNoEntry: false })
    if (identityIn(stats) !== this.identity) return 'gone'
    if (stats === undefined) return 'same'
    const { size, mtimeMs } = stats
    if (size === this.#sizeBytes && mtimeMs === this.#changedMs) return 'same'
    // SQLite makes no file smaller that is not vacuumed.
    if (size < this.#sizeBytes && !this.#mayShrink) return 'overwritten'
    if (!this.#isExpected(readMark(this.#path))) return 'overwritten'
    if (size < this.#sizeBytes) this.#mayShrink = false
    this.#sizeBytes = size
    this.#changedMs = mtimeMs
    this.#needsMark = true
    return 'same'
  }

  /** From now on, and until this is taken back, the file may become smaller: the owner vacuums it. */
  mayShrink(isSo: boolean): void {
    this.#mayShrink = isSo
  }

  /** What the owner should write as `user_version` now; null: what was given last is not in the file yet. */
  nextMark(): number | null {
    if (!this.#needsMark || this.#given !== this.#seen) return null
    this.#needsMark = false
    this.#given = (this.#given + 1) % NUMBERS
    return this.#tag * NUMBERS + this.#given
  }

  #isExpected(mark: number | null): boolean {
    if (this.#isOfThisRun(mark)) {
      const number = mark % NUMBERS
      // Half of the circle lies behind.
      if ((number - this.#seen + NUMBERS) % NUMBERS >= NUMBERS / 2) return false
      this.#seen = number
      this.#first = null
      return true
    }
    const isNew = this.#first === null && this.#seen === 0
    if (isNew) this.#first = mark
    return isNew || (mark !== null && mark === this.#first)
  }

  #isOfThisRun(mark: number | null): mark is number {
    return mark !== null && Math.floor(mark / NUMBERS) === this.#tag
  }
}

/** null: the file is not even as long as a header. */
function readMark(path: string): number | null {
  try {
    const header = Buffer.alloc(HEADER_BYTES)
    const file = openSync(path, 'r')
    try {
      return readSync(file, header) === HEADER_BYTES ? header.readUInt32BE(MARK_AT) : null
    } finally {
      closeSync(file)
    }
  } catch (cause) {
    throw Object.assign(new Error(`${path} cannot be looked at`, { cause }), {
      errcode: CANNOT_OPEN,
    })
  }
}

/** From 1 to 2^16 - 1: with a number behind it SQLite's signed one holds it. FNV-1a, folded. */
function tagOf(text: string): number {
  let hash = 0x811c9dc5
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return (((hash >>> 16) ^ (hash & 0xffff)) % 0xffff) + 1
}
