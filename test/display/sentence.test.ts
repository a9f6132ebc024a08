import { expect, test } from 'vitest'
import { beginning, ended } from '../../src/display/sentence.ts'

test.for([
  ['the rate limit is used up', 'The rate limit is used up.'],
  ['issues.list: was refused', 'issues.list: was refused.'],
  ['issue_fields were refused', 'issue_fields were refused.'],
  ['The third party said: Too many requests.', 'The third party said: Too many requests.'],
  ['it said: "no!"', 'It said: "no!"'],
  ['', '.'],
] as const)('%s becomes %s', ([detail, sentence]) => {
  expect(ended(beginning(detail))).toBe(sentence)
})
