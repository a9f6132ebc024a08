// Header fields of answers: what each says, for the document and for pages of other origins.
import type { JsonObject } from '../../language/json/json.ts'

export type AnswerHeader =
  | 'x-request-id'
  | 'ratelimit-policy'
  | 'ratelimit'
  | 'preference-applied'
  | 'idempotent-replayed'
  | 'location'
  | 'etag'
  | 'last-modified'
  | 'accept-ranges'
  | 'content-disposition'
  | 'content-range'
  | 'deprecation'
  | 'sunset'
  | 'tenon-upstream-status'
  | 'tenon-upstream-headers'
  | 'retry-after'
  | 'www-authenticate'

/** A field that an answer always has, or with `?` one that it may have. */
export type Declared = AnswerHeader | `${AnswerHeader}?`

interface Field {
  /** As the document spells it. */
  readonly name: string
  readonly description: string
  readonly example: string
  /** Left out: a text. */
  readonly type?: 'integer'
}

export const ANSWER_HEADERS: Readonly<Record<AnswerHeader, Field>> = {
  'x-request-id': {
    name: 'X-Request-Id',
    description: 'The id sent with the request, or a new one. It is in the log, too.',
    example: '01a221ab-6d7e-7f8a-9b0c-2d3e4f5a6b7c',
  },
  'ratelimit-policy': {
    name: 'RateLimit-Policy',
    description:
      'Each rate limit that counts this request: how many requests (q) in how many seconds (w). Source: draft-ietf-httpapi-ratelimit-headers.',
    example: '"org";q=600;w=60',
  },
  ratelimit: {
    name: 'RateLimit',
    description: 'What is left of each rate limit (r), and in how many seconds there is more (t).',
    example: '"org";r=599;t=60',
  },
  'preference-applied': {
    name: 'Preference-Applied',
    description: 'The preference that was followed. Source: RFC 7240.',
    example: 'wait=30',
  },
  'idempotent-replayed': {
    name: 'Idempotent-Replayed',
    description: 'true: nothing was done again; this is the stored response for the same key.',
    example: 'true',
  },
  location: {
    name: 'Location',
    description: 'The address of what was created.',
    example: 'https://tenon.example.com/v1/webhooks/01a221ab-5c6d-7e8f-9a0b-1c2d3e4f5a6b',
  },
  etag: {
    name: 'ETag',
    description:
      'Changes with the response: for If-None-Match, and for If-Match where it is accepted.',
    example: '"u0b7yN2mPq4rStUvWxYz1A"',
  },
  'last-modified': {
    name: 'Last-Modified',
    description: 'For a file, as reported by the third party.',
    example: 'Sun, 01 Nov 2026 09:00:00 GMT',
  },
  'accept-ranges': {
    name: 'Accept-Ranges',
    description: 'For a file, as reported by the third party: bytes if it serves ranges.',
    example: 'bytes',
  },
  'content-disposition': {
    name: 'Content-Disposition',
    description: 'A file is an attachment: no browser opens it as a page of this service.',
    example: 'attachment; filename="gong-call_audio"',
  },
  'content-range': {
    name: 'Content-Range',
    description: 'Which bytes of the file these are, and how long it is, where known.',
    example: 'bytes 0-1023/4096',
  },
  deprecation: {
    name: 'Deprecation',
    description:
      'Since when the action has been deprecated, in Unix seconds; @0 if no date is known. Source: RFC 9745.',
    example: '@1793491200',
  },
  sunset: {
    name: 'Sunset',
    description: 'Until when a deprecated action is expected to work. Source: RFC 8594.',
    example: 'Mon, 01 Nov 2027 00:00:00 GMT',
  },
  'tenon-upstream-status': {
    name: 'Tenon-Upstream-Status',
    description: 'The status of the third party’s response.',
    example: '200',
    type: 'integer',
  },
  'tenon-upstream-headers': {
    name: 'Tenon-Upstream-Headers',
    description:
      'The headers of the third party’s response, as a JSON object in ASCII, with names in lower case.',
    example: '{"content-type":"application/json"}',
  },
  'retry-after': {
    name: 'Retry-After',
    description: 'The number of seconds after which the same request can succeed, where known.',
    example: '1',
    type: 'integer',
  },
  'www-authenticate': {
    name: 'WWW-Authenticate',
    description: 'How requests are authenticated.',
    example: 'Bearer',
  },
}

/** Of every file that a third party gave. */
export const OF_FILES: readonly Declared[] = [
  'content-disposition?',
  'content-range?',
  'accept-ranges?',
  'etag?',
  'last-modified?',
]

/** The header objects of an answer. Source: OpenAPI 3.1.0, "Header Object". */
export function headerObjects(declared: readonly Declared[]): JsonObject {
  return Object.fromEntries(
    declared.map((each) => {
      const isCertain = !each.endsWith('?')
      // What stands before the mark is a name of the table.
      const key = (isCertain ? each : each.slice(0, -1)) as AnswerHeader
      const { name, description, example, type = 'string' } = ANSWER_HEADERS[key]
      const schema = { type, examples: [type === 'integer' ? Number(example) : example] }
      return [name, { description, ...(isCertain ? { required: true } : {}), schema }]
    }),
  )
}
