// Files that are sent in parts, to vendors made of their own documents, with connections that end in the middle.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { CallOptions, Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import { fileFrom } from '../../src/client/files.ts'
import { loadManifest } from '../../src/client/load-manifest.ts'
import { createTestClock } from '../fixtures/test-clock.ts'
import {
  createUploadVendor,
  type Fate,
  type Protocol,
  SESSION_PATH,
  UPLOADS,
  uploadManifest,
  type UploadVendor,
} from '../fixtures/upload-vendors.ts'

const KIB = 1024
/** Two parts of 64 KiB and one of 22 KiB. */
const BYTES = Buffer.from(Uint8Array.from({ length: 150 * KIB }, (_, at) => (at * 31) % 251))

function digest(bytes: Uint8Array): { readonly bytes: number; readonly sha256: string } {
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

type Bed = AsyncDisposable & {
  readonly client: Client
  readonly vendor: UploadVendor
  /** What was sent to the address of the session: method and bytes. */
  readonly sent: () => readonly (readonly [string, number])[]
}

async function openBed(
  protocol: Protocol,
  fates: readonly Fate[] = [],
  options: object = {},
): Promise<Bed> {
  const vendor = await createUploadVendor(protocol)
  vendor.fates.push(...fates)
  const client = await connect(await loadManifest(uploadManifest(protocol)), {
    credentials: { key: 'key-of-the-depot' },
    serverUrl: vendor.url,
    allowHosts: ['127.0.0.1'],
    ...options,
  })
  return {
    client,
    vendor,
    sent: () =>
      vendor.seen
        .filter(({ path }) => path === SESSION_PATH)
        .map(({ method, bytes }) => [method, bytes] as const),
    async [Symbol.asyncDispose]() {
      await client.close()
      await vendor[Symbol.asyncDispose]()
    },
  }
}

async function upload(bed: Bed, file: unknown = BYTES, options?: CallOptions): Promise<unknown> {
  const { data } = await bed.client.execute('files', 'upload', { name: 'film.mp4', file }, options)
  return data
}

async function refusalOf(bed: Bed, file: unknown = BYTES, options?: CallOptions): Promise<unknown> {
  return await upload(bed, file, options).then(
    (data) => data,
    (error: unknown) => error,
  )
}

const PROTOCOLS: readonly Protocol[] = ['google', 'graph', 'tus']
const PART_METHOD = { google: 'PUT', graph: 'PUT', tus: 'PATCH' } as const
const ASK_METHOD = { google: 'PUT', graph: 'GET', tus: 'HEAD' } as const
/** What the last part is answered: tus has nothing to say. */
const ANSWER = {
  google: { id: '7', name: 'film.mp4' },
  graph: { id: '7', name: 'film.mp4' },
  tus: null,
} as const

describe.for(PROTOCOLS)('M3 a file in parts (%s)', (protocol) => {
  const part = PART_METHOD[protocol]
  const ask = ASK_METHOD[protocol]
  const stream = (): object =>
    fileFrom(Readable.from([BYTES.subarray(0, 70_000), BYTES.subarray(70_000)]), {
      size: BYTES.length,
    })

  test('goes to the address that the answer names, and the last answer is that of the action', async () => {
    await using bed = await openBed(protocol)
    expect(await upload(bed)).toEqual(ANSWER[protocol])
    expect(bed.vendor.file()).toEqual(digest(BYTES))
    expect(bed.sent()).toEqual([
      [part, 64 * KIB],
      [part, 64 * KIB],
      [part, 22 * KIB],
    ])
  })

  test('is gone on with where the vendor has it, after a part broke off', async () => {
    await using bed = await openBed(protocol, ['fine', { cutAfter: 20_000 }])
    expect(await upload(bed)).toEqual(ANSWER[protocol])
    expect(bed.vendor.file()).toEqual(digest(BYTES))
    expect(bed.sent().map(([method]) => method)).toEqual([part, part, ask, part, part])
  })

  test('is gone on with from a stream, whose part is in memory', async () => {
    await using bed = await openBed(protocol, ['fine', { cutAfter: 20_000 }, 'fine', 'lost'])
    expect(await upload(bed, stream())).toEqual(ANSWER[protocol])
    expect(bed.vendor.file()).toEqual(digest(BYTES))
  })

  test('is not sent twice where only an answer was lost', async () => {
    await using bed = await openBed(protocol, ['lost'])
    expect(await upload(bed)).toEqual(ANSWER[protocol])
    expect(bed.sent().map(([method]) => method)).toEqual([part, ask, part, part])
    expect(bed.vendor.file()).toEqual(digest(BYTES))
  })

  test('waits as long as the vendor asks for', async () => {
    const busy: Fate = { status: 503, headers: { 'retry-after': '7' } }
    const clock = createTestClock()
    await using bed = await openBed(protocol, [busy], { clock })
    expect(await upload(bed)).toEqual(ANSWER[protocol])
    expect(clock.monotonic()).toBe(7000)
    expect(bed.vendor.file()).toEqual(digest(BYTES))
  })

  test('ends after as many attempts as the manifest allows, and says how far it is', async () => {
    const broken: Fate = { status: 503 }
    await using bed = await openBed(protocol, ['fine', broken, 'fine', broken, 'fine', broken])
    expect(await refusalOf(bed)).toMatchObject({
      code: 'upstream_failed',
      outcome: 'not_applied',
      retryable: true,
      details: { bytes: 64 * KIB, size: BYTES.length },
    })
  })

  test('tells a session that has ended', async () => {
    await using bed = await openBed(protocol, ['fine', { status: protocol === 'tus' ? 410 : 404 }])
    const error = await refusalOf(bed)
    expect(error).toMatchObject({
      code: 'upload_session_refused',
      outcome: 'not_applied',
      retryable: true,
    })
    expect(JSON.stringify(error)).not.toContain(SESSION_PATH)
  })

  test('refuses a vendor that has more than was sent', async () => {
    const says = { range: 'bytes=0-99999', 'upload-offset': '100000' }
    const body = protocol === 'graph' ? { nextExpectedRanges: ['100000-'] } : undefined
    await using bed = await openBed(protocol, [{ says, ...(body && { body }) }])
    expect(await refusalOf(bed)).toMatchObject({ code: 'upstream_malformed', outcome: 'uncertain' })
  })

  test('ends a stream of which the vendor wants again what was read', async () => {
    const says = { range: 'bytes=0-9', 'upload-offset': '10' }
    const body = protocol === 'graph' ? { nextExpectedRanges: ['10-'] } : undefined
    const back: Fate = { says, ...(body && { body }) }
    await using bed = await openBed(protocol, ['fine', back])
    expect(await refusalOf(bed, stream())).toMatchObject({
      code: 'upload_interrupted',
      outcome: 'not_applied',
      details: { repeatable: false },
    })
  })

  test('shows what would be sent first, and no address', async () => {
    await using bed = await openBed(protocol)
    const given = { name: 'film.mp4', file: BYTES }
    const { requests } = await bed.client.preview('files', 'upload', given)
    expect(requests.map(({ method, body }) => [method, body]).at(1)).toEqual([
      part,
      `<bytes 0 to ${64 * KIB - 1} of a file>`,
    ])
    expect(requests[1]?.url).toBe(
      protocol === 'graph' ? '<uploadUrl of request 1>' : '<headers.location of request 1>',
    )
  })

  test('shows no address to hooks', async () => {
    const urls: string[] = []
    const onRequest = ({ request }: { readonly request: { readonly url: string } }): void =>
      void urls.push(request.url)
    await using bed = await openBed(protocol, [], { hooks: { onRequest } })
    await upload(bed)
    expect(urls.length).toBe(4)
    expect(urls.slice(1)).toEqual(Array(3).fill(`${bed.vendor.url}/***`))
  })
})

describe('M3 a file in parts', () => {
  test.for([['google'], ['tus']] as const)(
    'may have an unknown size where the vendor allows it (%s)',
    async ([protocol]) => {
      await using bed = await openBed(protocol, ['fine', 'lost'])
      const stream = Readable.from([BYTES.subarray(0, 70_000), BYTES.subarray(70_000)])
      expect(await upload(bed, stream)).toEqual(ANSWER[protocol])
      expect(bed.vendor.file()).toEqual(digest(BYTES))
    },
  )

  test('is refused without a size where the vendor needs it, before anything is sent', async () => {
    await using bed = await openBed('graph')
    expect(await refusalOf(bed, Readable.from([BYTES]))).toMatchObject({
      code: 'params_invalid',
      errors: [{ pointer: '/params/file', code: 'file' }],
    })
    expect(bed.vendor.seen).toEqual([])
  })

  test('may be empty where the vendor then calls it complete', async () => {
    await using google = await openBed('google')
    expect(await upload(google, Buffer.alloc(0))).toEqual(ANSWER.google)
    await using tus = await openBed('tus')
    expect(await upload(tus, Buffer.alloc(0))).toBe(null)
  })

  test('may be base64 text', async () => {
    await using bed = await openBed('tus')
    await upload(bed, BYTES.toString('base64'))
    expect(bed.vendor.file()).toEqual(digest(BYTES))
  })

  test('that breaks off is not complete, and says so', async () => {
    await using bed = await openBed('google')
    const source = async function* (): AsyncGenerator<Buffer> {
      yield BYTES.subarray(0, 70_000)
      throw new Error('the disk is gone')
    }
    const file = fileFrom(source(), { size: BYTES.length })
    expect(await refusalOf(bed, file)).toMatchObject({
      code: 'upload_interrupted',
      outcome: 'not_applied',
      details: { bytes: 64 * KIB, size: BYTES.length },
    })
  })

  test('ends with the caller', async () => {
    await using bed = await openBed('google', [
      'fine',
      { status: 503, headers: { 'retry-after': '30' } },
    ])
    const caller = new AbortController()
    const call = refusalOf(bed, BYTES, { signal: caller.signal })
    await expect.poll(() => bed.sent().length).toBe(2)
    caller.abort()
    expect(await call).toMatchObject({ code: 'aborted', outcome: 'not_applied' })
  })

  test('takes no credentials to another host, and is refused where the manifest wants that', async () => {
    await using elsewhere = await createUploadVendor('tus')
    await using vendor = await createUploadVendor('google', () => elsewhere.url)
    const { upload: block } = UPLOADS.google as { readonly upload: object }
    const manifest = uploadManifest('google', { upload: { ...block, auth: 'same' } })
    await using client = await connect(await loadManifest(manifest), {
      credentials: { key: 'key-of-the-depot' },
      serverUrl: vendor.url,
      allowHosts: ['127.0.0.1'],
    })
    await expect(client.execute('files', 'upload', { file: BYTES })).rejects.toMatchObject({
      code: 'destination_refused',
    })
    expect(elsewhere.seen).toEqual([])
  })

  test('goes to no address that the guard refuses', async () => {
    await using vendor = await createUploadVendor('google', () => 'http://169.254.169.254')
    await using client = await connect(await loadManifest(uploadManifest('google')), {
      credentials: { key: 'key-of-the-depot' },
      serverUrl: vendor.url,
      allowHosts: ['127.0.0.1'],
    })
    await expect(client.execute('files', 'upload', { file: BYTES })).rejects.toMatchObject({
      code: 'destination_refused',
    })
  })
})
