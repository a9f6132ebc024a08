import { expect, test } from 'vitest'
import { isOfVendorsService } from '../../src/display/vendor-failures.ts'
import { ERRORS } from '../../src/errors.ts'

test.for([
  ['upstream_failed', true],
  ['upstream_timeout', true],
  ['upstream_unreachable', true],
  ['upstream_rate_limited', true],
  ['upstream_suspended', true],
  ['refresh_failed', true],
  ['upstream_forbidden', false],
  ['credentials_refused', false],
  ['search_timeout', false],
  ['', false],
] as const)('%s: %s', ([code, want]) => expect(isOfVendorsService(code)).toBe(want))

test('each of them is a fault of the third party, or of a refresh there', () => {
  const codes = Object.keys(ERRORS).filter(isOfVendorsService)
  expect(codes.map((code) => ERRORS[code as keyof typeof ERRORS].origin)).toSatisfy(
    (origins: readonly string[]) =>
      origins.every((origin) => origin === 'upstream' || origin === 'connector'),
  )
})
