// Files of one folder as answers.
import type { Stats } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { brotliDecompress } from 'node:zlib'
import { ConnectorError } from '../../errors.ts'
import type { Answer, Arrival } from './arrival.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Compressed already. */
const PACKED: ReadonlySet<string> = new Set(['.png', '.woff2'])

/** Of files whose names hold the hash of what is in them. */
export const KEPT_FOR_A_YEAR = { 'cache-control': 'public, max-age=31536000, immutable' } as const

/** A file of the folder itself: no path, and nothing hidden. */
const NAME = /^\w[\w.-]*$/

/** A file by its name. Rejects with `route_unknown` where there is none. */
export async function fileAnswer(
  folder: string,
  name: string,
  arrival: Arrival,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const type = TYPES[extname(name)]
  const file = join(folder, name)
  const found = NAME.test(name) && type !== undefined ? await find(file) : null
  if (found === null || type === undefined) throw noSuchFile()
  const { facts } = found
  const etag = `W/"${facts.size.toString(16)}-${Math.floor(facts.mtimeMs).toString(16)}"`
  const head = { 'x-content-type-options': 'nosniff', etag, ...headers }
  if (arrival.headers['if-none-match'] === etag)
    return { status: 304, headers: head, content: null }
  return {
    status: 200,
    headers: { 'content-type': type, ...head },
    // It may go between the look and the reading, when others take its place.
    content: { before: '', bytes: await found.read().catch(throwNoSuchFile), after: '' },
    ...(PACKED.has(extname(name)) ? {} : { compressible: { kept: `${file} ${etag}`, file } }),
  }
}

function throwNoSuchFile(): never {
  throw noSuchFile()
}

function noSuchFile(): ConnectorError {
  return new ConnectorError('route_unknown', 'there is no such path')
}

interface Found {
  readonly facts: Stats
  read(): Promise<Buffer>
}

/** The file, or what the build has left of it: `<file>.br` alone (scripts/build-console.ts), which most browsers take as it is. */
async function find(file: string): Promise<Found | null> {
  const whole = await factsOf(file)
  if (whole !== null) return { facts: whole, read: () => readFile(file) }
  const small = await factsOf(`${file}.br`)
  return small === null ? null : { facts: small, read: () => unpacked(`${file}.br`) }
}

async function unpacked(file: string): Promise<Buffer> {
  const bytes = await readFile(file)
  return new Promise((resolve, reject) => {
    brotliDecompress(bytes, (error, whole) => (error ? reject(error) : resolve(whole)))
  })
}

async function factsOf(file: string): Promise<Stats | null> {
  const facts = await stat(file).catch(() => null)
  return facts?.isFile() === true ? facts : null
}
