// What crosses between the service's thread and the one that owns the SQLite files.
import type { ErrorCode } from '../../errors.ts'
import type { SearchIndex } from '../../search/search-index.ts'

/** The port's methods that the worker runs as they are. */
export type CopyMethod = Exclude<keyof SearchIndex, 'restore'> | 'removedDocuments'

export interface CopyCall {
  readonly id: number
  readonly method: CopyMethod
  readonly args: readonly unknown[]
}

export type CopyAnswer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: CopyFailure }

/** An error in a form that crosses. */
export interface CopyFailure {
  readonly kind: 'lost_lease' | 'connector' | 'other'
  readonly code: ErrorCode | null
  readonly message: string
}
