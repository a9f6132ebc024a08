// What the system or SQLite says of a data folder that cannot be used → an error that names the folder.
import { sqliteReason, systemReason } from '../database/database-reasons.ts'
import { ConnectorError } from '../errors.ts'

/** `store_unavailable` with the folder and what was said of it; anything that neither of the two said stays as it is. */
export function folderError(folder: string, cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause
  const errcode = 'errcode' in cause && typeof cause.errcode === 'number' ? cause.errcode : null
  const isSystem = 'syscall' in cause && 'code' in cause
  if (errcode === null && !isSystem) return cause
  const reason =
    errcode === null
      ? systemReason('code' in cause ? cause.code : null)
      : (sqliteReason(errcode) ?? 'broken')
  return new ConnectorError(
    'store_unavailable',
    `the data folder ${folder} cannot be used: ${cause.message}; TENON_DATA names another one`,
    { details: { reason }, cause },
  )
}
