import { expect, test } from 'vitest'
import { actorOf } from '../../src/display/who-acts.ts'

test.for([
  ['upstream_failed', 'the third party'],
  ['upstream_rate_limited', 'nobody'],
  ['upstream_not_found', 'the author of the connector'],
  ['credentials_refused', 'the owner of the account'],
  ['delivery_failed', 'your app'],
  ['search_timeout', 'the caller'],
  ['no_such_code', null],
] as const)('%s: %s acts', ([code, want]) => expect(actorOf(code)).toBe(want))
