// The limit of a listing.
import { problemError } from '../../errors.ts'

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 200

/** 50 where none is given. Throws `request_malformed` beyond 200: never a silent cut. */
export function limitIn(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT
  const limit = Number(text)
  if (limit >= 1 && limit <= MAX_LIMIT) return limit
  const detail = `must be from 1 to ${MAX_LIMIT}`
  const problem = { pointer: '/limit', code: 'range', detail }
  throw problemError('request_malformed', problem, `limit ${detail}`)
}
