import { describe, expect, test } from 'vitest'

import {
  compileTokenPlaces,
  readTokenAnswer,
  readTokenFailure,
  type TokenOutcome,
} from '../../../src/engine/credentials/token-answer.ts'
import { parsePath } from '../../../src/language/expression/parse-path.ts'
import { ConnectorError } from '../../../src/errors.ts'

const GOOD = { access_token: 'at', refresh_token: 'rt', token_type: 'bearer', expires_in: 3600 }

function read(
  body: unknown,
  {
    status = 200,
    headers = {},
    bearerOnly = true,
    words = {},
  }: {
    status?: number
    headers?: Record<string, string>
    bearerOnly?: boolean
    words?: Record<string, string>
  } = {},
): TokenOutcome {
  return readTokenAnswer(
    {
      status,
      headers,
      url: 'https://auth.example.com/token',
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    },
    { bearerOnly, words, now: Date.UTC(2026, 0, 1) },
  )
}

const tokens = (changes: object): unknown => ({
  kind: 'tokens',
  accessToken: 'at',
  refreshToken: 'rt',
  lifeMs: 3_600_000,
  tokenType: 'bearer',
  body: expect.any(Object) as unknown,
  ...changes,
})
const lost = (problem: string): unknown => ({ kind: 'lost', status: 200, problem, cause: null })

test.for<{ name: string; body: unknown; bearerOnly?: boolean; want: unknown }>([
  { name: 'O7 tokens', body: GOOD, want: tokens({}) },
  { name: 'O7 expires_in as text', body: { ...GOOD, expires_in: '3600' }, want: tokens({}) },
  {
    name: 'O7 no expires_in: the life is unknown',
    body: { ...GOOD, expires_in: undefined },
    want: tokens({ lifeMs: null }),
  },
  {
    name: 'O7 expires_in 0: the life is unknown',
    body: { ...GOOD, expires_in: 0 },
    want: tokens({ lifeMs: null }),
  },
  {
    name: 'O7 expires_in negative',
    body: { ...GOOD, expires_in: -5 },
    want: tokens({ lifeMs: null }),
  },
  {
    name: 'O7 expires_in is nonsense',
    body: { ...GOOD, expires_in: 'soon' },
    want: tokens({ lifeMs: null }),
  },
  {
    name: 'O7 expires_in is a list',
    body: { ...GOOD, expires_in: [3600] },
    want: tokens({ lifeMs: null }),
  },
  {
    name: 'O7 no new refresh token: the old one stays',
    body: { ...GOOD, refresh_token: undefined },
    want: tokens({ refreshToken: null }),
  },
  {
    name: 'O7 a refresh token that is null or empty: the old one stays',
    body: { ...GOOD, refresh_token: '' },
    want: tokens({ refreshToken: null }),
  },
  {
    name: 'O7 no token_type',
    body: { ...GOOD, token_type: undefined },
    want: tokens({ tokenType: null }),
  },
  {
    name: 'O7 token_type in other letters',
    body: { ...GOOD, token_type: 'Bearer' },
    want: tokens({ tokenType: 'Bearer' }),
  },
  {
    name: 'O7 another token_type: the access token is not used, the refresh token is kept',
    body: { ...GOOD, token_type: 'mac' },
    want: tokens({ accessToken: null, tokenType: 'other' }),
  },
  {
    name: 'O7 another token_type where the manifest applies the token in its own way',
    body: { ...GOOD, token_type: 'shop' },
    bearerOnly: false,
    want: tokens({ tokenType: 'shop' }),
  },
  {
    name: 'O7 a byte order mark in front',
    body: '\uFEFF' + JSON.stringify(GOOD),
    want: tokens({}),
  },
  { name: 'O7 HTML', body: '<html>please log in</html>', want: lost('the answer is not JSON') },
  { name: 'O7 nothing', body: '', want: lost('the answer is not JSON') },
  { name: 'O7 an array', body: [GOOD], want: lost('the answer is not a JSON object') },
  { name: 'O7 a text', body: '"at"', want: lost('the answer is not a JSON object') },
  {
    name: 'O7 a number beyond 2^53',
    body: '123456789012345678901234567890',
    want: lost('the answer is not a JSON object'),
  },
  {
    name: 'O7 too deep',
    body: '{"a":'.repeat(40) + '1' + '}'.repeat(40),
    want: lost('the answer is not JSON'),
  },
  {
    name: 'O7 more than 1 MiB',
    body: { ...GOOD, filler: 'x'.repeat(1024 * 1024) },
    want: lost('the answer is larger than 1 MiB'),
  },
  {
    name: 'O7 no access token',
    body: { token: 'at' },
    want: lost('the answer has no access_token that can be used'),
  },
  {
    name: 'O7 an access token that is no text',
    body: { ...GOOD, access_token: 7 },
    want: lost('the answer has no access_token that can be used'),
  },
  {
    name: 'G6 an access token with a line break',
    body: { ...GOOD, access_token: 'a\r\nX-Evil: 1' },
    want: lost('the answer has no access_token that can be used'),
  },
  {
    name: 'O7 a refresh token that is an object',
    body: { ...GOOD, refresh_token: {} },
    want: lost('the refresh_token of the answer is no text'),
  },
  {
    name: 'an error in a 200 is an error',
    body: { error: 'invalid_grant' },
    want: { kind: 'invalid_grant', status: 200 },
  },
  {
    name: "a vendor's own error code is not repeated",
    body: { error: 'bad_refresh_token <script>' },
    want: { kind: 'refused', status: 200, error: 'other' },
  },
])('$name', ({ body, bearerOnly = true, want }) => expect(read(body, { bearerOnly })).toEqual(want))

