// Files that a caller gives next to the parameters. In the parameters a mark stands for each; where a body takes bytes,
// the file is put in its place. Reading one is the business of who sends it.

/** A file as its caller gives it. */
export interface FileSource {
  /** Not to be guessed: what separates it from other parts is made of it. */
  readonly id: string
  /** What the file is called; null: nobody said. */
  readonly name: string | null
  /** Its content type; null: nobody said. */
  readonly type: string | null
  /** In bytes; null: not known before its end. */
  readonly size: number | null
  /** All of it, where it is in memory anyway; null: it is read while it is sent. */
  readonly bytes: Uint8Array | null
  /** The same as a Blob, on platforms that send one as it is. */
  readonly blob?: Blob
  /** Whether it can be opened: a stream cannot a second time. */
  canOpen(): boolean
  /** Its bytes from the beginning. Reading rejects with what broke the source. */
  open(): OpenFile
  /** Its bytes from an offset, as often as it is asked for; null: it can be read once, from its beginning. */
  readonly openAt: ((offset: number) => OpenFile) | null
}

/** A file that is being read. Destroying it ends its source, also while that is silent. */
export interface OpenFile extends AsyncIterable<Uint8Array> {
  destroy(error?: Error): unknown
}

/** The files of one operation, by the marks that stand for them. */
export type FilesByMark = ReadonlyMap<string, FileSource>

/** What stands in a parameter for its file: no base64 text, so that nobody can write one that is taken for a file. */
export function markOf(param: string): string {
  return `<the file ${param}>`
}
