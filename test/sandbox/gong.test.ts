// The demo data of Gong: listings that answer 404, ids beyond 2^53, recordings behind signed addresses.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../../src/language/json/json.ts'
import { sandbox } from '../../src/sandbox/open-sandbox.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { basicAuthorization } from './vendor-client.ts'
import { sized } from '../fixtures/sizes.ts'

let gong: Sandbox
beforeAll(async () => {
  gong = await sandbox('gong', { seed: 7 })
})
afterAll(() => gong.close())

// Bodies are looked into member by member; the assertions say what they hold.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any

function authorization(vendor = gong): string {
  return basicAuthorization(vendor, 'access_key', 'access_key_secret')
}

async function call(
  method: string,
  path: string,
  body?: Json,
): Promise<{ status: number; body: Body; text: string }> {
  const response = await fetch(`${gong.url}/v2${path}`, {
    method,
    headers: {
      authorization: authorization(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: JSON.parse(text), text }
}

const MEDIA = { exposedFields: { media: true } }
async function callWith(media: 'Video' | 'Audio'): Promise<Body> {
  const call_ = gong.records('calls').find((record) => record['media'] === media)
  const { body } = await call('POST', '/calls/extensive', {
    filter: { callIds: [call_?.['id'] ?? ''] },
    contentSelector: MEDIA,
  })
  return body.calls[0]
}

test('pages are chained by a cursor that is absent on the last one', async () => {
  const sizes: number[] = []
  let cursor: string | undefined
  do {
    const { body } = await call('GET', cursor === undefined ? '/calls' : `/calls?cursor=${cursor}`)
    expect(body.records).toEqual({
      totalRecords: 260,
      currentPageSize: body.calls.length,
      currentPageNumber: sizes.length,
      ...(body.records.cursor === undefined ? {} : { cursor: body.records.cursor }),
    })
    sizes.push(body.calls.length)
    cursor = body.records.cursor
  } while (cursor !== undefined)
  expect(sizes).toEqual([100, 100, 60])
})

test.for([
  {
    name: 'no call in the period',
    method: 'GET',
    path: '/calls?fromDateTime=2030-01-01T00:00:00Z',
    body: undefined,
    status: 404,
    says: 'No calls found corresponding to the provided filters',
  },
  {
    name: 'a strange cursor',
    method: 'GET',
    path: '/calls?cursor=abc',
    body: undefined,
    status: 400,
    says: 'Failed to verify cursor',
  },
  {
    name: 'an unknown call',
    method: 'GET',
    path: '/calls/12',
    body: undefined,
    status: 404,
    says: 'The requested object was not found',
  },
  {
    name: 'stats without days',
    method: 'POST',
    path: '/stats/interaction',
    body: { filter: {} },
    status: 400,
    says: 'fromDate, toDate: both dates are required',
  },
  {
    name: 'stats of nobody',
    method: 'POST',
    path: '/stats/activity/aggregate',
    body: { filter: { fromDate: '2026-05-01', toDate: '2026-06-01', userIds: ['1'] } },
    status: 404,
    says: 'User not found',
  },
  {
    name: 'a body without filter',
    method: 'POST',
    path: '/stats/activity/aggregate',
    body: {},
    status: 400,
    says: 'filter: must not be null',
  },
  {
    name: 'a body with a member that Gong does not know',
    method: 'POST',
    path: '/calls/extensive',
    body: { filter: { primaryUser: '1' } },
    status: 400,
    says: 'filter',
  },
])('$name is a $status', async ({ method, path, body, status, says }) => {
  const reply = await call(method, path, body)
  expect(reply.status).toBe(status)
  expect(reply.body.errors[0]).toContain(says)
  expect(reply.body.requestId).toMatch(/^[0-9a-f]{20}$/)
})

test('scorecards carry ids of 19 digits as JSON integers', async () => {
  const { text } = await call('POST', '/stats/activity/scorecards', {
    filter: { reviewFromDate: '2026-05-01' },
  })
  expect(text).toMatch(/"answeredScorecardId":[1-9]\d{18},"scorecardId":[1-9]\d{18},/)
})

test('the guide of a question has both of its names, and ranges are text', async () => {
  const { body } = await call('GET', '/settings/scorecards')
  const questions: readonly Readonly<Record<string, unknown>>[] = body.scorecards.flatMap(
    (card: { readonly questions: unknown }) => card.questions,
  )
  expect(questions.map(({ answerGuid }) => answerGuid)).toEqual(
    questions.map(({ answerGuide }) => answerGuide),
  )
  expect(new Set(questions.map(({ answerGuid }) => typeof answerGuid))).toContain('string')
  expect(
    new Set(questions.map(({ minRange, maxRange }) => `${typeof minRange} ${typeof maxRange}`)),
  ).toEqual(new Set(['string string']))
})

test.for([
  ['nothing', {}, ['MANUAL']],
  ['MANUAL', { reviewMethod: 'MANUAL' }, ['MANUAL']],
  ['AUTOMATIC', { reviewMethod: 'AUTOMATIC' }, ['AUTOMATIC']],
  ['BOTH', { reviewMethod: 'BOTH' }, ['AUTOMATIC', 'MANUAL']],
] as const)('a filter that says %s of reviews', async ([, filter, want]) => {
  const { body } = await call('POST', '/stats/activity/scorecards', { filter })
  const methods: readonly string[] = body.answeredScorecards.map(
    ({ reviewMethod }: { readonly reviewMethod: string }) => reviewMethod,
  )
  expect([...new Set(methods)].toSorted()).toEqual(want)
})

test('details come only when they are asked for', async () => {
  const id = gong.records('calls')[0]?.['id'] ?? ''
  const plain = await call('POST', '/calls/extensive', { filter: { callIds: [id] } })
  expect(Object.keys(plain.body.calls[0])).toEqual(['metaData'])
  const more = await call('POST', '/calls/extensive', {
    filter: { callIds: [id] },
    contentSelector: {
      context: 'Extended',
      exposedFields: {
        parties: true,
        content: { topics: true, brief: false },
        interaction: { questions: true },
      },
    },
  })
  const [details] = more.body.calls
  expect(Object.keys(details).sort()).toEqual([
    'content',
    'context',
    'interaction',
    'metaData',
    'parties',
  ])
  expect([Object.keys(details.content), Object.keys(details.interaction)]).toEqual([
    ['topics'],
    ['questions'],
  ])
})

test('speakers of a transcript are parties of the call', async () => {
  const [details] = gong.records('calls_extensive') as Body[]
  const [transcript] = gong.records('call_transcripts') as Body[]
  expect(transcript.callId).toBe(details.metaData.id)
  const speakers = details.parties.map(({ speakerId }: Body) => speakerId)
  for (const { speakerId } of transcript.transcript) expect(speakers).toContain(speakerId)
})

test('a call recorded as audio has no video', async () => {
  expect(Object.keys((await callWith('Audio')).media)).toEqual(['audioUrl'])
  expect(Object.keys((await callWith('Video')).media)).toEqual(['audioUrl', 'videoUrl'])
})

test.for([
  { range: undefined, status: 200, bytes: [0, null] },
  { range: 'bytes=0-9', status: 206, bytes: [0, 9] },
  { range: 'bytes=1000-', status: 206, bytes: [1000, null] },
  { range: 'bytes=-16', status: 206, bytes: [-16, null] },
  { range: 'bytes=99999999-', status: 416, bytes: null },
] as const)('a recording answers Range $range with $status', async ({ range, status, bytes }) => {
  const { media } = await callWith('Video')
  const whole = Buffer.from(await (await fetch(media.videoUrl)).arrayBuffer())
  const response = await fetch(media.videoUrl, range === undefined ? {} : { headers: { range } })
  const body = Buffer.from(await response.arrayBuffer())
  expect(response.status).toBe(status)
  expect(response.headers.get('accept-ranges')).toBe('bytes')
  if (bytes === null) {
    expect(response.headers.get('content-range')).toBe(`bytes */${whole.length}`)
    return
  }
  const start = bytes[0] < 0 ? whole.length + bytes[0] : bytes[0]
  const end = bytes[1] ?? whole.length - 1
  expect(body.equals(whole.subarray(start, end + 1))).toBe(true)
  expect(response.headers.get('content-type')).toBe('video/mp4')
  expect(response.headers.get('content-length')).toBe(String(end - start + 1))
  expect(response.headers.get('content-range')).toBe(
    range === undefined ? null : `bytes ${start}-${end}/${whole.length}`,
  )
})

test('a signed address takes no credentials, no change, and no more after eight hours', async () => {
  const { media } = await callWith('Audio')
  const withCredentials = await fetch(media.audioUrl, {
    headers: { authorization: authorization() },
  })
  const forged = await fetch(media.audioUrl.replace('expires=', 'expires=9'))
  gong.advance(8 * 3_600_000 + 1_000)
  const late = await fetch(media.audioUrl)
  expect([withCredentials.status, forged.status, late.status]).toEqual([400, 403, 403])
})

/** Of one gigabyte so much is read, and much less than that is held. */
const READ = sized(256, 512) * 1024 ** 2

test('a recording of one gigabyte streams without being held', async () => {
  await using large = await sandbox('gong', { fileBytes: 1024 ** 3 })
  const response = await fetch(`${large.url}/v2/calls/extensive`, {
    method: 'POST',
    headers: { authorization: authorization(large), 'content-type': 'application/json' },
    body: JSON.stringify(large.example('call_audio.download')),
  })
  const { calls } = (await response.json()) as Body
  const file = await fetch(calls[0].media.audioUrl)
  expect(file.headers.get('content-length')).toBe(String(1024 ** 3))
  const before = process.memoryUsage().rss
  let bytes = 0
  for await (const chunk of file.body ?? []) {
    bytes += (chunk as Uint8Array).length
    if (bytes >= READ) break
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(0.75 * READ)
})
