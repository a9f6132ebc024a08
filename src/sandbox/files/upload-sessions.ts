// Addresses to which files are sent in parts, as a vendor keeps them: what has arrived, and what is done with all of it.
import type { Scope } from '../../language/expression/syntax.ts'
import type { Json } from '../../language/json/json.ts'
import type { Upload } from '../../language/manifest/manifest.ts'
import { POSITIONS, type PositionKind } from '../../language/manifest/upload-positions.ts'
import { hexDigits } from '../data/chance.ts'
import type { World } from '../data/world.ts'
import { Reader, type Reading } from '../wire/read-back.ts'
import { readHeaders } from '../wire/read-entries.ts'
import { VendorRefusal } from '../wire/refusal.ts'
import { valueAnswer, type WireAnswer } from '../wire/wire-answer.ts'
import type { WireRequest } from '../wire/wire-request.ts'
import { type Draft, writePath } from '../wire/write-path.ts'

/** The first segment of every address. */
export const UPLOADS_PATH = 'sandbox-uploads'
/** Of one file: what is longer is counted, and not kept. */
const MAX_KEPT_BYTES = 64 * 1024 ** 2

export interface UploadSession {
  readonly operation: string
  readonly upload: Upload
  /** Does what the file was sent for. `file`: null where it was too large to be kept. */
  readonly complete: (file: Buffer | null) => WireAnswer
  /** In bytes; null: not said yet. */
  size: number | null
  bytes: number
  parts: Buffer[]
  /** What was answered when all had arrived. */
  answer: WireAnswer | null
}

export class UploadSessions {
  readonly #sessions = new Map<string, UploadSession>()
  readonly #options: { readonly world: () => World; readonly origin: () => string }

  constructor(options: { readonly world: () => World; readonly origin: () => string }) {
    this.#options = options
  }

  /** Opens a session; gives its address. */
  open(session: Pick<UploadSession, 'operation' | 'upload' | 'complete' | 'size'>): string {
    const { world, origin } = this.#options
    const id = hexDigits(world().chance, `upload/${this.#sessions.size}`, 32)
    this.#sessions.set(id, { ...session, bytes: 0, parts: [], answer: null })
    return `${origin()}/${UPLOADS_PATH}/${id}`
  }

  of({ segments }: Pick<WireRequest, 'segments'>): UploadSession | null {
    return this.#sessions.get(segments[1] ?? '') ?? null
  }
}

/** Takes a part of the file, or says what has arrived. Throws VendorRefusal. `known`: what the vendor knows of itself. */
export function answerUpload(
  session: UploadSession,
  request: WireRequest,
  known: Scope,
): WireAnswer {
  const { chunk, ask } = session.upload
  const question = read(ask, request, known)
  if (question !== null && question.problems.length === 0 && request.body.length === 0)
    return session.answer ?? finish(session, 'ask', said(question, 'total'))
  const part = read(chunk, request, known)
  if (part === null)
    throw new VendorRefusal('unknown_route', `${request.method} is not allowed here`, {
      status: 405,
    })
  const [problem] = part.problems
  if (problem !== undefined)
    throw new VendorRefusal('invalid', `${problem.field} ${problem.message}`)
  const { bytes } = session
  const from = said(part, 'from') ?? bytes
  if (from !== bytes) {
    const status = ask.on[0]?.[0] ?? 409
    throw new VendorRefusal('invalid', `Byte ${bytes} is the next one, not ${from}`, { status })
  }
  session.bytes += request.body.length
  session.parts = session.bytes > MAX_KEPT_BYTES ? [] : [...session.parts, request.body]
  return finish(session, 'chunk', said(part, 'total'))
}

/** Answers with what has arrived, or with what the file was sent for where it has all arrived. */
function finish(session: UploadSession, method: 'chunk' | 'ask', size: number | null): WireAnswer {
  const { upload, parts } = session
  session.size = size ?? session.size
  if (session.size !== null && session.bytes > session.size)
    throw new VendorRefusal('invalid', 'More bytes have arrived than the file has')
  const status = upload[method].more[0]?.[0] ?? 200
  const draft: Draft = { body: undefined, headers: {} }
  const position = POSITIONS[upload.received.kind as PositionKind].write(
    session.bytes,
    session.size,
  )
  if (position !== undefined) writePath(draft, upload.received.at, position)
  if (session.bytes !== session.size) return valueAnswer(status, draft.body, draft.headers)
  const file = session.bytes > MAX_KEPT_BYTES ? null : Buffer.concat(parts)
  const answer = session.complete(file)
  session.parts = []
  // Where more is answered 204, so is the last part, which then is told from the others by its position alone.
  const last =
    status === 204 ? valueAnswer(204, undefined, draft.headers) : withHeaders(answer, draft.headers)
  session.answer = status === 204 ? valueAnswer(askStatus(upload), undefined, draft.headers) : last
  return method === 'ask' ? session.answer : last
}

function askStatus({ ask }: Upload): number {
  return ask.more[0]?.[0] ?? 200
}

function withHeaders(answer: WireAnswer, headers: Draft['headers']): WireAnswer {
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

/** The request read against a template; null where its method is another one. */
function read(
  { method, headers }: Pick<Upload['chunk' | 'ask'], 'method' | 'headers'>,
  request: WireRequest,
  known: Scope,
): Reader | null {
  if (request.method !== method) return null
  const reader = new Reader(known)
  reader.from = 'header'
  readHeaders(reader, headers, request.headers)
  return reader
}

/** A number of the file that stands in what was read: `upload.from`; as its total its size counts, too. */
export function said(
  { readings }: { readonly readings: readonly Reading[] },
  name: string,
): number | null {
  const values = readings.flatMap(({ root, path, value }): readonly Json[] =>
    root === 'upload' && (path[0] === name || (name === 'total' && path[0] === 'size'))
      ? [value]
      : [],
  )
  const found = values.find(
    (value) => typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value)),
  )
  return found === undefined ? null : Number(found)
}
