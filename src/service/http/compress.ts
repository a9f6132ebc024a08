// Answers made smaller for who asks for it: JSON of reading routes, and files, which are compressed once.
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { dropOldest } from '../drop-oldest.ts'
import { type Answer, type Arrival, bytesIn } from './arrival.ts'

/** Below this a packet is a packet. */
const MIN_BYTES = 1024
/** Fast rather than small: what is made for one answer is made while its caller waits. */
const ONCE_LEVEL = 1
const KEPT_QUALITY = 9
const MAX_KEPT = 200

/** Files, by what they are, and coding. */
const kept = new Map<string, Promise<Buffer>>()

type Coding = 'br' | 'gzip'

/**
 * The answer as the request wants it. Only what its route calls compressible is: never a stream, and nothing that holds a
 * secret next to what a stranger may have put into it (BREACH): answers that give secrets are not marked, and nothing is
 * compressed for a request with a cookie, which a page of somebody else can cause.
 */
export function compressed(
  arrival: Pick<Arrival, 'headers'>,
  answer: Answer,
): Answer | Promise<Answer> {
  const { compressible, content, headers } = answer
  if (compressible === undefined || content === null || headers['etag']?.startsWith('"') === true)
    return answer
  addVary(headers)
  const { 'accept-encoding': accepted, cookie } = arrival.headers
  if (accepted === undefined || (cookie !== undefined && compressible.kept === null)) return answer
  const coding = codingIn(accepted, compressible.kept === null ? ['gzip', 'br'] : ['br', 'gzip'])
  if (coding === null || content instanceof Readable) return answer
  const bytes = bytesIn(content)
  if (bytes.length < MIN_BYTES) return answer
  const making =
    compressible.kept === null
      ? make(coding, bytes, { level: ONCE_LEVEL, quality: ONCE_LEVEL })
      : keep(`${coding} ${compressible.kept}`, () => packed(coding, bytes, compressible.file))
  return making.then((small) =>
    small.length >= bytes.length
      ? answer
      : {
          ...answer,
          headers: { ...headers, 'content-encoding': coding },
          content: { before: '', bytes: small, after: '' },
        },
  )
}

/** The file as the build has packed it, or packed now. */
async function packed(coding: Coding, bytes: Buffer, file: string | undefined): Promise<Buffer> {
  const ready =
    file === undefined || coding !== 'br' ? null : await readFile(`${file}.br`).catch(() => null)
  return (
    ready ??
    (await make(coding, bytes, {
      level: constants.Z_BEST_COMPRESSION,
      quality: KEPT_QUALITY,
    }))
  )
}

function make(
  coding: Coding,
  bytes: Buffer,
  { level, quality }: { readonly level: number; readonly quality: number },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, small: Buffer): void =>
      error ? reject(error) : resolve(small)
    if (coding === 'gzip') gzip(bytes, { level }, done)
    else brotliCompress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }, done)
  })
}

function keep(key: string, work: () => Promise<Buffer>): Promise<Buffer> {
  const known = kept.get(key)
  if (known !== undefined) return known
  const making = work()
  kept.set(key, making)
  dropOldest(kept, MAX_KEPT)
  return making
}

/** The first of the codings that is accepted. Source: RFC 9110 section 12.5.3. */
function codingIn(accepted: string, codings: readonly Coding[]): Coding | null {
  const weights = new Map<string, number>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2)
    weights.set(name, weight === undefined ? 1 : Number(weight))
  }
  const others = weights.get('*') ?? 0
  return codings.find((coding) => (weights.get(coding) ?? others) > 0) ?? null
}

function addVary(headers: Record<string, string>): void {
  const { vary } = headers
  headers['vary'] = vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`
}
