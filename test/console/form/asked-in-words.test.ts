import { expect, test } from 'vitest'
import { askedInWords } from '../../../src/console/form/asked-in-words.ts'

const key = { description: 'Secret key.', type: 'string' }
const secret = { type: 'string' }

test.for([
  {
    of: 'what is required, and what is not',
    schema: {
      required: ['key'],
      properties: { key, webhook_secret: secret },
    },
    says: 'You need: Secret key. Optional: Webhook secret.',
  },
  {
    of: 'what is required alone',
    schema: { required: ['key', 'webhook_secret'], properties: { key, webhook_secret: secret } },
    says: 'You need: Secret key, Webhook secret.',
  },
  {
    of: 'what nothing is required of',
    schema: { properties: { key } },
    says: 'Optional: Secret key.',
  },
  {
    of: 'what is required and has a value of its own',
    schema: { required: ['key', 'site'], properties: { key, site: { default: 'eu' } } },
    says: 'You need: Secret key. Optional: Site.',
  },
])('a form says of $of: $says', ({ schema, says }) => expect(askedInWords(schema)).toBe(says))