// Shapes as vendors document them: tokens of a user next to those of an app (Slack, oauth.v2.access), a body with `data`
// (TikTok for Business, oauth2/access_token), an end instead of a life.
describe('tokens that are not at the top of the answer', () => {
  const NOW = Date.UTC(2026, 0, 1)
  const given = (paths: Readonly<Record<string, string>>, body: unknown): TokenOutcome =>
    readTokenAnswer(
      { status: 200, headers: {}, url: '', body: Buffer.from(JSON.stringify(body)) },
      {
        bearerOnly: true,
        now: NOW,
        places: compileTokenPlaces(
          Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, parsePath(path)])),
        ),
      },
    )
  test.for<{ name: string; paths: Record<string, string>; body: unknown; want: unknown }>([
    {
      name: 'of a user, next to the token of an app',
      paths: { accessToken: '$.authed_user.access_token' },
      body: {
        ok: true,
        access_token: 'xoxb-app',
        token_type: 'bot',
        authed_user: { id: 'U1', access_token: 'xoxp-user', token_type: 'user' },
      },
      want: { accessToken: 'xoxp-user', refreshToken: null, lifeMs: null, tokenType: null },
    },
    {
      name: 'at the top by the author’s word: the type of it is not looked at',
      paths: { accessToken: '$.access_token' },
      body: { ok: true, access_token: 'xoxb-app', token_type: 'bot', expires_in: 43_200 },
      want: { accessToken: 'xoxb-app', lifeMs: 43_200_000 },
    },
    {
      name: 'below data, with both tokens and a life in seconds',
      paths: {
        accessToken: '$.data.access_token',
        refreshToken: '$.data.refresh_token',
        expires: '$.data.expires_in',
      },
      body: { code: 0, data: { access_token: 'a', refresh_token: 'r', expires_in: '3600' } },
      want: { accessToken: 'a', refreshToken: 'r', lifeMs: 3_600_000 },
    },
    {
      name: 'an end in milliseconds since 1970',
      paths: { expires: '$.expires_at' },
      body: { access_token: 'a', expires_at: NOW + 60_000 },
      want: { accessToken: 'a', lifeMs: 60_000 },
    },
    {
      name: 'an end as an ISO time, in a list',
      paths: { expires: '$.tokens[0].ends' },
      body: { access_token: 'a', tokens: [{ ends: '2026-01-01T00:02:00Z' }] },
      want: { accessToken: 'a', lifeMs: 120_000 },
    },
    {
      name: 'nothing at the path, though there is one at the top',
      paths: { accessToken: '$.authed_user.access_token' },
      body: { ok: true, access_token: 'xoxb-app', authed_user: { id: 'U1' } },
      want: { kind: 'lost', problem: 'the answer has no access_token that can be used' },
    },
    {
      name: 'an error in place of the data',
      paths: { accessToken: '$.data.token' },
      body: { error: 'invalid_grant' },
      want: { kind: 'invalid_grant', status: 200 },
    },
    {
      name: 'G6 a line break below data',
      paths: { accessToken: '$.data.token' },
      body: { data: { token: 'a\r\nX-Evil: 1' } },
      want: { kind: 'lost', problem: 'the answer has no access_token that can be used' },
    },
  ])('$name', ({ paths, body, want }) => expect(given(paths, body)).toMatchObject(want as object))
})

