// The files of copies that a thread has open, one per instance.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Files that stay open in each of two threads; the one used longest ago goes first. */
const MAX_OPEN = 64
/** Descriptors that a file may need, with its log and the connections of both threads. */
const PER_FILE = 20
/** A share of the descriptors is for sockets. */
const SHARE = 0.75
const INSTANCE_ID = /^[\w-]{1,100}$/

export interface OpenFile {
  readonly idle: boolean
  /** Waits for what is under way. */
  close(): Promise<void>
}

/** How many files may be open, by the descriptors that this process may have. */
export function maxOpenFiles(descriptors: number = descriptorLimit()): number {
  return Math.max(2, Math.min(MAX_OPEN, Math.floor((descriptors * SHARE) / PER_FILE)))
}

/** Known under Linux; elsewhere there are enough. Source: proc_pid_limits(5). */
function descriptorLimit(): number {
  try {
    const [, soft = ''] =
      /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === '' ? Infinity : Number(soft)
  } catch {
    return Infinity
  }
}

export class OpenFiles<F extends OpenFile> {
  readonly #folder: string
  readonly #open: (path: string) => F
  readonly #onMoved: (path: string) => void
  readonly #most = maxOpenFiles()
  readonly #files = new Map<string, { readonly file: F; readonly identity: string | null }>()

  /** `onMoved` is told of a file that is gone, or another one, while it was open; before it is opened again. */
  constructor(
    folder: string,
    open: (path: string) => F,
    onMoved: (path: string) => void = () => {},
  ) {
    this.#folder = folder
    this.#open = open
    this.#onMoved = onMoved
  }

  pathOf(instanceId: string): string {
    if (!INSTANCE_ID.test(instanceId)) throw new TypeError('no id of an instance')
    return join(this.#folder, `${instanceId}.sqlite`)
  }

  of({ instanceId }: { readonly instanceId: string }): F {
    const path = this.pathOf(instanceId)
    const identity = identityOf(path)
    let opened = this.#files.get(instanceId)
    // What is written to a file that was taken away is gone with it.
    if (opened !== undefined && opened.identity !== identity) {
      this.#files.delete(instanceId)
      close(opened.file)
      if (opened.identity !== null) this.#onMoved(path)
      opened = undefined
    }
    if (opened === undefined) {
      const file = this.#open(path)
      opened = { file, identity: identityOf(path) }
    } else this.#files.delete(instanceId)
    this.#files.set(instanceId, opened)
    for (const [id, other] of this.#files) {
      if (this.#files.size <= this.#most) break
      if (other === opened || !other.file.idle) continue
      this.#files.delete(id)
      close(other.file)
    }
    return opened.file
  }

  async close(instanceId: string): Promise<void> {
    const opened = this.#files.get(instanceId)
    this.#files.delete(instanceId)
    await opened?.file.close()
  }

  async closeAll(): Promise<void> {
    for (const { file } of this.#files.values()) await file.close()
    this.#files.clear()
  }
}

/** Closing is not waited for: what is in the file is committed. */
function close(file: OpenFile): void {
  file.close().catch(() => {})
}

/** Tells a file from another one of the same name; null: there is none. */
function identityOf(path: string): string | null {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats === undefined ? null : `${stats.dev} ${stats.ino}`
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
