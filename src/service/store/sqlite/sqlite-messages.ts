// What the thread of the program and the thread that owns SQLite say to each other.
import type { SqliteFailure } from '../sql/store-errors.ts'

/** `reader` sees what is committed and never waits for a change under way; `writer` does everything else. */
export type SqliteConnection = 'reader' | 'writer'

export type SqliteValue = null | number | bigint | string | Uint8Array

export interface SqliteStep {
  readonly on: SqliteConnection
  readonly sql: string
  readonly parameters: readonly SqliteValue[]
}

/** Steps that run in order until one fails. The result is that of the last. */
export interface SqliteRequest {
  readonly id: number
  readonly steps: readonly SqliteStep[]
}

export type SqliteRow = Readonly<Record<string, SqliteValue>>

export type SqliteReply =
  | {
      readonly id: number
      readonly rows: readonly SqliteRow[]
      /** null: a statement that gives rows does not tell. */
      readonly changes: number | null
    }
  | { readonly id: number; readonly failure: SqliteFailure }

/** What the worker is started with. */
export interface SqliteWorkerData {
  readonly file: string
  /** What tells the file from another one of the same name. */
  readonly identity: string
}
