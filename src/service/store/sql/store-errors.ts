// What a database says went wrong → errors of the store.
import {
  databaseError,
  type DatabaseWords,
  defect,
  unavailable,
} from '../../../database/database-errors.ts'
import { causeOf, type ThreadCause } from '../../../database/thread-cause.ts'
import { type ConnectorError, isConnectorError } from '../../../errors.ts'

const STORE: DatabaseWords = { name: 'the store', damaged: 'has a damaged file', silent: 'busy' }

/** The store was closed, or its worker has ended. */
export function storeClosed(cause?: unknown): ConnectorError {
  return unavailable(STORE, 'away', cause)
}

/** Somebody else was at it for longer than anybody waits. */
export function storeBusy(): ConnectorError {
  return unavailable(STORE, 'conflict')
}

/** Why a database could not be asked; null for any other error. A transaction that met a `conflict` may be run again. */
export function reasonOf(error: unknown): unknown {
  return isConnectorError(error, 'store_unavailable') ? error.details['reason'] : null
}

/** `failure`: what the thread of SQLite says of an error. What SQLite had no part in is a mistake of ours. */
export function sqliteError(failure: ThreadCause): ConnectorError {
  const cause = causeOf(failure)
  return failure.errcode === null ? defect(STORE.name, cause) : databaseError(STORE, cause)
}

/** What PostgreSQL and its driver throw, and why the thread of SQLite, or its file, cannot be had. */
export function storeError(error: unknown): ConnectorError {
  return databaseError(STORE, error)
}
