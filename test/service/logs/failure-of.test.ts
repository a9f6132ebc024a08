// Under which code a failed turn or check is found in the logs.
import { expect, test } from 'vitest'
import { ConnectorError } from '../../../src/errors.ts'
import { failureOf } from '../../../src/service/logs/failure-of.ts'

const MET = new ConnectorError('upstream_failed', 'Notes: notes.list failed (status 500)', {
  upstream: { status: 500, body: null, requestId: 'r-1' },
})
const suspended = (attempts: number | null): ConnectorError =>
  new ConnectorError('upstream_suspended', 'it is left alone for now', {
    cause: MET,
    ...(attempts !== null && { details: { attempts } }),
  })
const FOUND = {
  code: 'upstream_failed',
  upstreamStatus: 500,
  facts: { detail: MET.message, upstream_request_id: 'r-1' },
}

test.for([
  { name: 'a failure is found under its own', error: MET, want: FOUND },
  {
    name: 'one whose call failed just before a hold is found under what it met',
    error: suspended(2),
    want: FOUND,
  },
  {
    name: 'one for which nothing was sent was held back',
    error: suspended(null),
    want: {
      code: 'upstream_suspended',
      upstreamStatus: null,
      facts: { detail: 'it is left alone for now' },
    },
  },
])('$name', ({ error, want }) => expect(failureOf(error)).toEqual(want))
