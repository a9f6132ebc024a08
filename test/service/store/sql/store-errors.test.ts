// Which errors of a database can be waited out, and which are mistakes of the program.
import { expect, test } from 'vitest'
import { sqliteError, storeError } from '../../../../src/service/store/sql/store-errors.ts'
import { isConnectorError } from '../../../../src/errors.ts'

/** What a caller decides by. */
function toldBy(error: unknown): readonly unknown[] {
  if (!isConnectorError(error)) throw new TypeError('not translated', { cause: error })
  return [error.code, error.details['reason'] ?? null, error.retryable]
}

test.for([
  { name: 'SQLITE_BUSY, with an extended code', errcode: 5 | (2 << 8), reason: 'conflict' },
  { name: 'SQLITE_FULL', errcode: 13, reason: 'full' },
  { name: 'SQLITE_CANTOPEN', errcode: 14, reason: 'away' },
  { name: 'SQLITE_NOTADB', errcode: 26, reason: 'damaged' },
])('$name is the store not being available: $reason', ({ errcode, reason }) => {
  const error = sqliteError({ message: 'so it is', stack: null, errcode })
  expect(toldBy(error)).toEqual(['store_unavailable', reason, true])
})

test.for([
  { name: 'SQLITE_ERROR (no such table)', errcode: 1 },
  { name: 'SQLITE_CONSTRAINT', errcode: 19 },
])('$name is a defect', ({ errcode }) => {
  const error = sqliteError({ message: 'so it is', stack: null, errcode })
  expect(toldBy(error)).toEqual(['internal_error', null, false])
  expect(error.cause).toMatchObject({ message: 'so it is' })
})

test('what SQLite had no part in is a defect, with the stack of the thread it happened in', () => {
  const stack = 'TypeError: values is not iterable\n    at runStep (sqlite-worker.ts:77:1)'
  const error = sqliteError({ message: 'values is not iterable', stack, errcode: null })
  expect(toldBy(error)).toEqual(['internal_error', null, false])
  expect(error.cause).toMatchObject({ message: 'values is not iterable', stack })
})

test.for([
  { name: 'a connection refused', error: coded('ECONNREFUSED'), reason: 'away' },
  ...['EACCES', 'EMFILE', 'ENOSPC', 'EIO'].map((code) => ({
    name: `a connection that is not made (${code})`,
    error: Object.assign(coded(code), { syscall: 'connect' }),
    reason: 'away',
  })),
  { name: 'a broken pipe', error: coded('EPIPE'), reason: 'away' },
  {
    name: 'all addresses of a name refused',
    error: Object.assign(new AggregateError([coded('ECONNREFUSED')]), { code: 'ECONNREFUSED' }),
    reason: 'away',
  },
  { name: 'an end of pg', error: new Error('Connection terminated unexpectedly'), reason: 'away' },
  { name: 'a limit of pg', error: new Error('Query read timeout'), reason: 'busy' },
  {
    name: 'a folder with a time in its name',
    error: Object.assign(new Error("EROFS: read-only file system, open '/timeout'"), {
      code: 'EROFS',
    }),
    reason: 'read_only',
  },
  { name: 'a statement time-out', error: coded('57014'), reason: 'busy' },
  { name: 'a disk without room', error: coded('53100'), reason: 'full' },
  { name: 'a damaged page', error: coded('XX001'), reason: 'broken' },
  { name: 'a column that is not there', error: coded('42703'), reason: 'schema' },
  { name: 'a lost race', error: coded('40001'), reason: 'conflict' },
  {
    name: 'an address that is none',
    error: Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL' }),
    reason: 'away',
  },
])('$name is the store not being available: $reason', ({ error, reason }) => {
  expect(toldBy(storeError(error))).toEqual(['store_unavailable', reason, true])
})

test.for([
  { name: 'a member of undefined', error: new TypeError("reading 'id' of undefined") },
  { name: 'a name that is not there', error: new ReferenceError('row is not defined') },
  { name: 'a text that is no JSON', error: new SyntaxError('Unexpected end of JSON input') },
  { name: 'a stack without end', error: new RangeError('Maximum call stack size exceeded') },
])('$name is a defect, in PostgreSQL and in the thread of SQLite', ({ error }) => {
  const told = storeError(error)
  expect(toldBy(told)).toEqual(['internal_error', null, false])
  expect(told.cause).toBe(error)
  expect(told.message).not.toContain(error.message)
})

test('a statement that PostgreSQL refuses is a defect', () => {
  const error = storeError(coded('42601'))
  expect(toldBy(error)).toEqual(['internal_error', null, false])
  expect(error.cause).toMatchObject({ message: 'so it is' })
})

test('a thread that could not be started is the store not being available', () => {
  const error = storeError(coded('ERR_WORKER_INIT_FAILED'))
  expect(toldBy(error)).toEqual(['store_unavailable', 'away', true])
})

function coded(code: string): Error {
  return Object.assign(new Error('so it is'), { code })
}