describe('error answers', () => {
  test.for<{ status: number; body: unknown; headers?: Record<string, string>; want: TokenOutcome }>(
    [
      {
        status: 400,
        body: { error: 'invalid_grant', error_description: 'x' },
        want: { kind: 'invalid_grant', status: 400 },
      },
      {
        status: 401,
        body: { error: 'invalid_grant' },
        want: { kind: 'invalid_grant', status: 401 },
      },
      {
        status: 401,
        body: { error: 'invalid_client' },
        want: { kind: 'refused', status: 401, error: 'invalid_client' },
      },
      { status: 403, body: '<html>', want: { kind: 'refused', status: 403, error: 'other' } },
      { status: 302, body: '', want: { kind: 'refused', status: 302, error: 'other' } },
      {
        status: 400,
        body: { error: 'temporarily_unavailable' },
        want: { kind: 'busy', status: 400, retryAfterMs: null },
      },
      {
        status: 500,
        body: { error: 'invalid_grant' },
        want: { kind: 'busy', status: 500, retryAfterMs: null },
      },
      {
        status: 503,
        body: '',
        headers: { 'retry-after': '30' },
        want: { kind: 'busy', status: 503, retryAfterMs: 30_000 },
      },
      {
        status: 429,
        body: '',
        headers: { 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' },
        want: { kind: 'busy', status: 429, retryAfterMs: 60_000 },
      },
      {
        status: 429,
        body: '',
        headers: { 'retry-after': 'soon' },
        want: { kind: 'busy', status: 429, retryAfterMs: null },
      },
    ],
  )('$status $body is $want', ({ status, body, headers = {}, want }) =>
    expect(read(body, { status, headers })).toEqual(want),
  )
})

describe('no answer', () => {
  const broken = (
    details: Record<string, unknown>,
    code:
      'upstream_unreachable' | 'upstream_timeout' | 'destination_refused' = 'upstream_unreachable',
  ): ConnectorError => new ConnectorError(code, 'broken', { details })

  test.for([
    {
      name: 'never connected',
      error: broken({ sent: false, phase: 'connect' }),
      want: { kind: 'not_sent' },
    },
    {
      name: 'refused by the guard',
      error: broken({}, 'destination_refused'),
      want: { kind: 'not_sent' },
    },
    {
      name: 'reset after sending',
      error: broken({ sent: true, phase: 'head' }),
      want: { kind: 'lost', status: null, problem: 'upstream_unreachable' },
    },
    {
      name: 'no answer in time',
      error: broken({ sent: true }, 'upstream_timeout'),
      want: { kind: 'lost', problem: 'upstream_timeout' },
    },
    {
      name: 'cut off after a head of 200',
      error: broken({ sent: true, status: 200 }),
      want: { kind: 'lost' },
    },
    {
      name: 'cut off after a head of 400',
      error: broken({ sent: true, status: 400 }),
      want: { kind: 'refused', status: 400, error: 'other' },
    },
    {
      name: 'cut off after a head of 502',
      error: broken({ sent: true, status: 502 }),
      want: { kind: 'busy', status: 502 },
    },
  ])('$name', ({ error, want }) => expect(readTokenFailure(error)).toMatchObject(want))

  test('an error that nobody expects counts as sent', () => {
    const cause = new TypeError('x')
    expect(readTokenFailure(cause)).toEqual({
      kind: 'lost',
      status: null,
      problem: 'internal_error',
      cause,
    })
  })
})

describe("O7 the third party's own words for an error", () => {
  const words = {
    bad_refresh_token: 'invalid_grant',
    bad_client: 'invalid_client',
    fatal_error: 'temporarily_unavailable',
  }
  test.for<{ status: number; body: object; want: object }>([
    {
      status: 200,
      body: { error: 'bad_refresh_token' },
      want: { kind: 'invalid_grant', status: 200 },
    },
    {
      status: 400,
      body: { error: 'bad_refresh_token' },
      want: { kind: 'invalid_grant', status: 400 },
    },
    {
      status: 200,
      body: { ok: false, error: 'bad_client' },
      want: { kind: 'refused', status: 200, error: 'invalid_client' },
    },
    {
      status: 200,
      body: { ok: false, error: 'fatal_error' },
      want: { kind: 'busy', status: 200, retryAfterMs: null },
    },
    { status: 200, body: { error: 'invalid_grant' }, want: { kind: 'invalid_grant', status: 200 } },
    { status: 200, body: { error: 'new' }, want: { kind: 'refused', status: 200, error: 'other' } },
    // A server that is unwell says nothing about the grant.
    {
      status: 500,
      body: { error: 'bad_refresh_token' },
      want: { kind: 'busy', status: 500, retryAfterMs: null },
    },
    {
      status: 200,
      body: { error: 'constructor' },
      want: { kind: 'refused', status: 200, error: 'other' },
    },
    // Tokens are there: what else stands in the answer is none of a refusal.
    { status: 200, body: { ...GOOD, error: 'bad_refresh_token' }, want: tokens({}) as object },
  ])('$status $body', ({ status, body, want }) => {
    expect(read(body, { status, words })).toEqual(want)
  })
})
