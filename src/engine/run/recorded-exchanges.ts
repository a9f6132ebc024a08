// What an operation and its third party said to each other, for those who write manifests: secrets masked, sizes bounded.
import type { CredentialKeeper } from '../credentials/refreshing-keeper.ts'
import type { Transport, UpstreamHead, UpstreamResponse } from '../exchange/transport.ts'
import { previewRequest } from '../request/curl.ts'
import { secretTextsOf, type UpstreamRequest } from '../request/upstream-request.ts'
import { maskPairs } from '../response/excerpt.ts'

/** `status`: null where nothing answered. `body`: null for a file, for what is no text, and where there is none. */
export interface ShownExchange {
  readonly curl: string
  readonly status: number | null
  readonly content_type: string | null
  readonly body: string | null
  /** Whether the body is longer than what is shown of it. */
  readonly cut: boolean
}

interface Recorded {
  readonly request: UpstreamRequest
  head: UpstreamHead | null
  body: Buffer | null
}

/** More are not shown. */
const MAX_EXCHANGES = 20
const MAX_BODY_BYTES = 64 * 1024
/** So much of a body is masked: no half of a secret may be left at the end of what is shown. */
const MASKED_BYTES = 2 * MAX_BODY_BYTES

export class ExchangeRecorder {
  readonly #recorded: Recorded[] = []

  /** A transport that does the same, and is recorded. */
  around(transport: Transport): Transport {
    return {
      send: async (request, options) => {
        const entry = this.#begin(request)
        const response = await transport.send(request, options)
        entry.head = response
        entry.body = bodyOf(response)
        return response
      },
      stream: async (request, options) => {
        const entry = this.#begin(request)
        const response = await transport.stream(request, options)
        entry.head = response
        return response
      },
      close: () => transport.close(),
    }
  }

  shown(keeper: Pick<CredentialKeeper, 'secrets' | 'redact'>): readonly ShownExchange[] {
    const secrets = keeper.secrets()
    return this.#recorded.map(({ request, head, body }) => {
      const { curl } = previewRequest(request, secrets)
      const text = body === null ? null : textOf(body)
      const made = secretTextsOf(request)
      const masked = text === null ? null : maskPairs(keeper.redact(text, made))
      return {
        curl,
        status: head?.status ?? null,
        content_type: head?.headers['content-type'] ?? null,
        body: masked === null ? null : masked.slice(0, MAX_BODY_BYTES).toWellFormed(),
        cut: masked !== null && (masked.length > MAX_BODY_BYTES || body?.length === MASKED_BYTES),
      }
    })
  }

  #begin(request: UpstreamRequest): Recorded {
    const entry: Recorded = { request, head: null, body: null }
    if (this.#recorded.length < MAX_EXCHANGES) this.#recorded.push(entry)
    return entry
  }
}

/** A copy of the beginning: large bodies are given up with their answers. */
function bodyOf({ body }: UpstreamResponse): Buffer {
  return Buffer.from(body.subarray(0, MASKED_BYTES))
}

/** Null: it is empty, or no text. */
function textOf(body: Buffer): string | null {
  const text = body.toString('utf8')
  return text === '' || text.includes('\0') ? null : text
}
