// A vendor that runs: it answers by its document, and keeps what was wrong with what it was sent.
import { Readable } from 'node:stream'
import type { Client } from '../../src/client/client.ts'
import { connect } from '../../src/client/connect.ts'
import type { Transport, UpstreamHead } from '../../src/engine/exchange/transport.ts'
import type { UpstreamRequest } from '../../src/engine/request/upstream-request.ts'
import type { Json } from '../../src/language/json/json.ts'
import type { Manifest } from '../../src/language/manifest/manifest.ts'
import { createPatientClock } from '../contracts/scripted-upstream.ts'
import type { Vendor } from './all-vendors.ts'
import type { Seen, VendorDocument } from './vendor-document.ts'

/** What goes wrong before it goes well. */
export interface Script {
  /** So many answers of status 429. */
  readonly tooMany?: number
  /** The first access token is good no longer. */
  readonly expired?: boolean
  readonly fails?: boolean
}

export interface RunningVendor {
  readonly client: Client
  /** Requests of operations, token requests left out. */
  readonly asked: readonly string[]
  readonly problems: readonly string[]
  /** Bodies of good answers. */
  readonly answered: readonly Json[]
  readonly tokens: number
}

const FILES = 'https://vendor.example/'

type Answer = UpstreamHead & { readonly body: Buffer }

/** Connects a client to a vendor that answers by its document. */
export async function runVendor(
  vendor: Vendor,
  { manifest, document }: { readonly manifest: Manifest; readonly document: VendorDocument },
  script: Script = {},
): Promise<RunningVendor> {
  const asked: string[] = []
  const problems: string[] = []
  const answered: Json[] = []
  let tokens = 0
  let refusals = script.tooMany ?? 0

  function answer(request: UpstreamRequest): Answer {
    const reply = (status: number, body: unknown, headers = {}): Answer => {
      const text = body === undefined ? '' : JSON.stringify(body)
      const type = { 'content-type': 'application/json' }
      return { status, headers: { ...type, ...headers }, url: request.url, body: Buffer.from(text) }
    }
    if (vendor.token !== null && new URL(request.url).pathname === vendor.token.path) {
      tokens++
      return reply(200, vendor.token.answer)
    }
    asked.push(`${request.method} ${request.url}`)
    // A file lies at the address that an answer named.
    if (request.url.startsWith(FILES) || vendor.files?.test(request.url) === true)
      return reply(200, 'bytes', { 'content-type': 'application/octet-stream' })
    if (refusals-- > 0) return reply(429, {}, { 'retry-after': '1' })
    if (script.expired === true && !vendor.carries(request.headers, 'new')) return reply(401, {})
    if (script.fails === true) return reply(vendor.error.status, vendor.error.body)
    const seen = document.find(request, vendor.base)
    if (seen === null) {
      problems.push(`there is no ${request.method} ${request.url}`)
      return reply(404, {})
    }
    problems.push(...document.problemsOf(seen))
    return reply(200, answerOf(seen), vendor.headers?.(seen, vendor.pageOf(seen)))
  }

  function answerOf(seen: Seen): Json | undefined {
    const page = vendor.pageOf(seen)
    const whole = document.answerTo(seen, `page ${page}`)
    if (whole === undefined) return undefined
    const body = vendor.turn(whole, page)
    if (!document.isAnswer(seen, JSON.parse(JSON.stringify(body))))
      problems.push(`no answer of ${seen.path}`)
    answered.push(body)
    return body
  }

  const transport: Transport = {
    send: async (request) => answer(request),
    stream: async (request) => {
      const { body, ...head } = answer(request)
      // Where the document describes no answer, it says that the file lies elsewhere; the transport follows.
      return { ...head, body: Readable.from([body.length === 0 ? Buffer.from('bytes') : body]) }
    },
    close: async () => {},
  }
  const client = await connect(manifest, {
    ...vendor.connection,
    transport,
    limits: null,
    clock: createPatientClock(),
    onCredentials: () => {},
  })
  return {
    client,
    asked,
    problems,
    answered,
    get tokens() {
      return tokens
    },
  }
}
