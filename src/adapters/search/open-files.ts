// The files of copies that a thread has open, one per instance.
import { join } from 'node:path'

/** Files that stay open; the one used longest ago goes first. */
const MOST_OPEN = 64
const INSTANCE_ID = /^[\w-]{1,100}$/

/** A file that is open. */
export interface OpenFile {
  /** Whether nothing waits, so that it may be closed. */
  readonly idle: boolean
  /** Waits for what is under way. */
  close(): Promise<void>
}

/** Opens files of a folder when they are asked for. */
export class OpenFiles<F extends OpenFile> {
  private readonly folder: string
  private readonly open: (path: string) => F
  private readonly files = new Map<string, F>()

  constructor(folder: string, open: (path: string) => F) {
    this.folder = folder
    this.open = open
  }

  pathOf(instanceId: string): string {
    if (!INSTANCE_ID.test(instanceId)) throw new TypeError('no id of an instance')
    return join(this.folder, `${instanceId}.sqlite`)
  }

  of({ instanceId }: { readonly instanceId: string }): F {
    const file = this.files.get(instanceId) ?? this.open(this.pathOf(instanceId))
    this.files.delete(instanceId)
    this.files.set(instanceId, file)
    for (const [id, other] of this.files) {
      if (this.files.size <= MOST_OPEN) break
      if (other === file || !other.idle) continue
      this.files.delete(id)
      void other.close()
    }
    return file
  }

  async close(instanceId: string): Promise<void> {
    const file = this.files.get(instanceId)
    this.files.delete(instanceId)
    await file?.close()
  }

  async closeAll(): Promise<void> {
    for (const file of this.files.values()) await file.close()
    this.files.clear()
  }
}
