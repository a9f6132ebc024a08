import { expect, test } from 'vitest'
import { limitSentence } from '../../../src/tools/codegen/limits.ts'

test.for([
  { schema: { type: 'string', maxLength: 20 }, said: ['At most 20 characters.'] },
  { schema: { type: ['string', 'null'], maxLength: 20 }, said: ['At most 20 characters.'] },
  { schema: { type: ['object', 'string'], maxLength: 0 }, said: ['As text only the empty one.'] },
  {
    schema: { type: ['array', 'string'], minItems: 2, pattern: '^a$' },
    said: ['At least 2 elements, as text matches `^a$`.'],
  },
  { schema: { type: 'string', maxLength: 4096 }, said: [] },
  { schema: { type: 'integer', minimum: 1, description: 'Of a page, at least 1.' }, said: [] },
])('the limits of $schema are said as $said', ({ schema, said }) =>
  expect(limitSentence(schema)).toEqual(said),
)
