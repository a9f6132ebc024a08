// The files of copies that a thread has open, one per instance.
import { join } from 'node:path'

import { fileShare } from '../../database/descriptors.ts'
import { type FileState, identityOf, WatchedFile } from '../../database/watched-file.ts'

/** SQLITE_CORRUPT */
const CORRUPT = 11

const INSTANCE_ID = /^[\w-]{1,100}$/

export interface OpenFile {
  readonly idle: boolean
  /** Waits for what is under way. */
  close(): Promise<void>
  /** Gives back what it remembers of the file. */
  rest(): void
  /** Of the one that writes the file: puts a mark into its header, the first time at once. */
  mark?(mark: number, isFirst: boolean): void
}

interface Opened<F> {
  readonly file: F
  readonly watched: WatchedFile
}

export interface FilesOptions<F> {
  readonly folder: string
  /** The same in all threads; null: another process marks the files. */
  readonly run: number | null
  readonly open: (path: string) => F
  /** So many files, those used last, may remember much; default: all. */
  readonly warm?: number
  /** Told of a file that is gone, or another one, while it was open; before it is opened again. */
  readonly onMoved?: (path: string) => void
  /** Told of a file that was written over, once it is closed. */
  readonly onOverwritten?: (path: string) => void
}

export class OpenFiles<F extends OpenFile> {
  readonly #options: FilesOptions<F>
  readonly #most = fileShare().files
  readonly #files = new Map<string, Opened<F>>()

  constructor(options: FilesOptions<F>) {
    this.#options = options
  }

  pathOf(instanceId: string): string {
    if (!INSTANCE_ID.test(instanceId)) throw new TypeError('no id of an instance')
    return join(this.#options.folder, `${instanceId}.sqlite`)
  }

  /** Throws what SQLite says of a damaged file when the one that is open was written over. */
  of({ instanceId }: { readonly instanceId: string }): F {
    const path = this.pathOf(instanceId)
    let opened = this.#files.get(instanceId)
    // What is written to a file that was taken away is gone with it.
    if (opened !== undefined && this.#lookAt(opened, path) === 'gone') {
      this.#files.delete(instanceId)
      this.#close(path, opened).catch(() => {})
      if (opened.watched.identity !== null) this.#options.onMoved?.(path)
      opened = undefined
    }
    const isNew = opened === undefined
    if (opened === undefined) {
      const file = this.#options.open(path)
      opened = { file, watched: new WatchedFile(path, this.#options.run ?? 0) }
    } else this.#files.delete(instanceId)
    this.#files.set(instanceId, opened)
    const { warm = Infinity } = this.#options
    if (this.#files.size > warm) [...this.#files.values()].at(-warm - 1)?.file.rest()
    const isMarked = this.#options.run !== null && opened.file.mark !== undefined
    const mark = isMarked ? opened.watched.nextMark() : null
    if (mark !== null) opened.file.mark?.(mark, isNew)
    for (const [id, other] of this.#files) {
      if (this.#files.size <= this.#most) break
      if (other === opened || !other.file.idle) continue
      this.#files.delete(id)
      // Not waited for: what is in the file is committed.
      this.#close(this.pathOf(id), other).catch(() => {})
    }
    return opened.file
  }

  /**
   * What `work` reads of a file. One that is open is looked at once, behind the reading: what was read of a file that was
   * taken away before or meanwhile is read again, of what is in its place. Throws as `of` does.
   */
  async read<T>(name: { readonly instanceId: string }, work: (file: F) => Promise<T>): Promise<T> {
    const { instanceId } = name
    const path = this.pathOf(instanceId)
    const known = this.#files.get(instanceId)
    if (known !== undefined) {
      this.#files.delete(instanceId)
      this.#files.set(instanceId, known)
      try {
        const answer = await work(known.file)
        if (this.#lookAt(known, path) === 'same') return answer
      } catch (error) {
        if (this.#lookAt(known, path) === 'same') throw error
      }
    }
    const answer = await work(this.of(name))
    const opened = this.#files.get(instanceId)
    if (opened !== undefined) this.#lookAt(opened, path)
    return answer
  }

  rest(): void {
    for (const { file } of this.#files.values()) file.rest()
  }

  async close(instanceId: string): Promise<void> {
    const opened = this.#files.get(instanceId)
    this.#files.delete(instanceId)
    await opened?.file.close()
  }

  /** Each is taken out first: what is under way may open other files, and would close one that is still here for them. */
  async closeAll(): Promise<void> {
    for (const [id, opened] of this.#files) {
      this.#files.delete(id)
      await this.#close(this.pathOf(id), opened)
    }
  }

  #lookAt(opened: Opened<F>, path: string): FileState {
    if (this.#options.run !== null) return lookAt(opened, path)
    return identityOf(path) === opened.watched.identity ? 'same' : 'gone'
  }

  /** The last connection empties the log into the file, whatever is in it now. */
  async #close(path: string, { file, watched }: Opened<F>): Promise<void> {
    const isOverwritten = this.#options.run !== null && isKnownOverwritten(watched)
    await file.close()
    if (isOverwritten) this.#options.onOverwritten?.(path)
  }
}

/** A file that cannot be looked at is closed all the same. */
function isKnownOverwritten(watched: WatchedFile): boolean {
  try {
    return watched.look() === 'overwritten'
  } catch {
    return false
  }
}

function lookAt({ watched }: Opened<unknown>, path: string): FileState {
  const state = watched.look()
  if (state === 'overwritten')
    throw Object.assign(new Error(`${path} was written over while it was open`), {
      errcode: CORRUPT,
    })
  return state
}

/** So many at once, the others in the order of asking: each may keep a file open. */
export class Line {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(places: number) {
    this.#free = places
  }

  async enter<T>(work: () => T): Promise<Awaited<T>> {
    if (this.#free > 0) this.#free--
    else
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
      })
    try {
      return await work()
    } finally {
      // The place goes from hand to hand.
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }
}
